// The arithmetic of homogeneous ribbon filters (Dillinger & Walzer 2021, "Ribbon filter: practically smaller than Bloom
// and Xor"): k equations per key, with windows of 128 unknowns.

import type { StaticSizing } from './static.ts';

const BLOCK_SLOTS = 64;
const HEAD_BITS = 64;
const LEAST_BLOCKS = 3;

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
export function ribbonBlocks(segmentBits: number, columns: number): number {
  const blocks = Math.floor((segmentBits - HEAD_BITS) / (BLOCK_SLOTS * columns));
  return blocks >= LEAST_BLOCKS ? blocks : 0;
}

/** The slots of a segment, one per unknown. */
function ribbonSlots(segmentBits: number, columns: number): number {
  return BLOCK_SLOTS * ribbonBlocks(segmentBits, columns);
}

/** The sizes of ribbons with this many unknowns per key. */
function ribbonSizing(unknownsEach: (items: number, columns: number) => number): StaticSizing {
  return {
    segmentBits(items, columns) {
      const slots = unknownsEach(items, columns) * items + Math.sqrt(items) + MARGIN_SLOTS;
      return Math.max(LEAST_BLOCKS, Math.ceil(slots / BLOCK_SLOTS)) * BLOCK_SLOTS * columns + HEAD_BITS;
    },
    slots: ribbonSlots,
    limit(segmentBits, columns) {
      const slots = ribbonSlots(segmentBits, columns);
      return Math.max(0, Math.floor((slots - MARGIN_SLOTS) / (unknownsEach(slots, columns) - SHARE_MARGIN)));
    },
  };
}

export const RIBBON: StaticSizing = /* @__PURE__ */ ribbonSizing((_, columns) => unknowns(columns));

/**
 * Unknowns per key of a verdict. An equation may follow from others if it agrees with them, so fewer unknowns suffice
 * than for a ribbon. With 1.02, 600,000 keys needed four trials on average, and 3.9 million keys failed 64 times.
 */
const VERDICT_UNKNOWNS = 1.025;
const VERDICT_KEYS = 2 ** 19;
const UNKNOWNS_PER_DOUBLING = 0.005;

/** The verdict of a filter with protected keys: a ribbon of one column. */
export const VERDICT: StaticSizing = /* @__PURE__ */ ribbonSizing(
  (items) => VERDICT_UNKNOWNS + UNKNOWNS_PER_DOUBLING * Math.max(0, Math.log2(items / VERDICT_KEYS)),
);
