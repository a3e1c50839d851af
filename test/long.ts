/** Whether the exhaustive runs are wanted, which take minutes: BLOOM_LONG=1, as .ci/run sets it. */
export const IS_LONG = process.env.BLOOM_LONG === '1';

/** What a long run takes, and what suffices by default: a number of rounds, a step, some of the cases. */
export function inLongRuns<T>(long: T, otherwise: T): T {
  return IS_LONG ? long : otherwise;
}
