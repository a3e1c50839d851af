import { BLOCK_BITS, blockedItems, twinRate, WORD_BITS, WORDS } from '../sizing/blocked.ts';
import type { Estimate } from '../sizing/cardinality.ts';
import { blocked } from './blocked.ts';
import { type Shape, type Structure, sum } from './kind.ts';

/** The fill of an array: its ones, and the sum over its blocks of the product of the ones in their words. */
export interface BlockSums {
  readonly ones: number;
  readonly products: number;
}

const { name, units, refuses, itemsToPlan, plan, predictedRate, occupancy } = blocked;

/** The split-block filter of other systems: one array of blocks, which can only be queried and reported on. */
export const splitBlocks: Structure<BlockSums> = {
  ...{ name, units, refuses, itemsToPlan, plan, predictedRate, occupancy },
  abilities: [],
  details: () => [],
  fillRatio: (fill, { bits }) => onesOf(fill) / bits,
  // A non-member falls into each block equally often, and hits one bit in each word. The rate also counts non-members with the same block
  // and bits as a member.
  rateFromFill(fill, shape) {
    const blocks = shape.bits / BLOCK_BITS;
    const chance = sum(fill.map(({ products }) => products)) / (blocks * WORD_BITS ** WORDS);
    return Math.min(1, chance + twinRate(itemsIn(fill, shape).count, blocks));
  },
  itemsFromFill: itemsIn,
};

function itemsIn(fill: readonly BlockSums[], { bits }: Shape): Estimate {
  return blockedItems(onesOf(fill), bits);
}

function onesOf(fill: readonly BlockSums[]): number {
  return sum(fill.map(({ ones }) => ones));
}
