// The arithmetic of binary fuse filters (Graf & Lemire 2022, "Binary fuse filters: fast and smaller than Xor filters"):
// k bits in each of somewhat more slots than there are keys.

import { greatestThat } from './search.ts';
import type { StaticSizing } from './static.ts';

/** Behind its slots a segment has a word, as they are read as words. */
const HEAD_BITS = 64;
const MARGIN_BITS = 64;

/** One in each of three windows. */
const LEAST_SLOTS = 3;

/**
 * Slots for each of n keys, by the paper (section 4). With so many, four of five sets of keys and more were peeled in
 * simulation, from three keys to 600,000; with 1 % less some 15 %, so that it is still done in a few trials.
 */
function slotsEach(items: number): number {
  return Math.max(1.125, 0.875 + (0.25 * Math.log(1e6)) / Math.log(Math.max(2, items)));
}

/** By so much less than that the slots of a segment may be, as some have more than their share of the keys. */
const SHARE_MARGIN = 0.01;

/** Slots of a segment; 0 if it is none of a fuse filter. */
export function fuseSlots(segmentBits: number, k: number): number {
  const slots = Math.floor((segmentBits - HEAD_BITS - MARGIN_BITS) / k);
  return slots >= LEAST_SLOTS ? slots : 0;
}

export const FUSE: StaticSizing = {
  segmentBits(items, k) {
    const slots = slotsEach(items) * items + Math.sqrt(items);
    return Math.max(LEAST_SLOTS, Math.ceil(slots)) * k + HEAD_BITS + MARGIN_BITS;
  },
  slots: fuseSlots,
  limit(segmentBits, k) {
    const slots = fuseSlots(segmentBits, k);
    return greatestThat((items) => (slotsEach(items) - SHARE_MARGIN) * items <= slots);
  },
};
