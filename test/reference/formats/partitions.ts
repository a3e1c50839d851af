// Filters in partitions, each of which has the keys of one range.

import type { ForeignFilter } from './system.ts';

/** A partition: a bit array in which a key has positions. */
export interface Partition {
  readonly bits: number;
  readonly k: number;
  /** The size of the lines; all positions of a key are in one line. */
  readonly lineBits: number;
  /** The positions of a key are equally far apart. */
  readonly isStepped: boolean;
  readonly bytes: Uint8Array;
  positions(key: Uint8Array): readonly number[];
}

/** A filter of partitions. `partOf` gives the index of a key's partition; undefined if the key has none. */
export function partitionedFilter(
  parts: readonly Partition[],
  partOf: (key: Uint8Array) => number | undefined,
  encode: () => Uint8Array,
): ForeignFilter {
  const of = (key: Uint8Array) => {
    const part = partOf(key);
    return part === undefined ? undefined : parts[part];
  };
  const all = parts.reduce((sum, { bits }) => sum + bits, 0);
  return {
    add(key) {
      const part = of(key);
      // A key outside all ranges is not added.
      if (part === undefined) return;
      for (const at of part.positions(key)) part.bytes[at >> 3] = (part.bytes[at >> 3] ?? 0) | (1 << (at & 7));
    },
    has(key) {
      const part = of(key);
      return part?.positions(key).every((at) => (((part.bytes[at >> 3] ?? 0) >> (at & 7)) & 1) === 1) ?? false;
    },
    fill: () => parts.reduce((sum, part) => sum + onesIn(part, 0, part.bits), 0) / all,
    rate: () => parts.reduce((sum, part) => sum + (part.bits / all) * rateOf(part), 0),
    encode,
  };
}

function onesIn({ bytes }: Partition, from: number, to: number): number {
  let ones = 0;
  for (let at = from; at < to; at++) ones += ((bytes[at >> 3] ?? 0) >> (at & 7)) & 1;
  return ones;
}

/** The false-positive rate of a partition. A non-member is equally likely in each line. */
function rateOf(part: Partition): number {
  const { bits, k, lineBits, isStepped } = part;
  let sum = 0;
  for (let line = 0; line < bits; line += lineBits) {
    const fill = onesIn(part, line, line + lineBits) / lineBits;
    sum += isStepped ? steppedRate(fill, lineBits, k) : fill ** k;
  }
  return sum / (bits / lineBits);
}

/**
 * Some of the m steps return to their start after fewer than k positions. If m is a power of 2, a non-member can have the
 * step of a member, or m minus that step. It then shares up to k positions with the member.
 */
function steppedRate(fill: number, m: number, k: number): number {
  let rate = 0;
  for (let step = 0; step < m; step++) rate += fill ** Math.min(k, m / greatestDivisor(step, m)) / m;
  if (fill === 1 || !Number.isInteger(Math.log2(m))) return rate;
  const members = (-m / k) * Math.log(1 - fill);
  for (let apart = 1 - k; apart < k; apart++) rate += ((2 * members) / m ** 2) * (fill ** Math.abs(apart) - fill ** k);
  return Math.min(1, rate);
}

function greatestDivisor(a: number, b: number): number {
  return a === 0 ? b : greatestDivisor(b % a, a);
}
