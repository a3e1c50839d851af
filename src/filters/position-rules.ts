import type { BitArrayAddress, Kernel } from '../kernel/kernel.ts';
import { BLOCK_BITS } from '../sizing/blocked.ts';
import { STEPS, type Steps } from '../sizing/steps.ts';
import type { RangedPart } from './kind.ts';

/**
 * Writes positions, as u64s, to kernel memory: positions `from` to `to` of each of `count` keys, given by the u32 indices of their digests.
 * The parameters are u64s.
 *
 * There is at least one key and one position. The loops test at their end, so that V8 hoists their invariants.
 */
export type WritePositions = (
  digests: number,
  keys: number,
  count: number,
  from: number,
  to: number,
  positions: number,
  parameters: number,
) => void;

/**
 * Tests keys whose positions are in memory. Writes one byte per key at `hits`: 1 if the bits at all of its positions together are those of
 * an added key.
 */
export type TestTogether = (
  array: BitArrayAddress,
  positions: number,
  count: number,
  digests: number,
  keys: number,
  hits: number,
  parameters: number,
) => void;

/** How the digest of a key becomes positions in a bit array. */
export interface PositionRule {
  /** Digests have this number of 64-bit words. */
  readonly words: number;
  /** A key has one position in each word of one 256-bit block, so the ones of an array alone do not determine its rate. */
  readonly inBlocks?: true;
  /** The positions of a key are steps, and therefore not independent. */
  readonly steps?: Steps;
  /** The parameters of the kernel's loop for an array. */
  parameters(array: Pick<BitArrayShape, 'bits' | 'buckets' | 'digest' | 'constants'>): readonly bigint[];
  /** The loop in a kernel. */
  entry(kernel: Kernel): WritePositions;
  /** For arrays of fingerprints, which lie in one memory: a fingerprint is not present just because its positions are ones. */
  together?(kernel: Kernel): TestTogether;
}

const WORD_BYTES = 8;

const NO_BUCKETS: Buckets = { count: 0, bits: 0 };

/** For rules that need only digests. */
const NONE: PositionRule['parameters'] = () => [];

