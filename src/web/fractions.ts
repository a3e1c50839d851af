// The kinds in which a key is the fraction of its digest within a segment: quotient, ribbon and fuse, with protected
// keys or without, after FORMAT.md.

import { fuseSlots, fuseWindow } from '../sizing/fuse.ts';
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
  const remainder = Number(number & ((1n << BigInt(k)) - 1n));
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
const HEAD_BYTES = 8;
const TRIALS_AT = 4;
const DROPPED_AT = 5;

function trialsOf(segment: Uint8Array): number {
  return segment[TRIALS_AT] ?? 0;
}

/** A fraction with its lowest bytes set to 0, as the segment states. */
function kept(segment: Uint8Array, fraction: bigint): bigint {
  const bits = BigInt(8 * (segment[DROPPED_AT] ?? 0));
  return (fraction >> bits) << bits;
}

/** Whether a word has an odd number of ones. */
function isOdd(word: bigint): boolean {
  let half = Number(high(word) ^ (word & 0xffffffffn));
  for (const by of [16, 8, 4, 2, 1]) half ^= half >>> by;
  return (half & 1) === 1;
}

/** Whether each of `columns` columns accepts a number. */
function inColumns(segment: Uint8Array, number: bigint, columns: number): boolean {
  const view = viewOf(segment);
  const blocks = Math.floor((8 * segment.length - 64) / (BLOCK * columns));
  const begin = Number((number * BigInt(BLOCK * blocks - 128)) >> 64n);
  const block = Math.floor(begin / BLOCK);
  const shift = BigInt(begin % BLOCK);
  const coefficients = [mix(number) | 1n, mix(wrap(~number))] as const;
  for (let column = 0; column < columns; column++) {
    const [first, second, third] = [0, 1, 2].map((i) =>
      block + i < blocks ? wordAt(view, HEAD_BYTES + 8 * ((block + i) * columns + column)) : 0n,
    ) as [bigint, bigint, bigint];
    const unknowns = ((third << 128n) | (second << 64n) | first) >> shift;
    if (isOdd((unknowns & coefficients[0]) ^ (wrap(unknowns >> 64n) & coefficients[1]))) return false;
  }
  return true;
}

export function inRibbon(segment: Uint8Array, { fraction }: Digest, k: number): boolean {
  let number = kept(segment, fraction);
  for (let trial = 0; trial < trialsOf(segment); trial++) number = kept(segment, mix(number));
  return inColumns(segment, number, k);
}

const STEP = 0xd1342543de82ef95n;

/** `isFormer` is the rule of kind 9. */
export function inFuse(isFormer: boolean): Test {
  return (segment, { fraction }, k) => {
    const slots = fuseSlots(8 * segment.length, k);
    const window = fuseWindow(slots);
    const number = kept(segment, fraction);
    const mixed = wrap(number * (STEP + 2n * BigInt(trialsOf(segment))));
    const first = scale(Number(high(number)), slots - 2 * window);
    const slotsOfKey = [0, 1, 2].map((i) => {
      const offset = i === 0 ? 0 : Number((mixed >> BigInt(22 + 14 * i)) % BigInt(window));
      return (first + i * window) ^ offset;
    });
    const fingerprint = (high(mixed) ^ (isFormer ? 0n : mixed >> BigInt(32 - k))) % (1n << BigInt(k));
    const found = slotsOfKey.reduce((xor, slot) => xor ^ bitsAt(segment, 64 + slot * k, k), 0);
    return found >>> 0 === Number(fingerprint);
  };
}

/** A segment with a screen and a verdict. */
export function inProtected(inScreen: Test): Test {
  return (segment, digest, k, shape, index) => {
    const screen = segment.subarray(0, shape.screenBits / 8);
    const verdict = segment.subarray(shape.screenBits / 8);
    if (k > 1 && !inScreen(screen, digest, k - 1, shape, index)) return false;
    let number = digest.fraction;
    for (let trial = 0; trial <= trialsOf(screen) + trialsOf(verdict); trial++) number = mix(number);
    return inColumns(verdict, number, 1);
  };
}
