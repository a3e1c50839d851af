// Logarithms as other programs compute them. Sizes in files are rounded from logarithms, so each bit counts. V8's
// logarithm is sometimes wrong in the last place.

const BITS = 160n;
const ONE = 1n << BITS;

/** The natural logarithm of a number above 0, correctly rounded, as in the libraries of C, Rust and Java. */
export function log(x: number): number {
  const exponent = Math.round(Math.log2(x));
  // Scaling by a power of two is exact. There are two steps, because 2^1074 is not a number in floating point.
  const half = Math.trunc(exponent / 2);
  const mantissa = fixed(x * 2 ** -half * 2 ** (half - exponent));
  const sum = BigInt(exponent) * logOf(2n * ONE) + logOf(mantissa);
  return Number(sum) / Number(ONE);
}

/** A number around 1 in fixed point. */
function fixed(x: number): bigint {
  return (BigInt(x * 2 ** 60) * ONE) >> 60n;
}

/** ln y = 2 artanh((y - 1) / (y + 1)), as a series. */
function logOf(y: bigint): bigint {
  const z = ((y - ONE) * ONE) / (y + ONE);
  const square = (z * z) >> BITS;
  let sum = 0n;
  for (let power = z, i = 1n; power > 1n || power < -1n; power = (power * square) >> BITS, i += 2n) sum += power / i;
  return 2n * sum;
}

const LN_2_HIGH = 0.6931471803691238;
const LN_2_LOW = 1.9082149292705877e-10;
const ODD = [0.6666666666666735, 0.2857142874366239, 0.1818357216161805, 0.14798198605116586] as const;
const EVEN = [0.3999999999940942, 0.22222198432149784, 0.15313837699209373] as const;

/** The natural logarithm of a number above 0 as Go computes it, after log.go, which follows FreeBSD's e_log.c. */
export function goLog(x: number): number {
  let k = Math.floor(Math.log2(x)) + 1;
  let f = x * 2 ** -k;
  if (f < Math.SQRT1_2) [f, k] = [2 * f, k - 1];
  if (f >= 2 * Math.SQRT1_2) [f, k] = [f / 2, k + 1];
  f -= 1;
  const s = f / (2 + f);
  const s2 = s * s;
  const s4 = s2 * s2;
  const odd = s2 * (ODD[0] + s4 * (ODD[1] + s4 * (ODD[2] + s4 * ODD[3])));
  const even = s4 * (EVEN[0] + s4 * (EVEN[1] + s4 * EVEN[2]));
  const half = 0.5 * f * f;
  return k * LN_2_HIGH - (half - (s * (half + (odd + even)) + k * LN_2_LOW) - f);
}
