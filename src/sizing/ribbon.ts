// The arithmetic of homogeneous ribbon filters (Dillinger & Walzer 2021, "Ribbon filter: practically smaller than Bloom
// and Xor"): k equations a key, with windows of 128 unknowns.

import type { StaticSizing } from './static.ts';

const BLOCK_SLOTS = 64;
const HEAD_BITS = 64;
const LEAST_BLOCKS = 3;

/**
 * Unknowns for each key. A system is bad if equations follow from others, as those of strangers then do too, and are
 * false positives. In simulation (windows of 128, 570,000 unknowns) six systems of a hundred were bad with 4 % more
 * unknowns than keys, nearly half with 3 %, hardly any with 5 %. Bad ones are made anew, but what remains must be small
 * beside the rate.
 */
function unknowns(columns: number): number {
  return 1.04 + 0.005 * Math.max(0, columns - 9);
}

/** By so much less than that the unknowns of a segment may be, as some have more than their share of the keys. */
const SHARE_MARGIN = 0.01;
const MARGIN_SLOTS = 64;

/** Blocks of a segment; 0 if it is none of a ribbon filter. */
export function ribbonBlocks(segmentBits: number, columns: number): number {
  const blocks = Math.floor((segmentBits - HEAD_BITS) / (BLOCK_SLOTS * columns));
  return blocks >= LEAST_BLOCKS ? blocks : 0;
}

/** Slots of a segment, one an unknown. */
function ribbonSlots(segmentBits: number, columns: number): number {
  return BLOCK_SLOTS * ribbonBlocks(segmentBits, columns);
}

/** The most keys of a segment. */
function ribbonLimit(segmentBits: number, columns: number): number {
  return Math.max(
    0,
    Math.floor((ribbonSlots(segmentBits, columns) - MARGIN_SLOTS) / (unknowns(columns) - SHARE_MARGIN)),
  );
}

export const RIBBON: StaticSizing = {
  segmentBits(items, columns) {
    const slots = unknowns(columns) * items + Math.sqrt(items) + MARGIN_SLOTS;
    return Math.max(LEAST_BLOCKS, Math.ceil(slots / BLOCK_SLOTS)) * BLOCK_SLOTS * columns + HEAD_BITS;
  },
  slots: ribbonSlots,
  limit: ribbonLimit,
};
