import { BLOCK_BITS, BLOCKED, blockedItems, blockedRate, WORDS } from '../sizing/blocked.ts';
import { segmentBytes, segmented } from '../sizing/geometry.ts';
import { solve } from '../sizing/solve.ts';
import { type FilterKind, sum } from './kind.ts';

/**
 * The split-block Bloom filter (Putze, Sanders & Singler 2007), as Apache Parquet has it.
 *
 * Idea: a key sets one bit in each of the 8 words of one block of 256 bits, so that it costs one miss of the cache and
 * two vector instructions. With XXH64 and seed 0 the payload is the bitset of a Parquet filter.
 * Invariant: as of a Bloom filter, bits are only ever set.
 * Limits: blocks differ in their load, which costs bits: some 9 % at 1 %, and more at lower rates.
 */
export const blocked: FilterKind = {
  id: 2,
  name: 'blocked',
  purpose: 'a little larger, and faster',
  places: 'bits',
  refuses: false,
  room: (distinct) => distinct,
  abilities: ['add', 'merge'],
  plan: (wish) => solve(BLOCKED, wish),
  geometry: (bits) => segmented(bits),
  isShape: ({ hashes }) => hashes === WORDS,
  attach(kernel, shape) {
    const { segments, segmentBits } = shape;
    const bytes = segmentBytes(shape);
    const blocks = segmentBits / BLOCK_BITS;
    const add = kernel.entry('blockedAdd');
    const test = kernel.entry('blockedTest');
    return {
      add: (segment, digests, count) => add(segment, segments, blocks, digests, count),
      test: (segment, digests, count, hits) => test(segment, segments, blocks, digests, count, hits),
      unite(segment, from) {
        kernel.run.orInto(segment, from, bytes);
        return 0;
      },
      fill: (segment) => Number(kernel.run.popcount(segment, bytes)),
    };
  },
  predictedRate: (items, { bits }) => blockedRate(items, bits),
  fillRatio: (ones, { bits }) => sum(ones) / bits,
  details: () => [],
  // The rate of the distinct keys that the ones tell of.
  rateFromFill: (ones, { bits }) => blockedRate(Math.round(blockedItems(sum(ones), bits).count), bits),
  itemsFromFill: (ones, { bits }) => blockedItems(sum(ones), bits),
};
