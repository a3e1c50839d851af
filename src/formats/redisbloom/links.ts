import { damaged } from '../../errors.ts';
import type { FlatShape } from '../../filters/position-rules.ts';
import { requireProbes } from '../flat-file.ts';

/** A filter of RedisBloom, but for its bits: it is a chain of arrays, of which only the last takes keys. */
export interface Links {
  /** Keys that none of the arrays had when they were added. */
  readonly items: number;
  readonly options: number;
  readonly links: readonly Link[];
}

/** One of the arrays. */
export interface Link {
  /** Bytes of its bits, and how many of these positions reach. */
  readonly bytes: number;
  readonly bits: number;
  readonly k: number;
  /** What it was sized for. */
  readonly capacity: number;
  readonly fpr: number;
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
  /** log2 of the number of bits that positions reach; 0 where that is all. */
  readonly power: bigint;
}

/** Most bits that a file may claim for an array. */
const BITS_LIMIT = 2n ** 40n;

/** An array of a file. Throws a `format` error for what none can be. */
export function linkOf(name: string, { bytes, bits, k, capacity, fpr, power }: StatedLink): Link {
  requireProbes(name, bits, k);
  const reached = power > 0n && power < 64n ? 2n ** power : bits;
  const isPossible = power < 64n && reached <= 8n * bytes && 8n * bytes <= BITS_LIMIT && fpr > 0 && fpr < 1;
  if (!isPossible) throw damaged(name, 'its header gives an impossible array of bits');
  return { bytes: Number(bytes), bits: Number(reached), k: Number(k), capacity: Number(capacity), fpr };
}

/** What fixes the bits of an array. */
export function shapeOf({ bits, k }: Link): FlatShape {
  return { bits, k, rule: 'double-hashing', order: 'bytes' };
}
