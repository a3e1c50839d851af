// Guava's BloomFilter, after its BloomFilter.java and BloomFilterStrategies.java: https://github.com/google/guava.

import { murmur3Halves } from '../murmur3.ts';
import { bitArrayFilter } from './bit-array-filter.ts';
import { guavaInside, isSerialized } from './java-objects.ts';
import type { ForeignFilter, System } from './system.ts';

const HEADER_BYTES = 6;
const MITZ_32 = 0;
const MITZ_64 = 1;

interface Parameters {
  readonly strategy: number;
  readonly k: number;
  readonly words: number;
}

/** MURMUR128_MITZ_64: `combinedHash` as a long, without its sign. */
export function mitz64Positions([h1, h2]: readonly [bigint, bigint], bits: bigint, k: number): bigint[] {
  return Array.from({ length: k }, (_, i) => BigInt.asUintN(63, h1 + BigInt(i) * h2) % bits);
}

/** MURMUR128_MITZ_32, and version 1 of Spark: `combinedHash` as an int, all its bits flipped if it is negative. */
export function mitz32Positions(h1: bigint, h2: bigint, bits: bigint, k: number): bigint[] {
  return Array.from({ length: k }, (_, i) => {
    const combined = BigInt.asIntN(32, h1 + BigInt(i + 1) * h2);
    return (combined < 0n ? -1n - combined : combined) % bits;
  });
}

function filterOf({ strategy, k, words }: Parameters, file?: Uint8Array): ForeignFilter {
  const bits = BigInt(64 * words);
  const positions = (key: Uint8Array) => {
    const halves = murmur3Halves(key, 0n);
    const [first] = halves;
    return (
      strategy === MITZ_64 ? mitz64Positions(halves, bits, k) : mitz32Positions(first, first >> 32n, bits, k)
    ).map(Number);
  };
  const encode = (all: Uint8Array) => {
    const bytes = new Uint8Array(HEADER_BYTES + all.length);
    const head = new DataView(bytes.buffer);
    head.setInt8(0, strategy);
    head.setUint8(1, k);
    head.setInt32(2, words);
    bytes.set(all, HEADER_BYTES);
    return bytes;
  };
  return bitArrayFilter({ bits: 64 * words, k, order: 'be64', positions, encode }, file?.subarray(HEADER_BYTES));
}

/** `optimalNumOfBits`, and `optimalNumOfHashFunctions` up to release 33.3 and from 33.4 on. */
export function requestedBits(items: number, fpr: number): number {
  return Math.trunc((-items * Math.log(fpr)) / (Math.log(2) * Math.log(2)));
}

export function oldProbes(items: number, fpr: number): number {
  return Math.max(1, Math.floor((requestedBits(items, fpr) / items) * Math.log(2) + 0.5));
}

const newProbes = (_: number, fpr: number) => Math.max(1, Math.floor(-Math.log(fpr) / Math.log(2) + 0.5));

const make = (strategy: number, probes: typeof oldProbes) => (items: number, fpr: number) =>
  filterOf({ strategy, k: probes(items, fpr), words: Math.ceil(requestedBits(items, fpr) / 64) });

/** With few bits, many steps share a divisor with m, and the rate is higher than the fill predicts. */
const vessel = (strategy: number, k: number, words: number, keys: number) => () => ({
  filter: filterOf({ strategy, k, words }),
  keys,
});

export const guava: System = {
  decode(stored) {
    const file = isSerialized(stored) ? guavaInside(stored) : stored;
    const head = new DataView(file.buffer, file.byteOffset);
    const words = head.getInt32(2);
    return filterOf(
      { strategy: head.getInt8(0), k: head.getUint8(1), words },
      file.subarray(0, HEADER_BYTES + 8 * words),
    );
  },
  vessels: {
    'few words': vessel(MITZ_64, 7, 31, 200),
    'many words': vessel(MITZ_64, 7, 1201, 8000),
    'few words, 32 bits': vessel(MITZ_32, 3, 29, 400),
    'many words, 32 bits': vessel(MITZ_32, 5, 1301, 9000),
    'one word': vessel(MITZ_64, 1, 1, 30),
    'k = 255': vessel(MITZ_64, 255, 1501, 300),
    'k = 255, 32 bits': vessel(MITZ_32, 255, 1501, 300),
    'too many keys': vessel(MITZ_64, 7, 61, 1500),
  },
  makes: {
    guava: make(MITZ_64, oldProbes),
    'guava-33.4': make(MITZ_64, newProbes),
    'guava-mitz32': make(MITZ_32, oldProbes),
  },
  spoils: {
    'k = 0': (file) => file.setUint8(1, 0),
    'no words': (file) => file.setInt32(2, 0),
    'a word more': (file) => file.setInt32(2, file.getInt32(2) + 1),
    'a word less': (file) => file.setInt32(2, file.getInt32(2) - 1),
    '2^31 - 1 words': (file) => file.setInt32(2, 2 ** 31 - 1),
    '-1 words': (file) => file.setInt32(2, -1),
    'another strategy': (file) => file.setInt8(0, 2),
  },
  mayHaveMore: false,
};
