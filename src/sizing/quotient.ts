// The arithmetic of quotient filters (Bender et al. 2012, "Don't thrash: how to cache your hash on flash"): a key
// becomes one of quotients * 2^r numbers, whose remainder of r bits is kept in a slot.

import { equalDigestRate } from './bloom.ts';
import { type Geometry, segmented } from './geometry.ts';
import { greatestThat } from './search.ts';
import { roomForCopies, type SlotRules, slotArithmetic } from './slots.ts';

const BLOCK_SLOTS = 64;

/** Bits that say where the runs are, a slot. */
const METADATA_BITS = 3;

/**
 * Blocks come in groups, so that a segment is whole cache lines whatever r is, and so is one of twice the quotients.
 */
const GROUP = 8;
const LEAST_GROUPS = 2;

/** Slots behind the last quotient. */
const TAIL_SLOTS = 512;

/** Clusters grow as 1 / (1 - load)^2, and with them the time that an answer takes. */
const LOAD = 0.9;

/** Copies of a key that take a slot each; clusters of many copies are longer. */
const COPIES = 8;
const COPIES_SLACK = 1.2;

const REMAINDER_LIMIT = 32;

/** Of a segment: the table counts them in 24 bits. */
const SLOTS_LIMIT = 2 ** 24 - 1;

/** Blocks of a segment; 0 if it is none of a quotient filter. */
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

/** Slots that n keys need. */
function slotsFor(items: number): number {
  return items / LOAD + 4 * Math.sqrt(items) + TAIL_SLOTS;
}

/** Keys of a segment that can be filled as much as it should be. */
export function quotientKeys(segmentBits: number, remainder: number): number {
  return greatestThat((items) => slotsFor(items) <= quotientSlots(segmentBits, remainder));
}

/** What a key can be in a segment. */
export function quotientValues(segmentBits: number, remainder: number): number {
  return (quotientSlots(segmentBits, remainder) - TAIL_SLOTS) * 2 ** remainder;
}

/** Bits of a segment of twice the quotients and remainders of a bit less: keys are the same numbers there. */
export function doubledBits(segmentBits: number, remainder: number): number {
  const blocks = 2 * blocksOf(segmentBits, remainder) - TAIL_SLOTS / BLOCK_SLOTS;
  return BLOCK_SLOTS * blocks * (remainder - 1 + METADATA_BITS);
}

/** The keys to size a filter for that gets so many, so many of them distinct. */
export function quotientRoom(distinct: number, keys: number): number {
  return roomForCopies(distinct, keys, COPIES, COPIES_SLACK);
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

/** The chance that a stranger is the same number as one of n keys. */
function quotientRate(items: number, values: number): number {
  return -Math.expm1(items * Math.log1p(-1 / values));
}

export const QUOTIENT = slotArithmetic(RULES);
