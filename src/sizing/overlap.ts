// How many keys two sets share, from estimates of the numbers of keys in each of them and in their union.

import { firstWhere, isCompatible } from './bounded-interval.ts';
import { Z95 } from './interval.ts';

/** A value with its 95 % interval. */
export interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Estimated numbers of keys of two sets, and of their union. */
export interface Estimates {
  readonly a: number;
  readonly b: number;
  readonly union: number;
}

/** The variances of such estimates, and the covariances. */
export interface Covariances {
  readonly a: number;
  readonly b: number;
  readonly union: number;
  readonly ab: number;
  readonly aUnion: number;
  readonly bUnion: number;
}

/** The covariances if the sets had these numbers of keys, `both` of them in both. */
export type CovariancesOf = (a: number, b: number, both: number) => Covariances;

/** How two sets overlap. */
export interface Overlap {
  readonly a: Interval;
  readonly b: Interval;
  readonly union: Interval;
  readonly both: Interval;
  /** The share of the keys of one set that are in the other set. Undefined if the first set has no keys. */
  readonly aInB: Interval | undefined;
  readonly bInA: Interval | undefined;
  /** The share of the keys of the union that are in both sets. Undefined if there are none. */
  readonly jaccard: Interval | undefined;
}

/** Two of several sets, by their numbers, and how they overlap. */
export interface ComparedPair {
  readonly first: number;
  readonly second: number;
  readonly overlap: Overlap;
}

/** The pairs of `count` sets. */
export function* pairsOf(count: number): Generator<readonly [first: number, second: number]> {
  for (let first = 0; first < count; first++)
    for (let second = first + 1; second < count; second++) yield [first, second];
}

/**
 * The overlap. The keys in both sets follow by inclusion and exclusion: |A| + |B| - |A union B|. A value belongs to an
 * interval if the estimate is compatible with it, where the variance is that of the value and not that of the estimate.
 */
export function overlapOf(estimates: Estimates, covariancesOf: CovariancesOf): Overlap {
  const { a, b, union } = estimates;
  const both = a + b - union;
  const covariances = covariancesOf(a, b, Math.max(0, both));
  const ranges = {
    a: rangeAround(a, covariances.a),
    b: rangeAround(b, covariances.b),
    union: rangeAround(union, covariances.union),
  };
  /** The values r for which `both - r whole` may be 0. `keysAt` has the numbers of keys for a value. */
  const ratio = (
    whole: number,
    most: number,
    weights: Estimates,
    keysAt: (r: number) => [a: number, b: number, both: number],
  ): Interval => {
    const isPossible = (r: number) => {
      const error = Math.sqrt(Math.max(0, varianceOf(covariancesOf(...keysAt(r)), weights, r)));
      return isCompatible(both, r * whole, error);
    };
    return inWholeKeys(rangeOf(both / whole, most, isPossible), whole, most);
  };
  const share = (whole: number, ...rest: [weights: Estimates, keysAt: (r: number) => [number, number, number]]) =>
    Math.round(whole) === 0 ? undefined : ratio(whole, 1, ...rest);
  return {
    ...ranges,
    both: ratio(1, Math.min(ranges.a.high, ranges.b.high), NO_KEYS, (c) => [Math.max(a, c), Math.max(b, c), c]),
    aInB: share(a, { ...NO_KEYS, a: 1 }, (r) => [a, Math.max(b, r * a), r * a]),
    bInA: share(b, { ...NO_KEYS, b: 1 }, (r) => [Math.max(a, r * b), b, r * b]),
    jaccard: share(union, { ...NO_KEYS, union: 1 }, (r) => {
      const c = (r / (1 + r)) * (a + b);
      return [Math.max(a, c), Math.max(b, c), c];
    }),
  };
}

const NO_KEYS: Estimates = { a: 0, b: 0, union: 0 };

/** The variance of `both - r whole`, where the weights select what `whole` is. */
function varianceOf({ a, b, union, ab, aUnion, bUnion }: Covariances, whole: Estimates, r: number): number {
  const [x, y, z] = [1 - r * whole.a, 1 - r * whole.b, -1 - r * whole.union];
  return x * x * a + y * y * b + z * z * union + 2 * (x * y * ab + x * z * aUnion + y * z * bUnion);
}

function rangeAround(value: number, variance: number): Interval {
  const margin = Z95 * Math.sqrt(variance);
  return inWholeKeys({ value, low: Math.max(0, value - margin), high: value + margin }, 1, Number.POSITIVE_INFINITY);
}

/** The range with ends of whole numbers of keys. Sets of a few keys have no other numbers. */
function inWholeKeys({ value, low, high }: Interval, whole: number, most: number): Interval {
  const rounded = (share: number) => Math.round(share * whole) / Math.round(whole);
  return { value, low: Math.min(value, rounded(low)), high: Math.max(value, Math.min(most, rounded(high))) };
}

/** The range of possible values from 0 to `most` around an estimate, which may lie outside. */
function rangeOf(estimate: number, most: number, isPossible: (value: number) => boolean): Interval {
  const value = Math.min(most, Math.max(0, estimate));
  return {
    value,
    low: isPossible(0) ? 0 : firstWhere(isPossible, 0, value),
    high: isPossible(most) ? most : most - firstWhere((below) => isPossible(most - below), 0, most - value),
  };
}
