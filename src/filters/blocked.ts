import { BLOCK_BITS, BLOCKED, blockedItems, blockedRate, chanceFromCode, twinRate, WORDS } from '../sizing/blocked.ts';
import type { Estimate } from '../sizing/cardinality.ts';
import { isSegmented, segmentBytes, segmented } from '../sizing/geometry.ts';
import { solve } from '../sizing/solve.ts';
import { type FilterKind, type Shape, sum } from './kind.ts';

/** The fill of a segment: its ones, and in this unit the code of the chance of a stranger. */
const CHANCE_UNIT = 2 ** 32;

/**
 * The split-block Bloom filter (Putze, Sanders & Singler 2007), as Apache Parquet has it.
 *
 * Idea: a key sets one bit in each of the 8 words of one block of 256 bits, so that it costs one miss of the cache and
 * two vector instructions. With XXH64 and seed 0 the payload is the bitset of a Parquet filter.
 * Invariant: as of a Bloom filter, bits are only ever set.
 * Limits: blocks differ in their load, which costs bits: some 9 % at 1 %, and more at lower rates. Within its block a
 * key is told by 32 bits, so that rates of 1e-10 and less take blocks of their own.
 */
export const blocked: FilterKind = {
  id: 2,
  name: 'blocked',
  purpose: 'a little larger, and faster',
  places: 'bits',
  refuses: false,
  itemsToPlan: (distinct) => distinct,
  abilities: ['add', 'merge'],
  plan: (constraints) => solve(BLOCKED, constraints),
  geometry: (bits) => segmented(bits),
  isShape: (shape) => shape.k === WORDS && isSegmented(shape),
  attach(kernel, shape) {
    const { segments, segmentBits } = shape;
    const bytes = segmentBytes(shape);
    const blocks = segmentBits / BLOCK_BITS;
    const add = kernel.entry('blockedAdd');
    const test = kernel.entry('blockedTest');
    const onesOf = kernel.entry('blockedOnes');
    const chanceOf = kernel.entry('blockedChance');
    return {
      add: (segment, digests, count) => add(segment, segments, blocks, digests, count),
      test: (segment, digests, count, hits) => test(segment, segments, blocks, digests, count, hits),
      unite(segment, from) {
        kernel.exports.orInto(segment, from, bytes);
        return 0;
      },
      fill: (segment) => onesOf(segment, blocks) + CHANCE_UNIT * chanceOf(),
    };
  },
  predictedRate: (items, { bits }) => blockedRate(items, bits),
  fillRatio: (fill, { bits }) => sum(fill.map(onesIn)) / bits,
  details: () => [],
  // A stranger falls into each block equally often, and there on one bit in each word, if it is no member's twin.
  rateFromFill(fill, shape) {
    const blocks = shape.segmentBits / BLOCK_BITS;
    const chances = fill.map((of) => chanceFromCode(Math.floor(of / CHANCE_UNIT), blocks));
    return Math.min(1, sum(chances) / shape.segments + twinRate(itemsIn(fill, shape).count, shape.bits / BLOCK_BITS));
  },
  itemsFromFill: itemsIn,
};

function onesIn(fill: number): number {
  return fill % CHANCE_UNIT;
}

function itemsIn(fill: readonly number[], { bits }: Shape): Estimate {
  return blockedItems(sum(fill.map(onesIn)), bits);
}
