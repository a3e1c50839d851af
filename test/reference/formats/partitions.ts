// Filters of which each has the keys of a range for itself.

import type { ForeignFilter } from './system.ts';

/** A filter that is a part: bits in which a key has positions. */
export interface Partition {
  readonly bits: number;
  readonly k: number;
  /** Bits among which a key has all of its positions. */
  readonly lineBits: number;
  /** Positions of a key are steps of one length. */
  readonly isStepped: boolean;
  readonly bytes: Uint8Array;
  positions(key: Uint8Array): readonly number[];
}

/** A filter of such parts. `partOf` gives the number of that of a key; undefined if the key is of none. */
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
      // Of what is in no range there are no keys.
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

/** How often a non-member of a part is found: it is in each line as often. */
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
 * Of m steps, some come back to where they began after fewer than k positions. Where m is a power of 2, those of a non-member
 * that are as long as a member's, or m without that, meet up to k positions of it.
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
