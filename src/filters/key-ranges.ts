// Filters of sorted tables: an array of bits of which each part has the keys of a range for itself.

import { type RangedPart, type Shape, sum } from './kind.ts';

/** The shape of a filter of such parts. */
export function rangedShape(parts: readonly RangedPart[]): Shape {
  const bits = sum(parts.map((part) => part.bits));
  const k = parts.reduce((most, part) => Math.max(most, part.k), 1);
  return { bits, segments: parts.length, segmentBits: bits / parts.length, k, parts };
}

/** Which keys have which part. Threads hand it to each other as a message, and share what it is made of. */
export interface KeyRanges {
  /** What parts one range from the next, in order and one behind the other. */
  readonly separators: Uint8Array;
  /** Where each begins, and where the last ends. */
  readonly bounds: Uint32Array;
  /** Of each range, of which there is one more, what digests say of its part. */
  readonly parts: BigUint64Array;
  /** Whether a key that is a separator is of the range behind it, or of that before it. */
  readonly isBehind: boolean;
  /** By their bytes; or, as cells of HBase, by their rows and, in a row, by their qualifiers. */
  readonly order: 'bytes' | 'cells';
}

/** Which ranges there are, one more than separators; those without a part have keys that are absent. */
export interface StatedRanges extends Pick<KeyRanges, 'isBehind' | 'order'> {
  readonly separators: readonly Uint8Array[];
  readonly parts: readonly (RangedPart | undefined)[];
}

/** Bits at the beginning of an array that no key has: positions of keys without a part are there. */
export const NOBODYS_BITS = 512;

const NOBODYS: RangedPart = { first: 0, bits: NOBODYS_BITS, k: 1, lineBits: NOBODYS_BITS };

/** Most bits of a part, and probes: what its word of a digest has room for. */
export const PART_BITS_LIMIT = 2 ** 40 - 1;
export const PART_PROBES_LIMIT = 2 ** 16 - 1;

/** The ranges of keys as the kernel takes them: src/kernel/assembly/systems/key-ranges.ts. */
export function keyRanges({ separators, parts, isBehind, order }: StatedRanges): KeyRanges {
  const bounds = shared(Uint32Array, separators.length + 1);
  let end = 0;
  for (const [i, { length }] of separators.entries()) bounds[i + 1] = end += length;
  const bytes = shared(Uint8Array, end);
  for (const [i, separator] of separators.entries()) bytes.set(separator, bounds[i]);
  const words = shared(BigUint64Array, 2 * parts.length);
  for (const [i, part] of parts.entries()) words.set(wordsOf(part ?? NOBODYS), 2 * i);
  return { separators: bytes, bounds, parts: words, isBehind, order };
}

function wordsOf({ first, bits, k, lineBits = 1 }: RangedPart): [bigint, bigint] {
  return [BigInt(first), BigInt(bits) | (BigInt(k) << 40n) | (BigInt(Math.log2(lineBits)) << 56n)];
}

const DIGITS = 12;

/**
 * The ranges in which random keys, which begin with random digits, are in a part as often as it has bits of all parts: who
 * asks about strangers does not know where these would be.
 */
export function rangesOfRandomKeys({ parts }: Pick<KeyRanges, 'parts'>): KeyRanges {
  const ranges = Array.from({ length: parts.length / 2 }, (_, i) => parts.subarray(2 * i, 2 * i + 2));
  // A part that several ranges have counts once for all of them.
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
