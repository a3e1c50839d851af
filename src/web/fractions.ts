// The kinds in which a key is the fraction of its digest within a segment: quotient, ribbon and fuse, with protected
// keys or without, after FORMAT.md.

import { fuseSlots, fuseWindow } from '../sizing/fuse.ts';
import { ribbonBlocks } from '../sizing/ribbon.ts';
import { scale } from './halves.ts';
import { bitsAt } from './probes.ts';
import type { Digest, Test } from './shape.ts';
import { high, mix, viewOf, wordAt, wrap } from './words.ts';

const BLOCK = 64;
const TAIL_SLOTS = 512;

export function inQuotient(segment: Uint8Array, { fraction }: Digest, k: number): boolean {
  const blockBits = BLOCK * (k + 3);
  const slots = BLOCK * ((8 * segment.length) / blockBits);
  const number = (fraction * (BigInt(slots - TAIL_SLOTS) << BigInt(k))) >> 64n;
  const remainder = Number(BigInt.asUintN(k, number));
  const quotient = Number(number >> BigInt(k));
  const begin = (slot: number) => Math.floor(slot / BLOCK) * blockBits;
  const isOne = (slot: number, column: number) => bitsAt(segment, begin(slot) + BLOCK * column + (slot % BLOCK), 1) > 0;
  if (!isOne(quotient, k)) return false;
  // The runs of the quotients of this block before this one come first.
  let before = 0;
  const first = quotient - (quotient % BLOCK);
  for (let other = first; other < quotient; other++) if (isOne(other, k)) before++;
  let slot = first + bitsAt(segment, begin(first) + BLOCK * (k + 2), 32);
  for (; before > 0 && slot < slots; slot++) if (isOne(slot, k + 1)) before--;
  for (slot = Math.max(slot, quotient); slot < slots; slot++) {
    if (bitsAt(segment, begin(slot) + k * (slot % BLOCK), k) === remainder) return true;
    if (isOne(slot, k + 1)) return false;
  }
  return false;
}

/** The head of a static segment. */
const HEAD_WORDS = 1;
const TRIALS_AT = 4;
const DROPPED_AT = 5;

function trialsOf(segment: Uint8Array): number {
  return segment[TRIALS_AT] ?? 0;
}

/** A fraction with its lowest bytes set to 0, as the segment states, after some mixes. */
function numberOf(segment: Uint8Array, fraction: bigint, mixes: number): bigint {
  const bits = BigInt(8 * (segment[DROPPED_AT] ?? 0));
  const number = (fraction >> bits) << bits;
  return mixes === 0 ? number : numberOf(segment, mix(number), mixes - 1);
}

/** Whether each of `columns` columns accepts a number, whose window has `words` words. */
function inColumns(segment: Uint8Array, number: bigint, columns: number, words: number): boolean {
  const view = viewOf(segment);
  const blocks = ribbonBlocks(8 * segment.length, columns);
  const begin = Number((number * BigInt(64 * (blocks - words))) >> 64n);
  const block = begin >> 6;
  let coefficients = 1n;
  for (let i = 0; i < words; i++) coefficients |= mix(wrap(number ^ BigInt(-i))) << BigInt(64 * i);
  coefficients <<= BigInt(begin % 64);
  for (let column = 0; column < columns; column++) {
    let bits = 0n;
    for (let i = words; i >= 0; i--)
      bits = (bits << 64n) | wordAt(view, 8 * ((block + i) * columns + column + HEAD_WORDS));
    bits &= coefficients;
    // The lowest bit becomes the parity of all of them.
    for (let by = 256n; by; by /= 2n) bits ^= bits >> by;
    if (bits & 1n) return false;
  }
  return true;
}

export function inRibbon(words: number): Test {
  return (segment, { fraction }, k) => inColumns(segment, numberOf(segment, fraction, trialsOf(segment)), k, words);
}

const STEP = 0xd1342543de82ef95n;

/** Fingerprints depend on the lower bits of a key too if `lower` is 1n; in kind 9 it is 0n. */
export function inFuse(lower: bigint): Test {
  return (segment, { fraction }, k) => {
    const slots = fuseSlots(8 * segment.length, k);
    const window = fuseWindow(slots);
    const number = numberOf(segment, fraction, 0);
    const mixed = wrap(number * (STEP + 2n * BigInt(trialsOf(segment))));
    const first = scale(Number(high(number)), slots - 2 * window);
    // The fingerprint XOR the three slots of a member is 0.
    let rest = Number(BigInt.asUintN(k, (mixed >> 32n) ^ (lower * (mixed >> BigInt(32 - k)))));
    for (let i = 0; i < 3; i++) {
      const offset = i && Number((mixed >> BigInt(22 + 14 * i)) % BigInt(window));
      rest ^= bitsAt(segment, 64 + ((first + i * window) ^ offset) * k, k);
    }
    return rest === 0;
  };
}

/** A segment with a screen and a verdict, whose windows have `words` words. */
export function inProtected(inScreen: Test, words: number): Test {
  return (segment, digest, k, shape, index) => {
    const screen = segment.subarray(0, shape.screenBits / 8);
    const verdict = segment.subarray(shape.screenBits / 8);
    if (k > 1 && !inScreen(screen, digest, k - 1, shape, index)) return false;
    const mixes = 1 + trialsOf(screen) + trialsOf(verdict);
    return inColumns(verdict, numberOf(verdict, digest.fraction, mixes), 1, words);
  };
}
