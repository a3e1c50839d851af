// The arithmetic of scalable Bloom filters (Almeida, Baquero, Preguiça & Hutchison 2007, "Scalable Bloom filters").
// Slices have the rates p_i = p_0 r^i. Their sum stays below p = p_0 / (1 - r) for any number of slices.

import { asymptoticRate, BLOOM, bitsForK, capacityFor, kFor, roughRateOfShares } from './bloom.ts';
import { type Estimate, sumEstimates } from './cardinality.ts';
import { type Chain, SLICES_LIMIT, type Slice } from './chain.ts';
import { equalDigestRate } from './equal-digests.ts';
import { type Geometry, SEGMENT_BITS_LIMIT, segmented } from './geometry.ts';
import { greatestThat } from './search.ts';
import type { Arithmetic } from './solve.ts';

export const DEFAULT_GROWTH = 2;
export const DEFAULT_TIGHTENING = 0.85;

/** Bits of the first slice if the number of keys is unknown: 512 KiB. */
export const FIRST_BITS = 2 ** 22;

/** The shares of the keys would differ too much between smaller segments. */
export const LEAST_SEGMENT_BITS = 2 ** 14;

/** The rate of slice `index`, counted from 0. */
function sliceRate({ fpr, tightening }: Pick<Chain, 'fpr' | 'tightening'>, index: number): number {
  return fpr * (1 - tightening) * tightening ** index;
}

/** The capacity of a slice in keys. */
function sliceCapacity(chain: Chain, index: number, segmentBits: number): number {
  const { segments, k } = chain.slices[index] ?? { segments: 0, k: 1 };
  return capacityFor(segments * segmentBits, sliceRate(chain, index), k);
}

/** The number of distinct keys that are added until all slices are full. */
export function chainCapacity(chain: Chain, segmentBits: number): number {
  const rates = chain.slices.map((_, index) => sliceRate(chain, index));
  const keys = newcomers(chain.slices, rates).map((share, index) => sliceCapacity(chain, index, segmentBits) / share);
  return Math.floor(keys.reduce((all, some) => all + some, 0));
}

/**
 * The share of new keys that reaches each slice, for slices with these rates. The other keys seem to be in a slice
 * before, so they are not added; those slices are full by then. While slice i is the last, the share (1 - f_1) ... (1 -
 * f_(i-1)) reaches it. A slice with fewer hash functions than the slice before is the first slice of another filter,
 * which was merged. The slices before it kept no keys from it.
 */
function newcomers(slices: readonly Slice[], rates: readonly number[]): number[] {
  let missed = 1;
  return slices.map(({ k }, index) => {
    if (k < (slices[index - 1]?.k ?? 0)) missed = 1;
    const share = missed;
    missed *= 1 - (rates[index] ?? 0);
    return share;
  });
}

/**
 * The number of distinct keys that came to a filter, from the keys that reached its slices and the rates of these
 * slices. Keys that only their own slice wrongly contained are included: they set no further bits there. If D keys
 * come, D s of them reach a slice with the share s, with a standard error of sqrt(D s (1 - s)).
 */
export function keysGoneBy(slices: readonly Slice[], rates: readonly number[], arrived: readonly Estimate[]): Estimate {
  const shares = newcomers(slices, rates);
  return sumEstimates(
    arrived.map((estimate, index) => {
      const share = shares[index] ?? 1;
      const error = Math.sqrt(estimate.error ** 2 + estimate.count * (1 - share));
      return { ...estimate, count: estimate.count / share, error: error / share };
    }),
  );
}

/** The chain with one more slice; undefined if it has the most slices already. */
export function lengthened(chain: Chain): Chain | undefined {
  if (chain.slices.length === SLICES_LIMIT) return undefined;
  const k = kFor(sliceRate(chain, chain.slices.length));
  const segments = chain.growth * Math.max(...chain.slices.map((slice) => slice.segments));
  return { ...chain, slices: [...chain.slices, { segments, k }] };
}

/**
 * A first slice that is not small has several segments. Then a later, nearly empty slice can be cut to a fraction of
 * its segments.
 */
const FEW_SEGMENTS = 8;
const WHOLE_SEGMENT_BITS = 2 ** 18;

/** The segments of a first slice of at least `bits` bits. Their number is a power of two. */
export function firstGeometry(bits: number): Geometry {
  const needed = Math.max(bits, LEAST_SEGMENT_BITS);
  const least = 2 ** Math.ceil(Math.log2(needed / SEGMENT_BITS_LIMIT));
  const most = 2 ** Math.floor(Math.log2(needed / WHOLE_SEGMENT_BITS));
  const segments = Math.max(1, least, Math.min(FEW_SEGMENTS, most));
  const { segmentBits } = segmented(needed / segments);
  return { segments, segmentBits, bits: segments * segmentBits };
}

/** The capacity of the last slice in keys. */
export function lastCapacity(chain: Chain, segmentBits: number): number {
  return sliceCapacity(chain, chain.slices.length - 1, segmentBits);
}

/**
 * The highest rate of the last slice, given the rates of the slices before. It is the slice's own rate, or less if the
 * other slices exceeded their rates by chance. Then all s slices together still have p (1 - r^s). Slices of merged
 * filters may have more, and do not lower this limit.
 */
