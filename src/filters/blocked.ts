import { BLOCK_BITS, BLOCKED, blockedItems, blockedRate, chanceFromCode, twinRate, WORDS } from '../sizing/blocked.ts';
import type { Estimate } from '../sizing/cardinality.ts';
import { isSegmentedFinely, LINE_BITS, segmentBytes, segmented } from '../sizing/geometry.ts';
import { wholeSegments } from '../sizing/share.ts';
import { solve } from '../sizing/solve.ts';
import { spreadOfBlocks } from '../sizing/zeros.ts';
import { type FilterKind, type Shape, sum } from './kind.ts';
import { foundScratch, writeParameters } from './parameters.ts';

/** The fill of a segment: its ones, and the code of the chance that a non-member is a false positive there. */
interface OnesAndChance {
  readonly ones: number;
  readonly chance: number;
}

/** The unit of the code in the table. */
const CHANCE_UNIT = 2 ** 32;

/**
 * The split-block Bloom filter (Putze, Sanders & Singler 2007), as in Apache Parquet.
 *
 * Idea: a key sets one bit in each of the 8 words of one 256-bit block. A query costs one cache miss and two vector instructions. With
 * XXH64 and seed 0, the payload is the bitset of a Parquet filter.
 * Invariant: bits are only ever set, as in a Bloom filter.
 * Limits: blocks differ in their load, which costs bits: about 9 % at 1 %, and more at lower rates. Within its block, a key is identified
 * by 32 bits, so at rates of 1e-10 and below, nearly every key needs a block to itself.
 */
export const blocked: FilterKind<OnesAndChance> = {
  id: 2,
  name: 'blocked',
  purpose: 'a little larger than bloom, and faster',
  units: 'bits',
  refuses: false,
  itemsToPlan: (distinct) => distinct,
  abilities: ['add', 'union'],
  plan: (constraints) => solve(BLOCKED, constraints),
  geometry: (bits, _, segmentBits) => segmented(bits, LINE_BITS, segmentBits),
  dividesFinely: true,
  isShape: (shape) => shape.k === WORDS && isSegmentedFinely(shape),
  attach(kernel, shape, scratch) {
    const { blockedAdd, blockedAddNew, blockedFill, blockedTest, orInto } = kernel.exports;
    const bytes = segmentBytes(shape);
    const units = shape.segmentBits / BLOCK_BITS;
    const parameters = writeParameters(kernel, scratch, { segments: wholeSegments(shape), units });
    const found = foundScratch(kernel, scratch);
    return {
      add(segment, digests, count) {
        blockedAdd(segment, digests, count, parameters);
        return 0;
      },
      addNew(segment, digests, count, known) {
        blockedAddNew(segment, digests, count, known, parameters);
        return count;
      },
      test: (segment, digests, count, hits) => blockedTest(segment, digests, count, hits, parameters),
      mergeFrom(segment, from) {
        orInto(segment, from, bytes);
        return 0;
      },
      fill(segment) {
        blockedFill(segment, parameters, found.address);
        const [ones = 0, chance = 0] = found.values;
        return { ones, chance };
      },
    };
  },
  packFill: ({ ones, chance }) => ones + CHANCE_UNIT * chance,
  unpackFill: (packed) => ({ ones: packed % CHANCE_UNIT, chance: Math.floor(packed / CHANCE_UNIT) }),
  predictedRate: (items, { bits }) => blockedRate(items, bits),
  fillRatio: (fill, { bits }) => sum(fill.map(({ ones }) => ones)) / bits,
  details: () => [],
  // A non-member falls into each block equally often, and hits one bit in each word. The rate also counts non-members with the same block
  // and bits as a member.
  rateFromFill(fill, shape) {
    const blocks = shape.segmentBits / BLOCK_BITS;
    const chances = fill.map(({ chance }) => chanceFromCode(chance, blocks));
    return Math.min(1, sum(chances) / shape.segments + twinRate(itemsIn(fill, shape).count, shape.bits / BLOCK_BITS));
  },
  itemsFromFill: itemsIn,
  occupancy: ({ bits }) => ({ units: bits, hashes: WORDS, pools: 1, spread: spreadOfBlocks }),
};

function itemsIn(fill: readonly OnesAndChance[], { bits }: Shape): Estimate {
  return blockedItems(sum(fill.map(({ ones }) => ones)), bits);
}
