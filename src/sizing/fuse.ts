// The arithmetic of binary fuse filters (Graf & Lemire 2022, "Binary fuse filters: fast and smaller than Xor filters").
// They have k bits per slot, and somewhat more slots than keys.

import { greatestThat } from './search.ts';
import type { StaticSizing } from './static.ts';

/** A segment has a further word after its slots, because slots are read as words. */
const HEAD_BITS = 64;
const MARGIN_BITS = 64;

/** A key has a slot in each of three windows. */
const PICKS = 3;
const LEAST_SLOTS = PICKS;

/**
 * Slots per key for n keys, after section 4 of the paper. This number let 120 of 120 sets of 500,000 keys peel on the
 * first trial. With the share margin below, at least three of four sets did, from 2 to 500,000 keys. No set took more
 * than 15 trials.
 */
export function slotsEach(items: number): number {
  return Math.max(1.125, 0.875 + (0.25 * Math.log(1e6)) / Math.log(Math.max(2, items)));
}

/**
 * The slots per key of a segment may be lower by this margin, because some segments have more than their share of the
 * keys.
 */
const SHARE_MARGIN = 0.007;

/** The slots of a segment, in whole windows; 0 if the size is not that of a fuse filter. */
export function fuseSlots(segmentBits: number, k: number): number {
  const slots = Math.floor((segmentBits - HEAD_BITS - MARGIN_BITS) / k);
  return slots >= LEAST_SLOTS ? slots - (slots % fuseWindow(slots)) : 0;
}

/** The slots of a window, as in the kernel, for a total number of slots. */
export function fuseWindow(slots: number): number {
  return 2 ** Math.min(Math.floor((4 * log2(slots) + 12) / 7), log2(slots / PICKS));
}

function log2(value: number): number {
  return Math.floor(Math.log2(value));
}

export const FUSE: StaticSizing = {
  segmentBits(items, k) {
    const slots = Math.max(LEAST_SLOTS, slotsEach(items) * items + 2 * Math.sqrt(items));
    const window = fuseWindow(slots);
    return window * Math.ceil(slots / window) * k + HEAD_BITS + MARGIN_BITS;
  },
  slots: fuseSlots,
  limit(segmentBits, k) {
    const slots = fuseSlots(segmentBits, k);
    return greatestThat((items) => (slotsEach(items) - SHARE_MARGIN) * items <= slots);
  },
};
