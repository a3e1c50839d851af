/** Whether to run the exhaustive tests, which take minutes: BLOOM_LONG=1, as .ci/run sets it. */
export const IS_LONG = process.env.BLOOM_LONG === '1';

/** The value for a long run, or the one that suffices by default: a number of rounds, a step, or some of the cases. */
export function inLongRuns<T>(long: T, otherwise: T): T {
  return IS_LONG ? long : otherwise;
}

/** All of some similar cases in long runs, and every third by default. */
export function sampled<T>(cases: readonly T[]): readonly T[] {
  return inLongRuns(
    cases,
    cases.filter((_, i) => i % 3 === 0),
  );
}
