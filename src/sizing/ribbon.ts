// The arithmetic of homogeneous ribbon filters (Dillinger & Walzer 2021, "Ribbon filter: practically smaller than Bloom
// and Xor"): k equations per key, with windows of 128 unknowns, or of 256 in filters with protected keys.

import type { StaticSizing } from './static.ts';

const BLOCK_SLOTS = 64;
const HEAD_BITS = 64;
/** More than a window. */
const LEAST_BLOCKS = 3;
const LEAST_WIDE_BLOCKS = 5;

/**
 * Unknowns per key. A system is bad if some equations follow from others. Equations of non-members then follow too, and
 * these keys are false positives. In simulation (windows of 128, 570,000 unknowns) six of a hundred systems were bad
 * with 4 % more unknowns than keys. Nearly half were bad with 3 %, and hardly any with 5 %. A bad system is made anew
 * from mixed keys, but the bad systems that remain must add little to the rate.
 */
function unknowns(columns: number): number {
  return 1.04 + 0.005 * Math.max(0, columns - 9);
}

/**
 * The unknowns per key of a segment may be lower by this margin, because some segments have more than their share of
 * the keys.
 */
const SHARE_MARGIN = 0.01;
const MARGIN_SLOTS = 64;

/** The blocks of a segment; 0 if the size is not that of a ribbon filter. */
export function ribbonBlocks(segmentBits: number, columns: number, least = LEAST_BLOCKS): number {
  const blocks = Math.floor((segmentBits - HEAD_BITS) / (BLOCK_SLOTS * columns));
  return blocks >= least ? blocks : 0;
}

/** The same for windows of 256 unknowns. */
export function wideBlocks(segmentBits: number, columns: number): number {
  return ribbonBlocks(segmentBits, columns, LEAST_WIDE_BLOCKS);
}

/** The bits of a segment with one slot per unknown. */
function bitsOf(slots: number, least: number, columns: number): number {
  return Math.max(least, Math.ceil(slots / BLOCK_SLOTS)) * BLOCK_SLOTS * columns + HEAD_BITS;
}

/** The most keys in so many slots, if `each` unknowns per key suffice. */
function keysIn(slots: number, each: number): number {
  return Math.max(0, Math.floor((slots - MARGIN_SLOTS) / each));
}

export const RIBBON: StaticSizing = {
  segmentBits: (items, columns) =>
    bitsOf(unknowns(columns) * items + Math.sqrt(items) + MARGIN_SLOTS, LEAST_BLOCKS, columns),
  slots: (bits, columns) => BLOCK_SLOTS * ribbonBlocks(bits, columns),
  limit: (bits, columns) => keysIn(RIBBON.slots(bits, columns), unknowns(columns) - SHARE_MARGIN),
};

/**
 * Unknowns per key with windows of 256. A verdict is bad if one of its equations contradicts others, and a screen if one follows from
 * others. In simulation, these shares of the systems were good: all of 30,000 keys with 1.0 % more unknowns, 83 % of 100,000 with 1.1 %,
 * 60 % of 300,000 with 1.3 %, 88 % of a million with 1.4 %, and half of 3.9 million with 1.5 %. With 0.5 % fewer they are a fifth, so
 * 64 trials suffice for segments that have more than their share of the keys.
 */
function wideUnknowns(items: number): number {
  return 1.01 + 0.001 * Math.max(0, Math.log2(items / 2 ** 15));
}

const WIDE_SHARE_MARGIN = 0.005;

/** The sections of a filter with protected keys: the screen, and the verdict, which has one column. */
export const WIDE_RIBBON: StaticSizing = {
  segmentBits: (items, columns) => bitsOf(wideUnknowns(items) * items + MARGIN_SLOTS, LEAST_WIDE_BLOCKS, columns),
  slots: (bits, columns) => BLOCK_SLOTS * wideBlocks(bits, columns),
  limit(bits, columns) {
    const slots = WIDE_RIBBON.slots(bits, columns);
    return keysIn(slots, wideUnknowns(slots) - WIDE_SHARE_MARGIN);
  },
};
