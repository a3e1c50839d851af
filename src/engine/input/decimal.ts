// Decimal numbers, such as -1.5e-7, as floating-point numbers: rounded to nearest, ties to even (IEEE 754).

/** The nearest 64-bit number. */
export const nearestDouble = (text: string): number => Number(text);

const DECIMAL = /^([+-]?)([0-9]*)\.?([0-9]*)(?:e([+-]?[0-9]+))?$/i;

/** Numbers from 10^39 on are beyond all 32-bit numbers, and numbers below 10^-60 round to 0. */
const LARGE = 39;
const SMALL = -60;

/** Bits of a 32-bit number's mantissa, the exponent of its smallest value, and the limit above its largest. */
const MANTISSA_BITS = 24;
const LEAST_EXPONENT = -149;
const MOST = 2 ** 128;

/** The nearest 32-bit number. */
export function nearestSingle(text: string): number {
  const double = Number(text);
  return isBetween(double) ? nearestSingleTo(text) : Math.fround(double);
}

const LEAST_WITH_ALL_BITS = 2 ** -126;
const view = new DataView(new ArrayBuffer(8));

/**
 * Whether a 64-bit number may be halfway between two 32-bit numbers. The decimal number, which was rounded to it, may be nearer to either
 * of them. In all other cases, rounding twice gives the same result as rounding once.
 */
function isBetween(double: number): boolean {
  view.setFloat64(0, double);
  return (view.getUint32(4) & 0x1fffffff) === 0x10000000 || Math.abs(double) < LEAST_WITH_ALL_BITS;
}

/** The nearest 32-bit number, computed from all digits. */
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

/** The nearest number with a 24-bit mantissa, whatever its exponent, to a ratio. */
function nearestRatio(numerator: bigint, denominator: bigint): number {
  // The whole part of the ratio over 2^guess has this many bits, or one more.
  const guess = bitsOf(numerator) - bitsOf(denominator) - MANTISSA_BITS;
  const isLonger = scaled(numerator, denominator, guess).quotient >> BigInt(MANTISSA_BITS) > 0n;
  const exponent = Math.max(isLonger ? guess + 1 : guess, LEAST_EXPONENT);
  const { quotient, rest, divisor } = scaled(numerator, denominator, exponent);
  const isUp = 2n * rest > divisor || (2n * rest === divisor && quotient % 2n === 1n);
  return Number(isUp ? quotient + 1n : quotient) * 2 ** exponent;
}

/** The ratio over 2^exponent, as quotient and remainder. */
function scaled(numerator: bigint, denominator: bigint, exponent: number) {
  const dividend = numerator << BigInt(Math.max(-exponent, 0));
  const divisor = denominator << BigInt(Math.max(exponent, 0));
  return { quotient: dividend / divisor, rest: dividend % divisor, divisor };
}

function bitsOf(number: bigint): number {
  return number.toString(2).length;
}
