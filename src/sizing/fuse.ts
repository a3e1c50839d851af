// The arithmetic of binary fuse filters (Graf & Lemire 2022, "Binary fuse filters: fast and smaller than Xor filters"):
// k bits in each of somewhat more slots than there are keys.

import { greatestThat } from './search.ts';
import type { StaticSizing } from './static.ts';

/** Behind its slots a segment has a word, as they are read as words. */
const HEAD_BITS = 64;
const MARGIN_BITS = 64;

/** A key has a slot in each of three windows. */
const PICKS = 3;
const LEAST_SLOTS = PICKS;

/**
 * Slots for each of n keys, by the paper (section 4). With so many, 120 of 120 sets of 500,000 keys were peeled at once. With
 * as few as the margin below leaves, three of four sets and more were, from 2 keys to 500,000, and none took over 15 trials.
 */
export function slotsEach(items: number): number {
  return Math.max(1.125, 0.875 + (0.25 * Math.log(1e6)) / Math.log(Math.max(2, items)));
}

/** By so much less than that the slots of a segment may be, as some have more than their share of the keys. */
const SHARE_MARGIN = 0.007;

/** Slots of a segment, in whole windows; 0 if it is none of a fuse filter. */
export function fuseSlots(segmentBits: number, k: number): number {
  const slots = Math.floor((segmentBits - HEAD_BITS - MARGIN_BITS) / k);
  return slots >= LEAST_SLOTS ? slots - (slots % windowOf(slots)) : 0;
}

/** Slots of a window of the kernel's where there are so many slots in all. */
function windowOf(slots: number): number {
  return 2 ** Math.min(Math.floor((4 * log2(slots) + 12) / 7), log2(slots / PICKS));
}

function log2(value: number): number {
  return Math.floor(Math.log2(value));
}

export const FUSE: StaticSizing = {
  segmentBits(items, k) {
    const slots = Math.max(LEAST_SLOTS, slotsEach(items) * items + 2 * Math.sqrt(items));
    const window = windowOf(slots);
    return window * Math.ceil(slots / window) * k + HEAD_BITS + MARGIN_BITS;
  },
  slots: fuseSlots,
  limit(segmentBits, k) {
    const slots = fuseSlots(segmentBits, k);
    return greatestThat((items) => (slotsEach(items) - SHARE_MARGIN) * items <= slots);
  },
};
