import { damaged } from '../../errors.ts';
import type { FlatShape } from '../../filters/position-rules.ts';
import { requireProbes } from '../flat-file.ts';

/** A filter of RedisBloom, but for its bits: it is a chain of arrays, of which only the last takes keys. */
export interface Links {
  /** Keys that none of the arrays had when they were added. */
  readonly items: number;
  readonly options: number;
  /** How many times as many keys the next array is for; undefined in versions that write another header. */
  readonly growth: number | undefined;
  readonly links: readonly RedisLink[];
}

/** One whose header is as the latest version writes it. */
export interface ChangeableLinks extends Links {
  readonly growth: number;
}

/** One of the arrays. */
export interface RedisLink {
  /** Bytes of its bits, and how many of these positions reach. */
  readonly bytes: number;
  readonly bits: number;
  readonly k: number;
  /** What it was sized for. */
  readonly capacity: number;
  readonly fpr: number;
  readonly bitsPerKey: number;
  /** log2 of the number of bits that positions reach; 0 where that is all. */
  readonly power: number;
  /** Keys that it has. */
  readonly items: number;
}

/** Bits of the options: the size is no power of 2, hashes have 64 bits, there will be no further arrays. */
export const OPTIONS = { noRound: 1, force64: 4, noScaling: 8 } as const;

/** What a file says of one of the arrays; numbers that it gives as u64s may be any. */
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

/** Most bits that a file may claim for an array. */
const BITS_LIMIT = 2n ** 40n;

/**
 * How many bits positions reach. A link whose size is a power of two gives its log2; versions before 2.2 then state 0 bits beside
 * it (`bloom_init` of contrib/bloom.c).
 */
export function reachOf({ bits, power }: StatedLink): bigint {
  return power > 0n && power < 64n ? 2n ** power : bits;
}

/** An array of a file. Throws a `format` error for what none can be. */
export function linkOf(name: string, stated: StatedLink): RedisLink {
  const { bytes, k, capacity, fpr, bitsPerKey, power, items } = stated;
  const reached = reachOf(stated);
  requireProbes(name, reached, k);
  const isPossible = power < 64n && reached <= 8n * bytes && 8n * bytes <= BITS_LIMIT && fpr > 0 && fpr < 1;
  if (!isPossible) throw damaged(name, 'its header gives an impossible array of bits');
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

/** What fixes the bits of an array. */
export function shapeOf({ bits, k }: RedisLink): FlatShape {
  return { bits, k, rule: 'double-hashing', order: 'bytes' };
}
