/** The rate of a filter with more keys than it was sized for. */
export interface Overfill {
  readonly factor: number;
  readonly keys: number;
  /** Undefined if this many keys do not fit. */
  readonly predictedFpr: number | undefined;
}

const FACTORS = [1, 1.5, 2, 3, 5, 10] as const;

/**
 * Rates of a filter that was sized for n keys and holds 1 to 10 times as many. `rateOf` gives the rate for a number of
 * keys.
 */
export function overfill(items: number, rateOf: (items: number) => number | undefined): Overfill[] {
  return FACTORS.map((factor) => {
    const keys = Math.round(items * factor);
    return { factor, keys, predictedFpr: rateOf(keys) };
  });
}
