import { BLOCK_BITS, BLOCKED, blockedItems, blockedRate, chanceFromCode, twinRate, WORDS } from '../sizing/blocked.ts';
import type { Estimate } from '../sizing/cardinality.ts';
import { isSegmentedFinely, LINE_BITS, segmentBytes, segmented } from '../sizing/geometry.ts';
import { wholeSegments } from '../sizing/share.ts';
import { solve } from '../sizing/solve.ts';
import { type FilterKind, type Shape, sum } from './kind.ts';
import { roomForFound, writeParameters } from './parameters.ts';

/** How full a segment is: its ones, and the code of the chance of a stranger. */
interface OnesAndChance {
  readonly ones: number;
  readonly chance: number;
}

/** What the code counts in the table. */
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
export const blocked: FilterKind<OnesAndChance> = {
  id: 2,
  name: 'blocked',
  purpose: 'a little larger than bloom, and faster',
  places: 'bits',
  refuses: false,
  itemsToPlan: (distinct) => distinct,
  abilities: ['add', 'unite'],
  plan: (constraints) => solve(BLOCKED, constraints),
  geometry: (bits, _, segmentBits) => segmented(bits, LINE_BITS, segmentBits),
  dividesFinely: true,
  isShape: (shape) => shape.k === WORDS && isSegmentedFinely(shape),
  attach(kernel, shape, scratch) {
    const { blockedAdd, blockedAddNew, blockedFill, blockedTest, orInto } = kernel.exports;
    const bytes = segmentBytes(shape);
    const places = shape.segmentBits / BLOCK_BITS;
    const parameters = writeParameters(kernel, scratch, { segments: wholeSegments(shape), places });
    const found = roomForFound(kernel, scratch);
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
      unite(segment, from) {
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
  // A stranger falls into each block equally often, and there on one bit in each word, if it is no member's twin.
  rateFromFill(fill, shape) {
    const blocks = shape.segmentBits / BLOCK_BITS;
    const chances = fill.map(({ chance }) => chanceFromCode(chance, blocks));
    return Math.min(1, sum(chances) / shape.segments + twinRate(itemsIn(fill, shape).count, shape.bits / BLOCK_BITS));
  },
  itemsFromFill: itemsIn,
};

function itemsIn(fill: readonly OnesAndChance[], { bits }: Shape): Estimate {
  return blockedItems(sum(fill.map(({ ones }) => ones)), bits);
}
