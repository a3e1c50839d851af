// The relatives of Hadoop's BloomFilter have the same header. Only the length of a file shows its class. A file of
// one class that was cut off can have the length of another class. Therefore the bits must also look like those of
// the class.
//
// A CountingBloomFilter has counters of 4 bits instead of bits: 16 per big-endian word of 8 bytes, the first in the
// lowest bits. A RetouchedBloomFilter has the bits and then, for each bit, two lists of keys and a double. A list is
// an i32 count, or -1 for no list, and for each key an i32 length, its bytes and a double.

import type { WholeFile } from '../whole-file.ts';

/** Counters per word of 8 bytes. */
const WORD_COUNTERS = 16;

/** Bytes that one read of a file requests. */
const PIECE = 2 ** 16;

/** Bytes of counters for this many positions. */
export const counterBytes = (m: number) => 8 * Math.ceil(m / WORD_COUNTERS);

/** The bits of the counters: 1 if the counter is above 0, as in `membershipTest`. */
export function bitsOfCounters(counters: Uint8Array, m: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(m / 8));
  for (let position = 0; position < m; position++) {
    const inWord = position % WORD_COUNTERS;
    const pair = counters[8 * Math.floor(position / WORD_COUNTERS) + 7 - (inWord >> 1)] ?? 0;
    const counter = (pair >> (4 * (inWord & 1))) & 0x0f;
    if (counter > 0) bits[position >> 3] = (bits[position >> 3] ?? 0) | (1 << (position & 7));
  }
  return bits;
}

/** No filter exceeds this many standard deviations by chance: one of 10^12 would. */
const DEVIATIONS = 7;

/** Whether a part of the positions has far more or far fewer marks than random hashes give. The number of marks is hypergeometric. */
function isUneven(found: number, part: number, marks: number, positions: number): boolean {
  const mean = (marks * part) / positions;
  const variance = (mean * (1 - part / positions) * (positions - marks)) / (positions - 1);
  return Math.abs(found - mean) > DEVIATIONS * Math.sqrt(variance);
}

/**
 * Whether these are counters and not bits. Most counters are below 4, so most ones are in the lower two bits of each
 * four. A small number of ones is not enough to decide.
 */
export function areCounters(bits: Uint8Array): boolean {
  const [lower, all] = [onesOf(bits.map((byte) => byte & 0x33)), onesOf(bits)];
  return isUneven(lower, 4 * bits.length, all, 8 * bits.length);
}

/**
 * Whether bytes that look like counters are the bits of a filter of `m` positions and the start of its lists. The
 * first quarter then differs from the rest.
 */
export function areBitsAndLists(bits: Uint8Array, m: number): boolean {
  const quarter = bits.subarray(0, 2 * Math.floor(m / 64));
  return isUneven(onesOf(quarter), 8 * quarter.length, onesOf(bits), m);
}

function onesOf(bytes: Uint8Array): number {
  let ones = 0;
  for (const byte of bytes) for (let rest = byte; rest > 0; rest &= rest - 1) ones++;
  return ones;
}

/** Whether a file has, from a byte to its end, exactly the lists of a RetouchedBloomFilter of this many positions. */
export function isRetouched({ size, read }: WholeFile, from: number, m: number): boolean {
  const ratios = 8 * m;
  if (size < from + 2 * 4 * m + ratios) return false;
  let piece = read(from, 0);
  let pieceAt = from;
  /** The whole number at a byte of the file, which is read in pieces. Undefined at its end. */
  const number = (at: number) => {
    if (at + 4 > size) return undefined;
    if (at < pieceAt || at + 4 > pieceAt + piece.byteLength) {
      piece = read(at, Math.min(PIECE, size - at));
      pieceAt = at;
    }
    return piece.getInt32(at - pieceAt);
  };
  let at = from;
  for (let list = 0; list < 2 * m; list++) {
    const keys = number(at);
    if (keys === undefined || keys < -1) return false;
    at += 4;
    for (let key = 0; key < keys; key++) {
      const length = number(at);
      if (length === undefined || length < 0) return false;
      at += 4 + length + 8;
    }
  }
  return at + ratios === size;
}
