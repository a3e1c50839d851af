/** A measured rate: the positives among the probes, and the 95 % interval around the rate. */
export interface Measurement {
  readonly probes: number;
  readonly positives: number;
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

/** The normal quantile of a two-sided 95 % interval. */
export const Z95 = 1.959963984540054;

/**
 * The 95 % interval of a proportion after Wilson 1927, "Probable inference, the law of succession, and statistical
 * inference". The interval stays within [0, 1] and is useful for zero positives too. Without probes it is [0, 1].
 */
export function measurement(positives: number, probes: number): Measurement {
  if (probes === 0) return { probes, positives, rate: 0, low: 0, high: 1 };
  const rate = positives / probes;
  const z2 = Z95 ** 2;
  const centre = (rate + z2 / (2 * probes)) / (1 + z2 / probes);
  const half = (Z95 / (1 + z2 / probes)) * Math.sqrt((rate * (1 - rate)) / probes + z2 / (4 * probes ** 2));
  return {
    probes,
    positives,
    rate,
    low: positives === 0 ? 0 : centre - half,
    high: positives === probes ? 1 : centre + half,
  };
}
