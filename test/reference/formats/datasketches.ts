// Bloom filters of Apache DataSketches, after bloom_filter_impl.hpp: https://github.com/apache/datasketches-cpp.

import { xxh64 } from '../xxh64.ts';
import { bitArrayFilter } from './bit-array-filter.ts';
import type { ForeignFilter, System } from './system.ts';

const EMPTY_BYTES = 24;
const HEADER_BYTES = 32;
const DIRTY = 2n ** 64n - 1n;

interface Parameters {
  readonly k: number;
  readonly seed: bigint;
  readonly words: number;
}

/** `((h0 + i * h1) >> 1) % num_bits`. */
export function sketchPositions(h0: bigint, h1: bigint, bits: bigint, k: number): bigint[] {
  return Array.from({ length: k }, (_, i) => (BigInt.asUintN(64, h0 + BigInt(i + 1) * h1) >> 1n) % bits);
}

/** If `isCounted`, the image has the number of ones; otherwise it has a mark that they were not counted. */
function filterOf({ k, seed, words }: Parameters, isCounted: boolean, file?: Uint8Array): ForeignFilter {
  const bits = 64 * words;
  const positions = (key: Uint8Array) => {
    const first = xxh64(key, seed);
    return sketchPositions(first, xxh64(key, first), BigInt(bits), k).map(Number);
  };
  const encode = (all: Uint8Array) => {
    const isEmpty = all.every((byte) => byte === 0);
    const bytes = new Uint8Array(isEmpty ? EMPTY_BYTES : HEADER_BYTES + all.length);
    const head = new DataView(bytes.buffer);
    bytes.set([isEmpty ? 3 : 4, 1, 21, isEmpty ? 4 : 0]);
    head.setUint16(4, k, true);
    head.setBigUint64(8, seed, true);
    head.setUint32(16, words, true);
    if (isEmpty) return bytes;
    const ones = [...all].reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);
    head.setBigUint64(EMPTY_BYTES, isCounted ? BigInt(ones) : DIRTY, true);
    bytes.set(all, HEADER_BYTES);
    return bytes;
  };
  const filter = bitArrayFilter({ bits, k, order: 'bytes', positions, encode }, file?.subarray(HEADER_BYTES));
  // The system ignores empty keys.
  return {
    ...filter,
    add: (key) => key.length > 0 && filter.add(key),
    has: (key) => key.length > 0 && filter.has(key),
  };
}

const vessel =
  (k: number, seed: bigint, words: number, keys: number, isCounted = true) =>
  () => ({
    filter: filterOf({ k, seed, words }, isCounted),
    keys,
  });

function make(items: number, fpr: number): ForeignFilter {
  const bits = Math.ceil((-items * Math.log(fpr)) / (Math.LN2 * Math.LN2));
  return filterOf({ k: Math.ceil(-Math.log(fpr) / Math.LN2), seed: 0n, words: Math.ceil(bits / 64) }, true);
}

export const datasketches: System = {
  decode(file) {
    const head = new DataView(file.buffer, file.byteOffset);
    const [k, seed, words] = [head.getUint16(4, true), head.getBigUint64(8, true), head.getUint32(16, true)];
    const isCounted = file.length === EMPTY_BYTES || head.getBigUint64(EMPTY_BYTES, true) !== DIRTY;
    return filterOf({ k, seed, words }, isCounted, file);
  },
  vessels: {
    'few words': vessel(7, 0n, 31, 200),
    'many words': vessel(7, 2n ** 64n - 1n, 1201, 8000),
    'a large seed, uncounted': vessel(10, 0x9e3779b97f4a7c15n, 1301, 5000, false),
    'no keys': vessel(3, 99n, 16, 0),
    'one word': vessel(1, 6n, 1, 30),
    'many hashes': vessel(300, 5n, 1501, 200),
  },
  makes: { datasketches: make },
  spoils: {
    'k = 0': (file) => file.setUint16(4, 0, true),
    'no words': (file) => file.setUint32(16, 0, true),
    'a word more': (file) => file.setUint32(16, file.getUint32(16, true) + 1, true),
    'a word less': (file) => file.setUint32(16, file.getUint32(16, true) - 1, true),
    '2^32 - 1 words': (file) => file.setUint32(16, 2 ** 32 - 1, true),
    'a flag that says that it is empty': (file) => file.setUint8(3, 4),
    'the preamble of an empty one': (file) => file.setUint8(0, 3),
    'another version': (file) => file.setUint8(1, 2),
    'another family': (file) => file.setUint8(2, 20),
  },
  mayHaveMore: false,
};
