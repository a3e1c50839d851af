import { damaged } from '../../errors.ts';
import type { BitArrayShape } from '../../filters/position-rules.ts';
import { requireProbes } from '../bit-array-file.ts';

/** A filter of RedisBloom without its bits. It is a chain of arrays, and new keys go into the last array. */
export interface Links {
  /** Keys that no array had when they were added. */
  readonly items: number;
  readonly options: number;
  /** The growth factor of the next array. Undefined in versions with another header. */
  readonly growth: number | undefined;
  readonly links: readonly RedisLink[];
}

/** A filter with the header of the latest version. */
export interface ChangeableLinks extends Links {
  readonly growth: number;
}

/** One of the arrays. */
export interface RedisLink {
  /** Bytes of its bits, and the number of bits that positions reach. */
  readonly bytes: number;
  readonly bits: number;
  readonly k: number;
  /** The keys that it was sized for. */
  readonly capacity: number;
  readonly fpr: number;
  readonly bitsPerKey: number;
  /** log2 of the number of bits that positions reach. 0 if they reach all bits. */
  readonly power: number;
  /** Keys of this array. */
  readonly items: number;
}

/** Flags of the options: the size is not a power of 2, hashes have 64 bits, the filter does not grow. */
export const OPTIONS = { noRound: 1, force64: 4, noScaling: 8 } as const;

/** The fields of an array in a file. The u64 fields may have any value. */
export interface StatedLink {
  readonly bytes: bigint;
  readonly bits: bigint;
  readonly k: bigint;
  readonly capacity: bigint;
  readonly fpr: number;
  readonly bitsPerKey: number;
  readonly power: bigint;
  readonly items: bigint;
}

/** The largest number of bits that a file may state for an array. */
const BITS_LIMIT = 2n ** 40n;

/**
 * The number of bits that positions reach. A link whose size is a power of two has its log2; versions before 2.2 then
 * state 0 bits beside it (`bloom_init` of contrib/bloom.c).
 */
export function reachOf({ bits, power }: StatedLink): bigint {
  return power > 0n && power < 64n ? 2n ** power : bits;
}

/** An array of a file. Throws a `format` error if it is impossible. */
export function linkOf(name: string, stated: StatedLink): RedisLink {
  const { bytes, k, capacity, fpr, bitsPerKey, power, items } = stated;
  const reached = reachOf(stated);
  requireProbes(name, reached, k);
  const isPossible = power < 64n && reached <= 8n * bytes && 8n * bytes <= BITS_LIMIT && fpr > 0 && fpr < 1;
  if (!isPossible) throw damaged(name, 'its header states an impossible array of bits');
  return {
    bytes: Number(bytes),
    bits: Number(reached),
    k: Number(k),
    capacity: Number(capacity),
    fpr,
    bitsPerKey,
    power: Number(power),
    items: Number(items),
  };
}

/** The shape of the bits of an array. */
export function shapeOf({ bits, k }: RedisLink): BitArrayShape {
  return { bits, k, rule: 'double-hashing', order: 'bytes' };
}
