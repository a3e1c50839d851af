// The arithmetic of quotient filters (Bender et al. 2012, "Don't thrash: how to cache your hash on flash"). A key
// becomes one of quotients * 2^r numbers, and a slot keeps its remainder of r bits.

import { equalDigestRate } from './equal-digests.ts';
import { type Geometry, segmented } from './geometry.ts';
import { greatestThat } from './search.ts';
import { itemsForCopies, type SlotRules, slotArithmetic } from './slots.ts';

const BLOCK_SLOTS = 64;

/** Bits per slot that mark where the runs are. */
const METADATA_BITS = 3;

/**
 * Blocks come in groups, so that a segment consists of whole cache lines for every r, and also after its quotients
 * double.
 */
const GROUP = 8;
const LEAST_GROUPS = 2;

/** Slots after the last quotient. */
const TAIL_SLOTS = 512;

/** Clusters grow as 1 / (1 - load)^2, and so does the time of a query. */
const LOAD = 0.9;

/** The most copies of a key that each take a slot. Many copies make clusters longer. */
const COPIES = 8;
const COPIES_SLACK = 1.2;

const REMAINDER_LIMIT = 32;

/** The most slots of a segment: the table counts them in 24 bits. */
const SLOTS_LIMIT = 2 ** 24 - 1;

/** The blocks of a segment; 0 if the size is not that of a quotient filter. */
export function blocksOf(segmentBits: number, remainder: number): number {
  if (remainder > REMAINDER_LIMIT) return 0;
  const blocks = segmentBits / (BLOCK_SLOTS * (remainder + METADATA_BITS));
  const slots = BLOCK_SLOTS * blocks;
  return Number.isInteger(blocks) && slots > TAIL_SLOTS && slots <= SLOTS_LIMIT ? blocks : 0;
}

/** The segments for a number of bits. */
export function quotientGeometry(bits: number, remainder: number): Geometry {
  return segmented(bits, groupBits(remainder));
}

function groupBits(remainder: number): number {
  return GROUP * BLOCK_SLOTS * (remainder + METADATA_BITS);
}

/** Slots of a segment. */
export function quotientSlots(segmentBits: number, remainder: number): number {
  return BLOCK_SLOTS * blocksOf(segmentBits, remainder);
}

/** The slots for n keys. */
function slotsFor(items: number): number {
  return items / LOAD + 4 * Math.sqrt(items) + TAIL_SLOTS;
}

/** The capacity of a segment in keys. */
export function quotientKeys(segmentBits: number, remainder: number): number {
  return greatestThat((items) => slotsFor(items) <= quotientSlots(segmentBits, remainder));
}

/** The number of values that a key can have in a segment. */
export function quotientValues(segmentBits: number, remainder: number): number {
  return (quotientSlots(segmentBits, remainder) - TAIL_SLOTS) * 2 ** remainder;
}

/** The bits of a segment with twice the quotients and one bit less per remainder. Keys are the same numbers there. */
export function doubledBits(segmentBits: number, remainder: number): number {
  const blocks = 2 * blocksOf(segmentBits, remainder) - TAIL_SLOTS / BLOCK_SLOTS;
  return BLOCK_SLOTS * blocks * (remainder - 1 + METADATA_BITS);
}

/** The number of keys to size a filter for, if it gets `keys` keys and `distinct` of them are distinct. */
export function quotientItemsToPlan(distinct: number, keys: number): number {
  return itemsForCopies(distinct, keys, COPIES, COPIES_SLACK);
}

const RULES: SlotRules = {
  fingerprintLimit: REMAINDER_LIMIT,
  segmentBits(items, remainder) {
    return Math.max(LEAST_GROUPS, Math.ceil(slotsFor(items) / (BLOCK_SLOTS * GROUP))) * groupBits(remainder);
  },
  fullRate: (remainder) => -Math.expm1(-LOAD / 2 ** remainder),
  rate(items, bits, remainder) {
    const { segments, segmentBits } = quotientGeometry(bits, remainder);
    const slots = quotientSlots(segmentBits, remainder);
    return items > segments * slots
      ? 1
      : quotientRate(items / segments, quotientValues(segmentBits, remainder)) + equalDigestRate(items);
  },
};

/** The chance that a non-member is the same number as one of n keys. */
function quotientRate(items: number, values: number): number {
  return -Math.expm1(items * Math.log1p(-1 / values));
}

export const QUOTIENT = /* @__PURE__ */ slotArithmetic(RULES);
