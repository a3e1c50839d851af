// The arithmetic of scalable Bloom filters (Almeida, Baquero, Preguiça & Hutchison 2007, "Scalable Bloom filters"):
// slices with rates p_i = p_0 r^i, whose sum stays below p = p_0 / (1 - r) however many there are.

import { asymptoticRate, BLOOM, bitsForK, capacityFor, equalDigestRate, kFor, rateOfShares } from './bloom.ts';
import { type Estimate, sumEstimates } from './cardinality.ts';
import { type Chain, SLICES_LIMIT, type Slice } from './chain.ts';
import { type Geometry, SEGMENT_BITS_LIMIT, segmented } from './geometry.ts';
import { greatestThat } from './search.ts';
import type { Arithmetic } from './solve.ts';

export const DEFAULT_GROWTH = 2;
export const DEFAULT_TIGHTENING = 0.85;

/** Bits of the first slice where nobody knows how many keys there will be: 512 KiB. */
export const FIRST_BITS = 2 ** 22;

/** Smaller segments differ too much in their share of the keys. */
export const LEAST_SEGMENT_BITS = 2 ** 14;

/** Rate of a slice, counted from 0. */
function sliceRate({ fpr, tightening }: Pick<Chain, 'fpr' | 'tightening'>, index: number): number {
  return fpr * (1 - tightening) * tightening ** index;
}

/** Keys that a slice takes. */
function sliceCapacity(chain: Chain, index: number, segmentBits: number): number {
  const { segments, k } = chain.slices[index] ?? { segments: 0, k: 1 };
  return capacityFor(segments * segmentBits, sliceRate(chain, index), k);
}

/** Keys that go by until all slices are full. */
export function chainCapacity(chain: Chain, segmentBits: number): number {
  const rates = chain.slices.map((_, index) => sliceRate(chain, index));
  const keys = newcomers(chain.slices, rates).map((share, index) => sliceCapacity(chain, index, segmentBits) / share);
  return Math.floor(keys.reduce((all, some) => all + some, 0));
}

/**
 * The share of new keys that come to each slice, the slices having these rates. The others seem to be in one of the
 * slices before, which are full by then, and so are not added: of the keys that go by while slice i is the last,
 * (1 - f_1) ... (1 - f_(i-1)) come to it. A slice of fewer hashes than the one before is the first of another filter,
 * which was merged: what is before it has kept no key from it.
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
 * The distinct keys that went by a filter, from those that came to its slices and the rates of these. A key that only
 * its own slice seemed to have is among them, as it sets the bits that it would set there: none. Of D keys that go by,
 * D s come to a slice with a share of s, with a standard error of sqrt(D s (1 - s)).
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

/** The chain with one more slice; undefined if it has as many as there can be. */
export function lengthened(chain: Chain): Chain | undefined {
  if (chain.slices.length === SLICES_LIMIT) return undefined;
  const k = kFor(sliceRate(chain, chain.slices.length));
  const segments = chain.growth * Math.max(...chain.slices.map((slice) => slice.segments));
  return { ...chain, slices: [...chain.slices, { segments, k }] };
}

/**
 * A first slice has some segments if it is not small, so that a later one that is hardly filled can be cut to a part of
 * it.
 */
const FEW_SEGMENTS = 8;
const WHOLE_SEGMENT_BITS = 2 ** 18;

/** The segments of a first slice of at least so many bits: a power of two of them. */
export function firstGeometry(bits: number): Geometry {
  const needed = Math.max(bits, LEAST_SEGMENT_BITS);
  const least = 2 ** Math.ceil(Math.log2(needed / SEGMENT_BITS_LIMIT));
  const most = 2 ** Math.floor(Math.log2(needed / WHOLE_SEGMENT_BITS));
  const segments = Math.max(1, least, Math.min(FEW_SEGMENTS, most));
  const { segmentBits } = segmented(needed / segments);
  return { segments, segmentBits, bits: segments * segmentBits };
}

/** Keys that the last slice takes. */
export function lastCapacity(chain: Chain, segmentBits: number): number {
  return sliceCapacity(chain, chain.slices.length - 1, segmentBits);
}

/**
 * The highest rate of the last slice, given the rates of those before it: its own, or less if these came to more than theirs by
 * chance. Then all slices together still have p (1 - r^s), s of them. Slices of merged filters have more, and take nothing from it.
 */
export function lastLimit(chain: Chain, before: readonly number[]): number {
  const index = chain.slices.length - 1;
  const own = sliceRate(chain, index);
  const left = chain.fpr * (1 - chain.tightening ** (index + 1)) - before.reduce((sum, rate) => sum + rate, 0);
  return left > own / 2 ? Math.min(left, own) : own;
}

/** What a slice has room for, whose equal parts get their keys in visits, so that some of them are fuller than others. */
export interface SliceRoom {
  /** Of keys that are wanted, how many a part takes until the rate of the slice, the mean of the rates of its parts, is at the limit. */
  of(part: number, wanted: number): number;
  /** Notes that a part got so many keys. */
  note(part: number, added: number): void;
}

/** What rounding may do to a rate that is at the limit. */
const ROUNDING = 1 + 1e-12;

/** The room of a slice up to a rate, for parts that have such numbers of keys. */
export function sliceRoom(limit: number, part: Geometry, k: number, keys: readonly number[]): SliceRoom {
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

/** The expected rate of a part of a slice. Of segments that are small some get many more keys than others, by chance. */
function rateOfPart(items: number, part: Geometry, k: number): number {
  if (part.segmentBits >= WHOLE_SEGMENT_BITS) return asymptoticRate(items, part.bits, k);
  return rateOfShares(items, part, (share) => asymptoticRate(share, part.segmentBits, k));
}

/** Keys in bits of which so many are set that a stranger meets ones alone with this rate; infinite if all are. */
export function keysAtRate(rate: number, bits: number, k: number): number {
  return (-bits * Math.log1p(-(rate ** (1 / k)))) / k;
}

/** Bits that the last slice needs for so many keys. */
export function lastBits(chain: Chain, keys: number): number {
  const last = chain.slices.length - 1;
  return bitsForK(keys, sliceRate(chain, last), chain.slices[last]?.k ?? 1);
}

/**
 * The chain whose last slice, with so many keys in each segment, has half as many segments, as often as its rate stays below a
 * limit then.
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

/** The expected rate after n keys, a slice being added whenever the last one is full: that of the slices together. */
export function grownRate(items: number, first: Chain, segmentBits: number): number {
  let chain = first;
  // The logarithm of the chance that a stranger is in none of the slices: rates far below 2^-53 are not lost in it.
  let none = 0;
  for (let [index, left] = [0, items]; ; index++) {
    const missed = Math.exp(none);
    const { segments, k } = chain.slices[index] ?? { segments: 1, k: 1 };
    const longer = index < chain.slices.length - 1 ? chain : lengthened(chain);
    // Those that seem to be in an earlier slice come to none.
    const arriving = left * missed;
    const capacity = longer === undefined ? arriving : sliceCapacity(chain, index, segmentBits);
    const held = Math.min(arriving, capacity);
    left -= held / missed;
    none += Math.log1p(-Math.min(1, asymptoticRate(held, segments * segmentBits, k) + equalDigestRate(held)));
    if (arriving <= capacity || longer === undefined) return -Math.expm1(none);
    chain = longer;
  }
}

/** The arithmetic of a first slice, whose rate is p (1 - r); the rate that it gives is p. */
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
