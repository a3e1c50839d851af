// Reproducible randomness: every test sees the same numbers in every run.

/** Draws 32-bit numbers. */
export type Random = () => number;

/** The generator sfc32 (Doty-Humphrey, PractRand), which is unrelated to the hashes under test. */
export function createRandom(seed: number): Random {
  let [a, b, c, counter] = [seed >>> 0, 0x9e3779b9, 0x243f6a88, 1];
  const next = () => {
    const drawn = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + drawn) | 0;
    return drawn >>> 0;
  };
  for (let i = 0; i < 16; i++) next();
  return next;
}

/** A whole number from 0 to limit - 1. */
export function below(random: Random, limit: number): number {
  return Math.floor((random() / 2 ** 32) * limit);
}

export function randomDigests(random: Random, count: number): BigUint64Array {
  const halves = new Uint32Array(2 * count);
  for (let i = 0; i < halves.length; i++) halves[i] = random();
  return new BigUint64Array(halves.buffer);
}

/** The items in random order. */
export function shuffled<T>(random: Random, items: readonly T[]): T[] {
  const keyed = items.map((item) => ({ item, rank: random() }));
  return keyed.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}
