// The false-positive rate of m bits with n distinct keys and k independent probes per key, in exact rational arithmetic.

/** numerator / denominator as a double; both are above 0 and the quotient is at most 1. */
function quotient(numerator: bigint, denominator: bigint): number {
  // This shift leaves at least 64 significant bits for a quotient of any magnitude.
  const shift = 4 * (denominator.toString(16).length - numerator.toString(16).length) + 68;
  return Number((numerator << BigInt(shift)) / denominator) / 2 ** shift;
}

/** Stirling numbers of the second kind: partitions of `items` things into 0, 1, ... `limit` classes. */
function partitions(items: number, limit: number): bigint[] {
  let row = [1n, ...Array<bigint>(limit).fill(0n)];
  for (let item = 1; item <= items; item++) {
    row = row.map((count, classes) => (classes === 0 ? 0n : BigInt(classes) * count + (row[classes - 1] ?? 0n)));
  }
  return row;
}

/** m (m - 1) ... (m - i + 1). */
function fallingFactorial(m: number, i: number): bigint {
  let product = 1n;
  for (let factor = 0; factor < i; factor++) product *= BigInt(m - factor);
  return product;
}

/**
 * Bose et al. 2008, "On the false-positive rate of Bloom filters", theorem 1: the chance that kn probes hit exactly i
 * bits is S(kn, i) m (m-1) ... (m-i+1) / m^(kn). A non-member's probes then hit only those bits with chance (i/m)^k.
 */
export function boseRate(items: number, bits: number, k: number): number {
  const balls = items * k;
  const sum = partitions(balls, bits).reduce(
    (total, count, i) => total + count * fallingFactorial(bits, i) * BigInt(i) ** BigInt(k),
    0n,
  );
  return quotient(sum, BigInt(bits) ** BigInt(balls + k));
}

function binomial(n: number, k: number): bigint {
  return fallingFactorial(n, k) / fallingFactorial(k, k);
}

/**
 * The same number for large m, by inclusion and exclusion over the j distinct bits that a non-member probes. The chance
 * that all of them are set is the sum over i of (-1)^i C(j, i) (1 - i/m)^(kn).
 */
export function inclusionRate(items: number, bits: number, k: number): number {
  const balls = BigInt(items * k);
  const avoiding = Array.from({ length: k + 1 }, (_, i) => BigInt(bits - i) ** balls);
  const sum = partitions(k, k).reduce((total, count, j) => {
    const allSet = avoiding
      .slice(0, j + 1)
      .reduce((part, power, i) => part + (i % 2 === 0 ? 1n : -1n) * binomial(j, i) * power, 0n);
    return total + count * fallingFactorial(bits, j) * allSet;
  }, 0n);
  return quotient(sum, BigInt(bits) ** (BigInt(k) + balls));
}
