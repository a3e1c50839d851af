// The arithmetic of filters that never select the keys of a list. A segment has two sections. The screen is a segment of
// a static kind, with all bits per key but one. The verdict is a ribbon of one column. It tells the members from the
// protected keys that the screen accepts, which are 2^-(k - 1) of them.

import { equalDigestRate } from './equal-digests.ts';
import { WIDE_RIBBON } from './ribbon.ts';
import { greatestThat, leastThat } from './search.ts';
import { bitsInSegments } from './slots.ts';
import { type Arithmetic, type Constraints, type Plan, solve } from './solve.ts';
import { STATIC_K_LIMIT, type StaticSizing, staticRate } from './static.ts';

/** A screen that accepts every key consists of its head. */
const SCREEN_HEAD_BITS = 64;

/** Screens are whole words. */
const WORD_BITS = 64;

/** A larger number of protected keys is estimated in a sketch. */
export const COUNTED_EXACTLY = 2 ** 17;

/** More protected keys pass the screens than expected, because their number is an estimate, and by chance. */
const ESTIMATE_MARGIN = 1.005;
const PASSING_DEVIATIONS = 3;

/** The protected keys of a segment that pass its screen, at most, if each does with this chance. */
function passing(keys: number, segments: number, chance: number): number {
  const expected = (keys / segments) * chance * (keys > COUNTED_EXACTLY ? ESTIMATE_MARGIN : 1);
  // Both the number of keys in one of several segments and the number that passes are binomial.
  const variance = expected * (1 - chance / segments);
  return expected + PASSING_DEVIATIONS * Math.sqrt(variance);
}

/** Chance gives some of several segments more members than others. */
const MEMBERS_DEVIATIONS = 3;

/** The members of a segment, at most, if a filter for n members has so many segments. */
function membersIn(items: number, segments: number): number {
  const share = items / segments;
  return segments === 1 ? share : share + MEMBERS_DEVIATIONS * Math.sqrt(share);
}

/** Bits of the screen of a segment, with k bits per key in the whole segment. */
export function screenBits(sizing: StaticSizing, items: number, segments: number, k: number): number {
  if (k === 1) return SCREEN_HEAD_BITS;
  return WORD_BITS * Math.ceil(sizing.segmentBits(membersIn(items, segments), k - 1) / WORD_BITS);
}

/** The slots of a screen, which are 0 for an impossible size. */
export function screenSlots(sizing: StaticSizing, bits: number, k: number): number {
  return k === 1 ? 0 : sizing.slots(bits, k - 1);
}

/** The most members of a segment with this screen and this verdict. */
export function membersLimit(sizing: StaticSizing, bits: number, verdictBits: number, k: number): number {
  const judged = WIDE_RIBBON.limit(verdictBits, 1);
  return k === 1 ? judged : Math.min(judged, sizing.limit(bits, k - 1));
}

/** Bits of a segment for n members and this many protected keys in all segments. */
function segmentBits(sizing: StaticSizing, items: number, keys: number, segments: number, k: number): number {
  const judged = membersIn(items, segments) + passing(keys, segments, 2 ** (1 - k));
  return screenBits(sizing, items, segments, k) + WIDE_RIBBON.segmentBits(judged, 1);
}

/** The rate of a filter of a universe if no rate is stated: its size alone decides. */
export const UNIVERSE_FPR = 0.5;

/** The arithmetic for a number of protected keys. */
function protectedArithmetic(sizing: StaticSizing, keys: number): Arithmetic {
  const bitsFor = (items: number, k: number) =>
    bitsInSegments((segments) => segmentBits(sizing, items, keys, segments, k));
  const kForRate = (fpr: number) => leastThat((k) => k >= 1 && (k >= STATIC_K_LIMIT || staticRate(k) <= fpr));
  // If there are few members and many protected keys, a larger screen makes the verdict smaller.
  const best = (items: number, fpr: number) => {
    const least = kForRate(fpr);
    const choices = Array.from({ length: STATIC_K_LIMIT - least + 1 }, (_, i) => least + i);
    return choices.reduce((a, b) => (bitsFor(items, b) < bitsFor(items, a) ? b : a));
  };
  return {
    kLimit: STATIC_K_LIMIT,
    bits: (items, fpr, k = best(items, fpr)) => bitsFor(items, k),
    items: (bits, fpr, k = kForRate(fpr)) => greatestThat((items) => bitsFor(items, k) <= bits),
    kForRate,
    kForLoad(items, bits) {
      let k = STATIC_K_LIMIT;
      while (k > 1 && bitsFor(items, k) > bits) k--;
      return k;
    },
    rate: (items, bits, k) => (bitsFor(items, k) > bits ? 1 : staticRate(k) + equalDigestRate(items)),
  };
}

/** The plan of a filter with protected keys; undefined if too little is stated. Throws as `solve` does. */
export function protectedPlan(sizing: StaticSizing, stated: Constraints): Plan | undefined {
  const { items, isUniverse = false, protectedKeys: keys = 0 } = stated;
  if (!isUniverse) return planFor(sizing, keys, stated);
  const plan = planFor(sizing, Math.max(0, keys - (items ?? 0)), stated);
  return plan && { ...plan, fpr: Math.min(plan.fpr, plan.predictedFpr) };
}

function planFor(sizing: StaticSizing, keys: number, stated: Constraints): Plan | undefined {
  const arithmetic = protectedArithmetic(sizing, keys);
  const { items, bits, bitsPerKey, fpr, k } = stated;
  if (items === undefined || fpr === undefined || (bits ?? bitsPerKey ?? k) !== undefined)
    return solve(arithmetic, stated);
  const needed = arithmetic.bits(items, fpr);
  return solve(arithmetic, { ...stated, k: arithmetic.kForLoad(items, needed) });
}
