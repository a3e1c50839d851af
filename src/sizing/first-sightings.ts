/** Steps in which keys are added up, at most: the rate of a full filter changes by a sixth in one. */
const STEPS = 512;

/**
 * The expected number of new keys that a filter takes for known ones while it gets `firsts` others, beginning with `held`; `rateAt`
 * is its rate once so many keys went by. Of N keys that go by, f(N) of the next are taken for known and 1 - f(N) are not: so d
 * keys that are not are accompanied by d f / (1 - f) that are, and these go by as well.
 */
export function expectedTakenForKnown(rateAt: (keys: number) => number, held: number, firsts: number): number {
  const steps = Math.min(STEPS, firsts);
  const step = firsts / steps;
  let taken = 0;
  for (let i = 0; i < steps; i++) taken += step * takenForEach(rateAt(held + (i + 0.5) * step + taken));
  return taken;
}

/**
 * The expected number of new keys that a filter of a rate takes for known ones for each that it does not: so many may have come
 * behind the last one that it got, if any came.
 */
export function takenForEach(rate: number): number {
  return rate >= 1 ? Number.POSITIVE_INFINITY : rate / (1 - rate);
}
