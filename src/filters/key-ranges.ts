// Filters of sorted tables: a bit array with parts, each of which has the keys of one range.

import { type RangedPart, type Shape, sum } from './kind.ts';

/** The shape of a filter with such parts. */
export function rangedShape(parts: readonly RangedPart[]): Shape {
  const bits = sum(parts.map((part) => part.bits));
  const k = parts.reduce((most, part) => Math.max(most, part.k), 1);
  return { bits, segments: parts.length, segmentBits: bits / parts.length, k, parts };
}

/** The key range of each part. Threads pass this to each other as a message, and share its memory. */
export interface KeyRanges {
  /** The keys that separate each range from the next, in order and concatenated. */
  readonly separators: Uint8Array;
  /** The start of each separator, and the end of the last. */
  readonly bounds: Uint32Array;
  /** Per range, the words of a digest that describe its part. There is one more range than separators. */
  readonly parts: BigUint64Array;
  /** Whether a key that equals a separator belongs to the range after the separator, or before. */
  readonly isBehind: boolean;
  /** The order of keys: by their bytes; or, as cells of HBase, by rows and then by qualifiers. */
  readonly order: 'bytes' | 'cells';
}

/** The ranges, one more than separators. Keys of a range without a part are absent. */
export interface StatedRanges extends Pick<KeyRanges, 'isBehind' | 'order'> {
  readonly separators: readonly Uint8Array[];
  readonly parts: readonly (RangedPart | undefined)[];
}

/** Bits at the beginning of an array that no key sets. Keys without a part have their positions there. */
export const KEYLESS_BITS = 512;

const KEYLESS: RangedPart = { first: 0, bits: KEYLESS_BITS, k: 1, lineBits: KEYLESS_BITS };

/** Limits of the bits and the probes of a part. Its word of a digest cannot hold larger numbers. */
export const PART_BITS_LIMIT = 2 ** 40 - 1;
export const PART_PROBES_LIMIT = 2 ** 16 - 1;

/** The ranges of keys in the kernel's form (src/kernel/assembly/systems/key-ranges.ts). */
export function keyRanges({ separators, parts, isBehind, order }: StatedRanges): KeyRanges {
  const bounds = shared(Uint32Array, separators.length + 1);
  let end = 0;
  for (const [i, { length }] of separators.entries()) bounds[i + 1] = end += length;
  const bytes = shared(Uint8Array, end);
  for (const [i, separator] of separators.entries()) bytes.set(separator, bounds[i]);
  const words = shared(BigUint64Array, 2 * parts.length);
  for (const [i, part] of parts.entries()) words.set(wordsOf(part ?? KEYLESS), 2 * i);
  return { separators: bytes, bounds, parts: words, isBehind, order };
}

function wordsOf({ first, bits, k, lineBits = 1 }: RangedPart): [bigint, bigint] {
  return [BigInt(first), BigInt(bits) | (BigInt(k) << 40n) | (BigInt(Math.log2(lineBits)) << 56n)];
}

const DIGITS = 12;

/**
 * Ranges for random keys, which begin with random digits. A random key falls into a part with the part's share of all bits, because a query
 * for a non-member cannot predict its part.
 */
export function rangesOfRandomKeys({ parts }: Pick<KeyRanges, 'parts'>): KeyRanges {
  const ranges = Array.from({ length: parts.length / 2 }, (_, i) => parts.subarray(2 * i, 2 * i + 2));
  // A part that several ranges share counts only once.
  const known = new Set<bigint>();
  const weights = ranges.map(([first = 0n, of = 0n]) => {
    if (first === 0n || known.has(first)) return 0;
    known.add(first);
    return Number(BigInt.asUintN(40, of));
  });
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  let before = 0;
  const separators = weights.slice(0, -1).map((weight) => {
    before += weight;
    const share = Math.min(10 ** DIGITS - 1, Math.floor((before / all) * 10 ** DIGITS));
    return Buffer.from(String(share).padStart(DIGITS, '0'));
  });
  const words = keyRanges({ separators, parts: separators.map(() => undefined), isBehind: true, order: 'bytes' });
  return { ...words, parts };
}

/** Zeros in memory that threads share. */
function shared<T>(Numbers: { new (buffer: SharedArrayBuffer): T; BYTES_PER_ELEMENT: number }, length: number): T {
  return new Numbers(new SharedArrayBuffer(Numbers.BYTES_PER_ELEMENT * length));
}
