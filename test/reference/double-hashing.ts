// The false-positive rate of filters of few bits, from all possible keys. Their positions are (a + i b) mod m.

/** The exact rate of m bits (at most 30) with n keys of k positions, over all pairs (a, b). */
export function exactRate(items: number, bits: number, k: number): number {
  const keys: number[] = [];
  for (let a = 0; a < bits; a++) {
    for (let b = 0; b < bits; b++) {
      let mask = 0;
      for (let i = 0; i < k; i++) mask |= 1 << ((a + i * b) % bits);
      keys.push(mask);
    }
  }
  let filters = new Map([[0, 1]]);
  for (let n = 0; n < items; n++) {
    const next = new Map<number, number>();
    for (const [ones, chance] of filters)
      for (const key of keys) next.set(ones | key, (next.get(ones | key) ?? 0) + chance / keys.length);
    filters = next;
  }
  let rate = 0;
  for (const [ones, chance] of filters)
    rate += (chance * keys.filter((key) => (key & ~ones) === 0).length) / keys.length;
  return rate;
}