export function lastLimit(chain: Chain, before: readonly number[]): number {
  const index = chain.slices.length - 1;
  const own = sliceRate(chain, index);
  const left = chain.fpr * (1 - chain.tightening ** (index + 1)) - before.reduce((sum, rate) => sum + rate, 0);
  return left > own / 2 ? Math.min(left, own) : own;
}

/** The free capacity of a slice. Its equal parts get their keys in visits, so some parts are fuller than others. */
export interface FreeInSlice {
  /**
   * How many of `wanted` keys a part can add before the slice reaches its rate limit. The rate of a slice is the mean
   * of the rates of its parts.
   */
  of(part: number, wanted: number): number;
  /** Notes that a part got `added` keys. */
  note(part: number, added: number): void;
}

/** The tolerance for the rounding of a rate at its limit. */
const ROUNDING = 1 + 1e-12;

/** The free capacity of a slice up to a rate, for parts that hold these numbers of keys. */
export function freeInSlice(limit: number, part: Geometry, k: number, keys: readonly number[]): FreeInSlice {
  const held = Float64Array.from(keys);
  const rateOf = (items: number) => rateOfPart(items, part, k);
  const rates = held.map(rateOf);
  let together = rates.reduce((sum, rate) => sum + rate, 0);
  return {
    of(index, wanted) {
      const has = held[index] ?? 0;
      const others = held.length === 1 ? 0 : together - (rates[index] ?? 0);
      const left = (limit * held.length - others) * ROUNDING;
      const fits = (added: number) => rateOf(has + added) <= left;
      return fits(wanted) ? wanted : greatestThat(fits);
    },
    note(index, added) {
      held[index] = (held[index] ?? 0) + added;
      const rate = rateOf(held[index]);
      together += rate - (rates[index] ?? 0);
      rates[index] = rate;
    },
  };
}

/** The expected rate of a part of a slice. Some small segments get many more keys than others by chance. */
function rateOfPart(items: number, part: Geometry, k: number): number {
  if (part.segmentBits >= WHOLE_SEGMENT_BITS) return asymptoticRate(items, part.bits, k);
  return roughRateOfShares(items, part, (share) => asymptoticRate(share, part.segmentBits, k));
}

/** The number of keys whose bits give this rate for non-members, equal digests aside; infinite if all bits are set. */
export function keysAtRate(rate: number, bits: number, k: number): number {
  return (-bits * Math.log1p(-(rate ** (1 / k)))) / k;
}

/** The bits that the last slice needs for `keys` keys. */
export function lastBits(chain: Chain, keys: number): number {
  const last = chain.slices.length - 1;
  return bitsForK(keys, sliceRate(chain, last), chain.slices[last]?.k ?? 1);
}

/**
 * Halves the segments of the last slice as often as its rate stays below the limit. `keys` has the number of keys in
 * each segment.
 */
export function halved(chain: Chain, segmentBits: number, limit: number, keys: readonly number[]): Chain {
  const { slices } = chain;
  const last = slices.at(-1);
  if (last === undefined || last.segments === 1) return chain;
  const smaller: Chain = { ...chain, slices: [...slices.slice(0, -1), { ...last, segments: last.segments / 2 }] };
  const pairs = Array.from({ length: last.segments / 2 }, (_, i) => (keys[2 * i] ?? 0) + (keys[2 * i + 1] ?? 0));
  const rate = pairs.reduce((sum, held) => sum + asymptoticRate(held, segmentBits, last.k), 0) / pairs.length;
  return rate > limit ? chain : halved(smaller, segmentBits, limit, pairs);
}

/** The expected rate of all slices together after n keys. A slice is added whenever the last slice is full. */
export function grownRate(items: number, first: Chain, segmentBits: number): number {
  let chain = first;
  // The logarithm of the chance that a non-member is in none of the slices. It keeps rates far below 2^-53.
  let none = 0;
  for (let [index, left] = [0, items]; ; index++) {
    const missed = Math.exp(none);
    const { segments, k } = chain.slices[index] ?? { segments: 1, k: 1 };
    const longer = index < chain.slices.length - 1 ? chain : lengthened(chain);
    // Keys that seem to be in an earlier slice reach no slice.
    const arriving = left * missed;
    const capacity = longer === undefined ? arriving : sliceCapacity(chain, index, segmentBits);
    const held = Math.min(arriving, capacity);
    left -= held / missed;
    none += Math.log1p(-Math.min(1, asymptoticRate(held, segments * segmentBits, k) + equalDigestRate(held)));
    if (arriving <= capacity || longer === undefined) return -Math.expm1(none);
    chain = longer;
  }
}

/** The arithmetic of a first slice, which has the rate p (1 - r). Its `rate` returns p. */
export function scalableArithmetic(tightening: number): Arithmetic {
  const first = (fpr: number) => sliceRate({ fpr, tightening }, 0);
  const kForRate = (fpr: number) => kFor(first(fpr));
  return {
    bits: (items, fpr, k = kForRate(fpr)) => bitsForK(items, first(fpr), k),
    items: (bits, fpr, k = kForRate(fpr)) => capacityFor(bits, first(fpr), k),
    kForRate,
    kForLoad: BLOOM.kForLoad,
    rate: (items, bits, k) => Math.min(1, BLOOM.rate(items, bits, k) / (1 - tightening)),
  };
}
