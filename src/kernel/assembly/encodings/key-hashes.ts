// Keys that are replaced by their MD5, SHA-1 or SHA-256 in hexadecimal. The loops are like those of integers.ts. They
// read up to 64 bytes after the end of a key, and write up to 16.

import { SHORT, swapped, transpose } from "../hashes/lanes";
import { md5 } from "../hashes/md5";
import { SCRATCH_BYTES } from "../hashes/message";
import { sha1 } from "../hashes/sha1";
import { sha1OfFour } from "../hashes/sha1-lanes";
import { sha256 } from "../hashes/sha2";
import { lengthOf, loadSpan, spanAt, startOf, storeNoKey, storeSpan } from "../spans";
import { digitsAmong } from "./hex";

/** The hashes, numbered as in src/hashes/key-hashes.ts. */
const enum Algorithm { none, sha1, sha256, md5 }

/** The schedule of four messages, of up to 80 vectors. It follows the parameters, and so does the scratch memory of a hash. */
const SCHEDULE: usize = 64;
const SCRATCH: usize = SCHEDULE + 16 * 80;

/** Bytes of the parameters: the hash, the case, and the memory of the loops. */
export function keyHashBytes(): usize {
  return SCRATCH + SCRATCH_BYTES;
}

@inline
function algorithmOf(parameters: usize): u32 {
  return load<u32>(parameters);
}

@inline
function isUpper(parameters: usize): bool {
  return load<u32>(parameters, 8) != 0;
}

@inline
function digestBytes(algorithm: u32): usize {
  return algorithm == Algorithm.sha1 ? 20 : algorithm == Algorithm.sha256 ? 32 : 16;
}

/** The digits of 16 halves of bytes. A letter is 39 after the character that follows 9, or 7 in upper case. */
@inline
function digitsOf(halves: v128, toLetters: v128): v128 {
  const letters = v128.and(i8x16.gt_u(halves, i8x16.splat(9)), toLetters);
  return i8x16.add(i8x16.add(halves, i8x16.splat(0x30)), letters);
}

/** Writes the 32 digits of 16 bytes. */
@inline
function writeHex(bytes: v128, to: usize, toLetters: v128): void {
  const high = i8x16.shr_u(bytes, 4);
  const low = v128.and(bytes, i8x16.splat(15));
  v128.store(to, digitsOf(i8x16.shuffle(high, low, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23), toLetters));
  v128.store(
    to,
    digitsOf(i8x16.shuffle(high, low, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31), toLetters),
    16,
  );
}

@inline
function lettersOf(parameters: usize): v128 {
  return i8x16.splat(isUpper(parameters) ? 7 : 39);
}

/** Hashes one key. The digest is at the beginning of `scratch`. */
@inline
function hashOne(algorithm: u32, key: usize, length: usize, scratch: usize): void {
  if (algorithm == Algorithm.sha1) sha1(0, 0, key, length, scratch);
  else if (algorithm == Algorithm.sha256) sha256(0, 0, key, length, scratch);
  else md5(0, 0, key, length, scratch);
}

/** Whether the next four keys are short. */
@inline
function areShort(spans: usize): bool {
  const longest = max(
    max(lengthOf(load<u64>(spans)), lengthOf(load<u64>(spans, 8))),
    max(lengthOf(load<u64>(spans, 16)), lengthOf(load<u64>(spans, 24))),
  );
  return longest <= SHORT;
}

/** Writes the 160 digits of four SHA-1, of which the schedule has the words. */
@inline
function writeSha1(schedule: usize, to: usize, letters: v128): void {
  const last = swapped(v128.load(schedule, 64));
  transpose(
    swapped(v128.load(schedule)), swapped(v128.load(schedule, 16)),
    swapped(v128.load(schedule, 32)), swapped(v128.load(schedule, 48)), schedule,
  );
  v128.store(schedule, last, 64);
  for (let lane: usize = 0; lane < 4; lane++) {
    writeHex(v128.load(schedule + 16 * lane), to, letters);
    const end = i32x4.splat(load<u32>(schedule + 64 + 4 * lane));
    const high = v128.and(i8x16.shr_u(end, 4), i8x16.splat(15));
    const low = v128.and(end, i8x16.splat(15));
    const halves = i8x16.shuffle(high, low, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    v128.store64_lane(to + 32, digitsOf(halves, letters), 0);
    to += 40;
  }
}

/** Replaces keys by their digests, as text at `to`. */
export function hashToHex(spans: usize, count: u32, to: usize, parameters: usize): u32 {
  const algorithm = algorithmOf(parameters);
  const letters = lettersOf(parameters);
  const schedule = parameters + SCHEDULE;
  const scratch = parameters + SCRATCH;
  const digits = digestBytes(algorithm) << 1;
  for (let i: u32 = 0; i < count; ) {
    if (algorithm == Algorithm.sha1 && i + 4 <= count && areShort(spanAt(spans, i))) {
      sha1OfFour(spanAt(spans, i), schedule);
      writeSha1(schedule, to, letters);
      for (const end = i + 4; i < end; i++, to += digits) storeSpan(spans, i, to, to + digits);
      continue;
    }
    const span = loadSpan(spans, i);
    hashOne(algorithm, startOf(span), lengthOf(span), scratch);
    for (let at: usize = 0; at < digits; at += 32) writeHex(v128.load(scratch + (at >> 1)), to + at, letters);
    storeSpan(spans, i, to, to + digits);
    to += digits;
    i++;
  }
  return 0;
}

/**
 * Replaces keys that are digests in hexadecimal, in any case, by the same digests in one case. Returns the number of keys that are not
 * digests.
 */
export function normaliseHex(spans: usize, count: u32, to: usize, parameters: usize): u32 {
  const digits = digestBytes(algorithmOf(parameters)) << 1;
  const lower = i8x16.splat(isUpper(parameters) ? 0 : 0x20);
  let without: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    let isHex = lengthOf(span) == digits;
    for (let at: usize = 0; at < digits && isHex; at += 16) {
      const text = v128.load(startOf(span) + at);
      const wanted: u32 = digits - at < 16 ? ((1 as u32) << ((digits - at) as u32)) - 1 : 0xffff;
      isHex = (digitsAmong(text) & wanted) == wanted;
      // Bit 5 is set in digits, and decides about the case of letters.
      const isLetter = i8x16.gt_u(text, i8x16.splat(0x39));
      const letter = v128.or(v128.and(text, i8x16.splat(0x5f)), lower);
      v128.store(to + at, v128.bitselect(letter, text, isLetter));
    }
    if (isHex) {
      storeSpan(spans, i, to, to + digits);
      to += digits;
    } else {
      storeNoKey(spans, i);
      without++;
    }
  }
  return without;
}
