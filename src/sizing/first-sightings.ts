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
  for (let i = 0; i < steps; i++) {
    const rate = rateAt(held + (i + 0.5) * step + taken);
    if (rate >= 1) return Number.POSITIVE_INFINITY;
    taken += (step * rate) / (1 - rate);
  }
  return taken;
}
