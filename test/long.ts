/** Whether the exhaustive runs are wanted, which take minutes: BLOOM_LONG=1, as .ci/run sets it. */
export const IS_LONG = process.env.BLOOM_LONG === '1';

/** What a long run takes, and what suffices by default: a number of rounds, a step, some of the cases. */
export function inLongRuns<T>(long: T, otherwise: T): T {
  return IS_LONG ? long : otherwise;
}

/** Of cases that are much like each other: all of them in long runs, every third by default. */
export function sampled<T>(cases: readonly T[]): readonly T[] {
  return inLongRuns(
    cases,
    cases.filter((_, i) => i % 3 === 0),
  );
}
