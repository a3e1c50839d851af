// The Filter.db of Cassandra, after its BloomFilter.java, MurmurHash.java and OffHeapBitSet.java. Their versions differ.
// https://github.com/apache/cassandra

import { murmur3Halves } from '../murmur3.ts';
import { bitArrayFilter } from './bit-array-filter.ts';
import type { ForeignFilter, System } from './system.ts';

const HEADER_BYTES = 8;

interface Parameters {
  readonly variant: string;
  readonly k: number;
  readonly words: number;
}

/** A word of signed bytes, `(long) key.get(...)`, each shifted to its position; bytes after the end are 0. */
function signedWordAt(bytes: Uint8Array, at: number): bigint {
  let word = 0n;
  for (const [i, byte] of bytes.subarray(at, at + 8).entries()) word ^= BigInt.asIntN(8, BigInt(byte)) << BigInt(8 * i);
  return BigInt.asUintN(64, word);
}

/** The hash of a key, as two words. */
export function cassandraHash(key: Uint8Array): readonly [bigint, bigint] {
  return murmur3Halves(key, 0n, signedWordAt);
}

/** `Math.abs(base % max)`, where the base is a long. */
export function cassandraPositions(base: bigint, step: bigint, bits: bigint, k: number): bigint[] {
  return Array.from({ length: k }, (_, i) => {
    const rest = BigInt.asIntN(64, base + BigInt(i) * step) % bits;
    return rest < 0n ? -rest : rest;
  });
}

function filterOf({ variant, k, words }: Parameters, file?: Uint8Array): ForeignFilter {
  const bits = 64 * words;
  const positions = (key: Uint8Array) => {
    const [a, b] = cassandraHash(key);
    const [base, step] = variant === 'cassandra-2' ? [a, b] : [b, a];
    return cassandraPositions(base, step, BigInt(bits), k).map(Number);
  };
  const encode = (all: Uint8Array) => {
    const bytes = new Uint8Array(HEADER_BYTES + all.length);
    const head = new DataView(bytes.buffer);
    head.setInt32(0, k);
    head.setInt32(4, words);
    bytes.set(all, HEADER_BYTES);
    return bytes;
  };
  const order = variant === 'cassandra-4' ? 'bytes' : 'be64';
  return bitArrayFilter({ bits, k, order, positions, encode }, file?.subarray(HEADER_BYTES));
}

const vessel = (variant: string, k: number, words: number, keys: number) => () => ({
  filter: filterOf({ variant, k, words }),
  keys,
  variant,
});

/** The most hash functions for 2 to 20 bits per key in `BloomCalculations`; its rates are from Fan et al. 2000, "Summary cache". */
const MOST = [2, 3, 4, 5, 6, 6, 7, 8, 8, 8, 8, 9, 10, 10, 11, 12, 12, 13, 14];
const rateOf = (bits: number, k: number) =>
  Number(((1 - Math.exp(-k / bits)) ** k)[bits < 6 ? 'toFixed' : 'toPrecision'](3));
const RATES = MOST.map((most, i) => Array.from({ length: most }, (_, j) => rateOf(i + 2, j + 1)));

/** `computeBloomSpec`. */
const make = (variant: string) => (items: number, fpr: number) => {
  const row = RATES.findIndex((rates) => Math.min(...rates) <= fpr);
  let k = 1 + (RATES[row]?.indexOf(Math.min(...(RATES[row] ?? []))) ?? 0);
  while (k > 1 && (RATES[row]?.[k - 2] ?? 1) <= fpr) k--;
  const [probes, each] = fpr >= 0.393 ? [2, 1] : [k, row + 2];
  return filterOf({ variant, k: probes, words: Math.floor((items * each + 19) / 64) + 1 });
};

export const cassandra: System = {
  decode(file, variant = '') {
    const head = new DataView(file.buffer, file.byteOffset);
    return filterOf({ variant, k: head.getInt32(0), words: head.getInt32(4) }, file);
  },
  vessels: {
    'new words': vessel('cassandra-4', 5, 31, 200),
    'many new words': vessel('cassandra-4', 7, 1201, 6000),
    'old words': vessel('cassandra-3', 5, 1301, 8000),
    'old words, old order': vessel('cassandra-2', 10, 1401, 4000),
    'one word': vessel('cassandra-4', 1, 1, 30),
    'too many keys': vessel('cassandra-3', 20, 61, 1500),
  },
  makes: {
    'cassandra-2': make('cassandra-2'),
    'cassandra-3': make('cassandra-3'),
    'cassandra-4': make('cassandra-4'),
  },
  spoils: {
    'k = 0': (file) => file.setInt32(0, 0),
    'k = 21': (file) => file.setInt32(0, 21),
    'no words': (file) => file.setInt32(4, 0),
    'a word more': (file) => file.setInt32(4, file.getInt32(4) + 1),
    'a word less': (file) => file.setInt32(4, file.getInt32(4) - 1),
    '2^31 - 1 words': (file) => file.setInt32(4, 2 ** 31 - 1),
    '2^32 - 1 words': (file) => file.setInt32(4, -1),
  },
  mayHaveMore: false,
};
