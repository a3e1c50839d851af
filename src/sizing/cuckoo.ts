// The arithmetic of cuckoo filters (Fan, Andersen, Kaminsky & Mitzenmacher 2014, "Cuckoo filter: practically better
// than Bloom"), with two buckets of four slots per key.

import { equalDigestRate } from './equal-digests.ts';
import { segmented } from './geometry.ts';
import { itemsForCopies, type SlotRules, slotArithmetic } from './slots.ts';

const BUCKET_SLOTS = 4;

/** Slots are written as words of 64 bits. The last word must not reach into the next segment. */
const MARGIN_BITS = 64;

/**
 * The load at which almost every key finds a slot. Additional slots make up for chance in small filters, and for
 * segments with more than their share of the keys. In simulation the first key without a slot came at loads from 0.955
 * (450,000 slots), 0.92 (500 slots) and 0.48 (64 slots).
 */
const LOAD = 0.93;
const slotsFor = (items: number, load: number) => items / load + 4 * Math.sqrt(items) + 16;

/**
 * Short fingerprints have few pairs of buckets to choose from, so fewer keys fit. Each load holds from this number of bits on.
 */
const LOADS = [
  { from: 8, load: LOAD },
  { from: 6, load: 0.88 },
  { from: 5, load: 0.8 },
  { from: 1, load: 0.6 },
];

function loadFor(fingerprint: number): number {
  return LOADS.find(({ from }) => fingerprint >= from)?.load ?? LOAD;
}

/** The most copies of a key that each take a slot. */
const COPIES = 3;

/** If all keys have three copies, the first key without a slot comes at a load of 0.65. */
const COPIES_SLACK = 1.6;

/** The number of keys to size a filter for, if it gets `keys` keys and `distinct` of them are distinct. */
export function cuckooItemsToPlan(distinct: number, keys: number): number {
  return itemsForCopies(distinct, keys, COPIES, COPIES_SLACK);
}

export const CUCKOO_FINGERPRINT_LIMIT = 32;

/** Buckets of a segment. */
export function bucketsOf(segmentBits: number, fingerprint: number): number {
  return Math.max(1, Math.floor((segmentBits - MARGIN_BITS) / (BUCKET_SLOTS * fingerprint)));
}

/** Slots of a segment. */
export function cuckooSlots(segmentBits: number, fingerprint: number): number {
  return BUCKET_SLOTS * bucketsOf(segmentBits, fingerprint);
}

/**
 * The number of values that a key can have in a segment: a fingerprint with its two buckets. The other bucket of bucket
 * i is H - i, where the fingerprint gives H. So one of B buckets is its own other bucket, on average. If a non-member
 * has the fingerprint of a member, it has the same value with a chance of (2B - 1) / B^2.
 */
export function cuckooValues(segmentBits: number, fingerprint: number): number {
  const buckets = bucketsOf(segmentBits, fingerprint);
  return (buckets ** 2 / (2 * buckets - 1)) * (2 ** fingerprint - 1);
}

/**
 * The chance that a used slot in two of very many buckets has the fingerprint of a non-member. A fingerprint is never
 * 0.
 */
function cuckooRate(load: number, fingerprint: number): number {
  return -Math.expm1(2 * BUCKET_SLOTS * load * Math.log1p(-1 / (2 ** fingerprint - 1)));
}

const RULES: SlotRules = {
  fingerprintLimit: CUCKOO_FINGERPRINT_LIMIT,
  segmentBits(items, fingerprint) {
    const buckets = Math.ceil(slotsFor(items, loadFor(fingerprint)) / BUCKET_SLOTS);
    return buckets * BUCKET_SLOTS * fingerprint + MARGIN_BITS;
  },
  fullRate: (fingerprint) => cuckooRate(loadFor(fingerprint), fingerprint),
  rate(items, bits, fingerprint) {
    const { segments, segmentBits } = segmented(bits);
    const buckets = bucketsOf(segmentBits, fingerprint);
    const load = items / (segments * BUCKET_SLOTS * buckets);
    // A bucket that is its own other bucket counts once.
    const counted = load * (1 - 1 / (2 * buckets));
    return load > 1 ? 1 : Math.min(1, cuckooRate(counted, fingerprint) + equalDigestRate(items));
  },
};

export const CUCKOO = /* @__PURE__ */ slotArithmetic(RULES);