/** Every rule, by the name that formats use. */
export const POSITION_RULES = {
  /** The words of a digest are the positions: each position is a separate hash. */
  hashed: {
    words: 1,
    parameters: ({ digest = { words: 1, first: 0 } }) => [
      BigInt(WORD_BYTES * digest.words),
      BigInt(WORD_BYTES * digest.first),
    ],
    entry: ({ exports }) => exports.hashedPositions,
  },
  /** (h1 + i h2 mod 2^64) mod m, i from 0: RedisBloom. */
  'double-hashing': {
    words: 2,
    steps: STEPS['double-hashing'],
    parameters: ({ bits }) => [BigInt(bits)],
    entry: ({ exports }) => exports.doubleHashing,
  },
  /** (h1 + i h2 mod 2^63) mod m, i from 0: MURMUR128_MITZ_64 of Guava. */
  'guava-64': {
    words: 2,
    steps: STEPS['guava-64'],
    parameters: ({ bits }) => [BigInt(bits)],
    entry: ({ exports }) => exports.doubleHashing63,
  },
  /** |h1 + i h2| mod m, i from 1, in 32 bits, with h1 and h2 the halves of the first word: MURMUR128_MITZ_32 of Guava. */
  'guava-32': {
    words: 2,
    steps: STEPS['guava-32'],
    parameters: ({ bits }) => [BigInt(bits), 16n],
    entry: ({ exports }) => exports.doubleHashing32,
  },
  /** |h1 + i h2| mod m, i from 1, in 32 bits: version 1 of Spark's sketches, and ORC. */
  'spark-1': {
    words: 1,
    steps: STEPS['spark-1'],
    parameters: ({ bits }) => [BigInt(bits), 8n],
    entry: ({ exports }) => exports.doubleHashing32,
  },
  /** |(2^31 - 1) h1 + i h2| mod m, i from 1, in 64 bits: version 2 of Spark's sketches. */
  'spark-2': {
    words: 1,
    steps: STEPS['spark-2'],
    parameters: ({ bits }) => [BigInt(bits)],
    entry: ({ exports }) => exports.sparkPositions,
  },
  /** |h2 + i h1| mod m, i from 0, in 64 bits: Cassandra from 3.0 on. */
  cassandra: {
    words: 2,
    steps: STEPS.cassandra,
    parameters: ({ bits }) => [BigInt(bits), 8n],
    entry: ({ exports }) => exports.cassandraPositions,
  },
  /** |h1 + i h2| mod m, i from 0, in 64 bits: Cassandra before 3.0. */
  'cassandra-2': {
    words: 2,
    steps: STEPS['cassandra-2'],
    parameters: ({ bits }) => [BigInt(bits), 0n],
    entry: ({ exports }) => exports.cassandraPositions,
  },
  /** (h0 + i h1 mod 2^64) / 2 mod m, i from 1: Apache DataSketches. The position of an empty key is m, a bit after its array. */
  datasketches: {
    words: 2,
    steps: STEPS.datasketches,
    parameters: ({ bits }) => [BigInt(bits - 1)],
    entry: ({ exports }) => exports.datasketchesPositions,
  },
  /** x_i mod m, with x_i = (x_(i-1) G mod 2^64) mod P: DCSO bloom. */
  dcso: {
    words: 1,
    steps: STEPS.dcso,
    parameters: ({ bits }) => [BigInt(bits)],
    entry: ({ exports }) => exports.dcsoPositions,
  },
  /** (a_i + i b_i mod 2^64) mod m, with alternating words: bits-and-blooms. */
  'bits-and-blooms': {
    words: 4,
    steps: STEPS['bits-and-blooms'],
    parameters: ({ bits }) => [BigInt(bits)],
    entry: ({ exports }) => exports.bitsAndBloomsPositions,
  },
  /** The first position in a cache, if there is one, and k positions in the key's bucket: poppy, version 2. */
  poppy: {
    words: 2,
    steps: STEPS.poppy,
    parameters: ({ bits, buckets = NO_BUCKETS }) => [
      BigInt(buckets.count),
      BigInt(bits - buckets.count * buckets.bits),
    ],
    entry: ({ exports }) => exports.poppyPositions,
  },
  /** One position in each of the 8 words of a 256-bit block: Parquet. */
  'split-blocks': {
    words: 1,
    inBlocks: true,
    parameters: ({ bits }) => [BigInt(bits / BLOCK_BITS)],
    entry: ({ exports }) => exports.blockedPositions,
  },
  /** |(h1 + i h2) rem m|, in signed 32-bit numbers, with the bits m of a part: HBase. */
  hbase: { words: 3, steps: STEPS.hbase, parameters: NONE, entry: ({ exports }) => exports.hbasePositions },
  /** Positions in a 512-bit line of a part: FastLocalBloom of RocksDB. */
  'local-bloom': { words: 3, parameters: NONE, entry: ({ exports }) => exports.localBloomPositions },
  /** (h + i d mod 2^32) mod m, where d is h rotated, with the bits m of a part: LevelDB. */
  leveldb: { words: 3, steps: STEPS.leveldb, parameters: NONE, entry: ({ exports }) => exports.leveldbPositions },
  /** The same in a line of a part: older filters of RocksDB. */
  'rocksdb-legacy': {
    words: 3,
    steps: STEPS['rocksdb-legacy'],
    parameters: NONE,
    entry: ({ exports }) => exports.rocksdbLegacyPositions,
  },
  /** Two buckets, one of which may have the fingerprint: cuckoo filters of RedisBloom. */
  'cuckoo-buckets': {
    words: 1,
    parameters: ({ constants = [] }) => constants,
    entry: ({ exports }) => exports.cuckooImagePositions,
    together: ({ exports }) => exports.cuckooImageTest,
  },
  /** Three slots whose XOR is the fingerprint: images of binary fuse filters. */
  'binary-fuse': {
    words: 1,
    parameters: ({ constants = [] }) => constants,
    entry: ({ exports }) => exports.binaryFusePositions,
    together: ({ exports }) => exports.binaryFuseTest,
  },
} as const satisfies Readonly<Record<string, PositionRule>>;

export type PositionRuleName = keyof typeof POSITION_RULES;

/** Equal sections at the beginning of an array. A key has most of its positions in one of them. */
export interface Buckets {
  readonly count: number;
  /** Bits per bucket. A page holds whole buckets. */
  readonly bits: number;
}

/** The numbers that fix the bits of a bit array, besides its keys. */
export interface BitArrayShape {
  /** m: any number up to 2^40. */
  readonly bits: number;
  /** The number of hash functions, k, up to `PROBES_LIMIT`. */
  readonly k: number;
  readonly rule: PositionRuleName;
  /**
   * The order of bits. `bytes`: bit i is bit `i % 8` (from the lowest) of byte `i / 8`. `be64`: the same in 64-bit words with the highest
   * byte first.
   */
  readonly order: 'bytes' | 'be64';
  /** The buckets, if there are some; the bits after them belong to all keys. */
  readonly buckets?: Buckets;
  /** For a rule that accepts digests of any length: the length, and the index of the first word for this array. */
  readonly digest?: { readonly words: number; readonly first: number };
  /** Further parameters of the rule. */
  readonly constants?: readonly bigint[];
  /** The bytes are slots; an empty slot is 0. */
  readonly hasSlots?: true;
  /** The number of each key's first probes that do not count as set bits. */
  readonly uncounted?: number;
  /** The parts of the array, if digests name the part that has the positions of a key. */
  readonly parts?: readonly RangedPart[];
}

/** The largest number of hash functions. */
export const PROBES_LIMIT = 2 ** 15;
