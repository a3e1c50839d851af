// Decimal numbers, such as -1.5e-7, as floating-point numbers: rounded to the nearest, and from the middle of two to the even one.

/** The nearest number of 64 bits. */
export const nearestDouble = (text: string): number => Number(text);

const DECIMAL = /^([+-]?)([0-9]*)\.?([0-9]*)(?:e([+-]?[0-9]+))?$/i;

/** Numbers from 10^39 on are beyond all of 32 bits, and those below 10^-60 are nearest to 0. */
const LARGE = 39;
const SMALL = -60;

/** Bits of a number of 32, and the exponents of the smallest one and of what is too large. */
const MANTISSA_BITS = 24;
const LEAST_EXPONENT = -149;
const MOST = 2 ** 128;

/** The nearest number of 32 bits. */
export function nearestSingle(text: string): number {
  const double = Number(text);
  return isBetween(double) ? nearestSingleTo(text) : Math.fround(double);
}

const LEAST_WITH_ALL_BITS = 2 ** -126;
const view = new DataView(new ArrayBuffer(8));

/**
 * Whether a number of 64 bits may lie in the middle between two of 32: what it was rounded from can be nearer to one of them, and
 * it is not known to which. Of others it is the same one that is nearest to both.
 */
function isBetween(double: number): boolean {
  view.setFloat64(0, double);
  return (view.getUint32(4) & 0x1fffffff) === 0x10000000 || Math.abs(double) < LEAST_WITH_ALL_BITS;
}

/** The same, from all digits. */
function nearestSingleTo(text: string): number {
  const [, sign, whole = '', fraction = '', power = '0'] = DECIMAL.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const exponent = Number(power) - fraction.length;
  const magnitude = magnitudeOf(digits, exponent);
  return sign === '-' ? -magnitude : magnitude;
}

function magnitudeOf(digits: string, exponent: number): number {
  const places = digits.length + exponent;
  if (digits === '' || places < SMALL) return 0;
  if (places > LARGE + 1) return Number.POSITIVE_INFINITY;
  const numerator = BigInt(digits) * 10n ** BigInt(Math.max(exponent, 0));
  const denominator = 10n ** BigInt(Math.max(-exponent, 0));
  const single = nearestRatio(numerator, denominator);
  return single < MOST ? single : Number.POSITIVE_INFINITY;
}

/** The number of 32 bits, whatever its exponent, that is nearest to a ratio. */
function nearestRatio(numerator: bigint, denominator: bigint): number {
  // Of so many bits or one more is the whole part of the ratio over 2^guess.
  const guess = bitsOf(numerator) - bitsOf(denominator) - MANTISSA_BITS;
  const isLonger = scaled(numerator, denominator, guess).quotient >> BigInt(MANTISSA_BITS) > 0n;
  const exponent = Math.max(isLonger ? guess + 1 : guess, LEAST_EXPONENT);
  const { quotient, rest, divisor } = scaled(numerator, denominator, exponent);
  const isUp = 2n * rest > divisor || (2n * rest === divisor && quotient % 2n === 1n);
  return Number(isUp ? quotient + 1n : quotient) * 2 ** exponent;
}

/** A ratio over 2^exponent, as a whole number and what is left. */
function scaled(numerator: bigint, denominator: bigint, exponent: number) {
  const dividend = numerator << BigInt(Math.max(-exponent, 0));
  const divisor = denominator << BigInt(Math.max(exponent, 0));
  return { quotient: dividend / divisor, rest: dividend % divisor, divisor };
}

function bitsOf(number: bigint): number {
  return number.toString(2).length;
}
