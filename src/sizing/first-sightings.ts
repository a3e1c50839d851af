import type { Estimate } from './cardinality.ts';

/** Steps in which keys are added up, at most: the rate of a full filter changes by a sixth in one. */
const STEPS = 512;

/** A number that is not known: its mean and its variance. */
export interface Expected {
  readonly mean: number;
  readonly variance: number;
}

/** Keys that were taken for known, and those that may have been besides. */
export interface Taken {
  readonly taken: Expected;
  readonly behind: Expected;
}

/** What can be said of a number: it is between two, with 99.9 % for each of them, and has a mean, if that is known. */
export interface Range {
  readonly least: number;
  readonly mean: number | undefined;
  readonly most: number;
}

export const NO_RANGE: Range = { least: 0, mean: 0, most: 0 };

/** Standard errors of an end, and what the rates that it is made of may be off by themselves. */
const Z = 3.3;
const TOLERANCE = 0.03;

/** How many keys were taken for known, of `known` that seem to be: each end holds in 99.9 of 100 cases. */
export function rangeOfTaken({ taken, behind }: Taken, known: number): Range {
  if (!Number.isFinite(taken.mean + taken.variance)) return { least: 0, mean: undefined, most: known };
  // A Poisson distribution of few has a longer tail than its standard error says.
  const deviation = (variance: number) => Z * Math.sqrt(variance) + TOLERANCE * taken.mean;
  const least = Math.max(0, taken.mean - deviation(taken.variance));
  const most =
    taken.mean + behind.mean + deviation(taken.variance + behind.variance) + (taken.mean + behind.mean > 1e-3 ? 3 : 0);
  return { least: Math.min(known, least), mean: Math.min(known, taken.mean), most: Math.min(known, most) };
}

/** The keys that came since a filter held some, by its ones then and now. One whose bits are all ones says nothing of how many. */
export function cameSince({ count, error, isFloor }: Estimate, held: Estimate): Expected {
  const variance = isFloor ? Number.POSITIVE_INFINITY : error ** 2 + held.error ** 2;
  return { mean: Math.max(0, count - held.count), variance };
}

/**
 * The keys that filters took for known while they got `keys`, at most: their rate was never above that of now. Nothing is known from a
 * high rate on, as keys that a full filter took for known are in no count.
 */
export function takenBefore(rate: number, keys: number): Expected {
  const { mean, variance } = takenForEach(rate < HIGH ? rate : 1);
  return keys === 0 ? NOTHING : { mean: keys * mean, variance: keys * variance };
}

/** From this rate on more is known from the ones of a filter than from the keys that were new to it. */
const HIGH = 0.1;

/** Of so few keys that come to a filter nothing follows for those that other filters kept from it. */
const LEAST_SHARE = 0.2;

/**
 * The keys that were taken for known while a filter got `firsts`. Of the keys that came, `came` by its ones, other filters let the share
 * `missed` pass. Undefined for a low rate.
 */
export function takenByFill(rate: number, came: Expected, missed: number, firsts: number): Expected | undefined {
  if (rate < HIGH) return undefined;
  const { mean, variance } = came;
  if (missed < LEAST_SHARE || !Number.isFinite(mean)) return takenForEach(1);
  const all = mean / missed;
  return { mean: Math.max(0, all - firsts), variance: variance / missed ** 2 + (all * (1 - missed)) / missed };
}

export const NOTHING: Expected = { mean: 0, variance: 0 };

/** The sum of numbers that are independent. */
export function together(one: Expected, other: Expected): Expected {
  return { mean: one.mean + other.mean, variance: one.variance + other.variance };
}

/**
 * The number of new keys that a filter takes for known ones while it gets `firsts` others, beginning with `held`; `rateAt`
 * is its rate once so many keys went by. Of N keys that go by, f(N) of the next are taken for known and 1 - f(N) are not: so d
 * keys that are not are accompanied by d f / (1 - f) that are, and these go by as well.
 */
export function takenForKnown(rateAt: (keys: number) => number, held: number, firsts: number): Expected {
  const steps = Math.min(STEPS, firsts);
  const step = firsts / steps;
  let taken = NOTHING;
  for (let i = 0; i < steps; i++) {
    const { mean, variance } = takenForEach(rateAt(held + (i + 0.5) * step + taken.mean));
    taken = together(taken, { mean: step * mean, variance: step * variance });
  }
  return taken;
}

/**
 * The number of new keys that a filter of a rate takes for known ones before each that it does not: a geometric distribution. As many
 * may have come behind the last one that it got, if any came.
 */
export function takenForEach(rate: number): Expected {
  if (rate >= 1) return { mean: Number.POSITIVE_INFINITY, variance: Number.POSITIVE_INFINITY };
  return { mean: rate / (1 - rate), variance: rate / (1 - rate) ** 2 };
}
