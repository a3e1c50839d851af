// Numbers of keys from the zeros of filters in which keys fill units (bits or counters), and of the OR of such filters.
//
// If k n balls fall on m units, the share of zeros is about e^-t with the load t = k n / m. So the numbers of keys of A, of B
// and of their union follow from their zeros, and the number in both by inclusion and exclusion (Swamidass & Baldi 2007;
// Papapetrou, Siberski & Nejdl 2010, "Cardinality estimation and dynamic length adaptation for Bloom filters").
//
// The estimates of two sets of keys depend on each other through their common keys alone. Let Z and Y be the zeros of sets
// whose common keys have the load s. Two different units are both zero with the chance (1 - 2/m)^(m s) of the common balls,
// instead of (1 - 1/m)^(2 m s), and one unit with (1 - 1/m)^(m s). It follows that
//   Cov(ln Z, ln Y) = (e^s - 1 - s) / m.
// With Z = Y this is the variance of linear counting (Whang et al. 1990). Of the three sets here, A has the keys of A in
// common with the union, and B those of B.

import { WORD_BITS, WORDS } from './blocked.ts';
import type { Covariances } from './overlap.ts';

/** m Cov(ln Z, ln Y) of sets whose common keys have this load. */
export type Spread = (load: number) => number;

/** The spread if a position is anywhere in the filter or in its segment. */
export const spreadOfBits: Spread = (load) => Math.expm1(load) - load;

/**
 * The spread if a key has one position in each word of a block. Blocks have different numbers of keys, so the zeros of
 * two words of a block depend on each other too. With q = 31/32, a unit is zero with the chance q per common key, two
 * units of a word with 30/32, and units of two words with q^2. The sum over all pairs of a block, for Poisson loads with
 * a fixed sum, is e^s - 1 + 224 (e^(s/32) - 1) - 8 s.
 */
export const spreadOfBlocks: Spread = (load) =>
  Math.expm1(load) + WORD_BITS * (WORDS - 1) * Math.expm1(load / WORD_BITS) - WORDS * load;

/** The units of a filter and how keys fill them. */
export interface Occupancy {
  readonly units: number;
  readonly hashes: number;
  readonly spread: Spread;
  /** Equal pools of units, whose zeros are counted apart: segments, if all units of a key are in one segment. */
  readonly pools: number;
}

/**
 * The load of a pool from its ones. The estimate -ln z has the bias of half its variance, which would add up over many
 * pools. Infinite if there are no zeros.
 */
export function loadFrom(ones: number, { units, pools, spread }: Occupancy): number {
  const load = -Math.log1p((-ones * pools) / units);
  return Number.isFinite(load) ? load - (spread(load) * pools) / (2 * units) : load;
}

/** The number of keys that give a load. */
export function keysOfLoad(load: number, { units, hashes }: Pick<Occupancy, 'units' | 'hashes'>): number {
  return Math.max(0, (load * units) / hashes);
}

/** The covariances of the numbers of keys that follow from zeros. */
export function covariancesOfZeros({ units, hashes, spread }: Occupancy) {
  const common = (keys: number) => (units / hashes ** 2) * spread((hashes * keys) / units);
  return (a: number, b: number, both: number): Covariances => {
    const [ofA, ofB] = [common(a), common(b)];
    return { a: ofA, b: ofB, union: common(a + b - both), ab: common(both), aUnion: ofA, bUnion: ofB };
  };
}
