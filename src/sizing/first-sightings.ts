import type { Estimate } from './cardinality.ts';

/** The most steps of the sum over the keys. In one step the rate of a full filter changes by a sixth. */
const STEPS = 512;

/** An unknown number: its mean and its variance. */
export interface Expected {
  readonly mean: number;
  readonly variance: number;
}

/** Keys that were mistaken for known ones: `mistaken`, and possibly `trailing` more. */
export interface Mistaken {
  readonly mistaken: Expected;
  readonly trailing: Expected;
}

/** Bounds of an unknown number. Each bound holds with 99.9 %. `mean` is undefined if it is unknown. */
export interface Range {
  readonly least: number;
  readonly mean: number | undefined;
  readonly most: number;
}

export const NO_RANGE: Range = { least: 0, mean: 0, most: 0 };

/** Standard errors up to a bound, and the relative error of the underlying rates. */
const Z = 3.3;
const TOLERANCE = 0.03;

/**
 * Bounds for how many of `known` seemingly known keys were mistaken for known ones. Each bound holds in 99.9 of 100
 * cases.
 */
export function rangeOfMistaken({ mistaken, trailing }: Mistaken, known: number): Range {
  if (!Number.isFinite(mistaken.mean + mistaken.variance)) return { least: 0, mean: undefined, most: known };
  // A Poisson distribution with a small mean has a longer tail than its standard error suggests.
  const deviation = (variance: number) => Z * Math.sqrt(variance) + TOLERANCE * mistaken.mean;
  const least = Math.max(0, mistaken.mean - deviation(mistaken.variance));
  const most =
    mistaken.mean +
    trailing.mean +
    deviation(mistaken.variance + trailing.variance) +
    (mistaken.mean + trailing.mean > 1e-3 ? 3 : 0);
  return { least: Math.min(known, least), mean: Math.min(known, mistaken.mean), most: Math.min(known, most) };
}

/**
 * The keys that came since a filter held `held`, from its ones then and now. If all its bits are ones, the number is
 * unknown.
 */
export function cameSince({ count, error, isFloor }: Estimate, held: Estimate): Expected {
  const variance = isFloor ? Number.POSITIVE_INFINITY : error ** 2 + held.error ** 2;
  return { mean: Math.max(0, count - held.count), variance };
}

/**
 * An upper bound of the keys that filters mistook for known ones while they got `keys` keys: their rate was never above the
 * present rate. At a high rate nothing is known, because no count has the keys that a full filter mistook for known ones.
 */
export function mistakenBefore(rate: number, keys: number): Expected {
  const { mean, variance } = mistakenForEach(rate < HIGH ? rate : 1);
  return keys === 0 ? NOTHING : { mean: keys * mean, variance: keys * variance };
}

/** The ones of a filter tell more than the keys that were new to it if its rate is at least this. */
const HIGH = 0.1;

/**
 * If a smaller share of the keys reaches a filter, its count says nothing about the keys that other filters kept from
 * it.
 */
const LEAST_SHARE = 0.2;

/**
 * The keys that were mistaken for known ones while a filter got `firsts` keys. `came` is the number of keys that came, from its
 * ones; the other filters let the share `missed` pass. Undefined for a low rate.
 */
export function mistakenByFill(rate: number, came: Expected, missed: number, firsts: number): Expected | undefined {
  if (rate < HIGH) return undefined;
  const { mean, variance } = came;
  if (missed < LEAST_SHARE || !Number.isFinite(mean)) return mistakenForEach(1);
  const all = mean / missed;
  return { mean: Math.max(0, all - firsts), variance: variance / missed ** 2 + (all * (1 - missed)) / missed };
}

export const NOTHING: Expected = { mean: 0, variance: 0 };

/** The sum of two independent numbers. */
export function together(one: Expected, other: Expected): Expected {
  return { mean: one.mean + other.mean, variance: one.variance + other.variance };
}

/**
 * The number of new keys that a filter mistakes for known ones while it gets `firsts` other keys, if it begins with `held`
 * keys. `rateAt` gives its rate after a number of keys. After N keys, the share f(N) of the next keys is taken for
 * known. So d keys that are not mistaken for known ones come with d f / (1 - f) keys that are. N includes both.
 */
export function mistakenForKnown(rateAt: (keys: number) => number, held: number, firsts: number): Expected {
  const steps = Math.min(STEPS, firsts);
  const step = firsts / steps;
  let mistaken = NOTHING;
  for (let i = 0; i < steps; i++) {
    const { mean, variance } = mistakenForEach(rateAt(held + (i + 0.5) * step + mistaken.mean));
    mistaken = together(mistaken, { mean: step * mean, variance: step * variance });
  }
  return mistaken;
}

/**
 * The number of new keys that a filter of this rate takes for known before each key that it does not: a geometric
 * distribution. As many keys may have come after the last key that it got.
 */
export function mistakenForEach(rate: number): Expected {
  if (rate >= 1) return { mean: Number.POSITIVE_INFINITY, variance: Number.POSITIVE_INFINITY };
  return { mean: rate / (1 - rate), variance: rate / (1 - rate) ** 2 };
}
