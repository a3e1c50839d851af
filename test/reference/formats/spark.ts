// The BloomFilter of Spark's sketches, after BloomFilterImpl.java, BloomFilterImplV2.java and Murmur3_x86_32.java:
// https://github.com/apache/spark, common/sketch.

import { bitArrayFilter } from './bit-array-filter.ts';
import { mitz32Positions, oldProbes, requestedBits } from './guava.ts';
import { isSerialized, sparkInside } from './java-objects.ts';
import type { ForeignFilter, System } from './system.ts';

const int = (value: bigint) => BigInt.asUintN(32, value);
const rotate = (value: bigint, by: bigint) => int(value << by) | (value >> (32n - by));

function mixed(hash: bigint, block: bigint): bigint {
  const scrambled = int(rotate(int(block * 0xcc9e2d51n), 15n) * 0x1b873593n);
  return int(rotate(hash ^ scrambled, 13n) * 5n + 0xe6546b64n);
}

/** `hashUnsafeBytes`, in which each byte after the last whole word is a signed word. */
export function sparkMurmur3(bytes: Uint8Array, seed: bigint): bigint {
  const words = Math.floor(bytes.length / 4);
  let hash = int(seed);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let word = 0; word < words; word++) hash = mixed(hash, BigInt(view.getUint32(4 * word, true)));
  for (let at = 4 * words; at < bytes.length; at++) hash = mixed(hash, int(BigInt(view.getInt8(at))));
  hash ^= BigInt(bytes.length);
  hash = int((hash ^ (hash >> 16n)) * 0x85ebca6bn);
  hash = int((hash ^ (hash >> 13n)) * 0xc2b2ae35n);
  return hash ^ (hash >> 16n);
}

/** The positions of version 2. `combinedHash` is a long; flipping its bits for an index does not change it. */
export function version2Positions(h1: bigint, h2: bigint, bits: bigint, k: number): bigint[] {
  let combined = BigInt.asIntN(64, BigInt.asIntN(32, h1) * (2n ** 31n - 1n));
  return Array.from({ length: k }, () => {
    combined = BigInt.asIntN(64, combined + BigInt.asIntN(32, h2));
    return (combined < 0n ? -1n - combined : combined) % bits;
  });
}

interface Parameters {
  readonly version: number;
  readonly k: number;
  readonly seed: number;
  readonly words: number;
}

const headerBytes = (version: number) => (version === 1 ? 12 : 16);

function filterOf({ version, k, seed, words }: Parameters, wordBytes?: Uint8Array): ForeignFilter {
  const positions = (key: Uint8Array) => {
    const h1 = sparkMurmur3(key, BigInt(seed));
    const h2 = sparkMurmur3(key, h1);
    return (version === 1 ? mitz32Positions : version2Positions)(h1, h2, BigInt(64 * words), k).map(Number);
  };
  const encode = (all: Uint8Array) => {
    const bytes = new Uint8Array(headerBytes(version) + all.length);
    const head = new DataView(bytes.buffer);
    for (const [i, value] of (version === 1 ? [version, k, words] : [version, k, seed, words]).entries())
      head.setInt32(4 * i, value);
    bytes.set(all, headerBytes(version));
    return bytes;
  };
  return bitArrayFilter({ bits: 64 * words, k, order: 'be64', positions, encode }, wordBytes);
}

const vessel = (version: number, k: number, seed: number, words: number, keys: number) => () => ({
  filter: filterOf({ version, k, seed, words }),
  keys,
});

const make = (version: number) => (items: number, fpr: number) =>
  filterOf({ version, k: oldProbes(items, fpr), seed: 0, words: Math.ceil(requestedBits(items, fpr) / 64) });

export const spark: System = {
  decode(stored) {
    const file = isSerialized(stored) ? sparkInside(stored) : stored;
    const head = new DataView(file.buffer, file.byteOffset);
    const version = head.getInt32(0);
    const begin = headerBytes(version);
    const words = head.getInt32(begin - 4);
    const seed = version === 1 ? 0 : head.getInt32(8);
    return filterOf({ version, k: head.getInt32(4), seed, words }, file.subarray(begin, begin + 8 * words));
  },
  vessels: {
    'few words': vessel(1, 5, 0, 23, 200),
    'many words': vessel(1, 5, 0, 1301, 9000),
    'few words, version 2': vessel(2, 5, 0, 23, 200),
    'many words, version 2, a seed': vessel(2, 7, 123_456_789, 1201, 8000),
    'a seed below 0': vessel(2, 3, -123_456, 61, 600),
    'one word': vessel(2, 1, 1, 1, 30),
    'k = 300': vessel(1, 300, 0, 1501, 200),
    'too many keys': vessel(1, 7, 0, 61, 1500),
  },
  makes: { spark: make(2), 'spark-1': make(1), 'spark-2': make(2) },
  spoils: {
    'k = 0': (file) => file.setInt32(4, 0),
    'k = 2^15 + 1': (file) => file.setInt32(4, 2 ** 15 + 1),
    'k = -1': (file) => file.setInt32(4, -1),
    'no words': (file) => file.setInt32(8, 0),
    'a word more': (file) => file.setInt32(8, file.getInt32(8) + 1),
    'a word less': (file) => file.setInt32(8, file.getInt32(8) - 1),
    '2^31 - 1 words': (file) => file.setInt32(8, 2 ** 31 - 1),
    '-1 words': (file) => file.setInt32(8, -1),
    'version 0': (file) => file.setInt32(0, 0),
    'version 3': (file) => file.setInt32(0, 3),
  },
  mayHaveMore: false,
};
