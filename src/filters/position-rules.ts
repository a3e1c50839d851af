import type { BitArrayAddress, Kernel } from '../kernel/kernel.ts';
import { BLOCK_BITS } from '../sizing/blocked.ts';
import { STEPS, type Steps } from '../sizing/steps.ts';
import type { RangedPart } from './kind.ts';

/**
 * Writes positions in kernel memory: u64s, number `from` to `to` of each of `count` keys, which are the u32 indices of
 * their digests. The parameters are u64s. There is a key at least, and a position: these loops end with their test, so that
 * V8 computes before them what is the same in each round.
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
 * Tests keys whose positions are in memory: writes a byte each at `hits`, 1 if what is at all of them together is what it is of a
 * key that was added.
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

/** How the digest of a key becomes positions in an array of bits. */
export interface PositionRule {
  /** 64-bit words of the digests that it takes. */
  readonly words: number;
  /** A key has one position in each word of one block of 256 bits, so that the ones of an array say little of its rate. */
  readonly inBlocks?: true;
  /** The positions of a key are steps, and so are not independent. */
  readonly steps?: Steps;
  /** What its loop is told of an array. */
  parameters(array: Pick<FlatShape, 'bits' | 'buckets' | 'digest' | 'constants'>): readonly bigint[];
  /** The loop of a kernel. */
  entry(kernel: Kernel): WritePositions;
  /** For arrays of fingerprints, which lie in one memory: that of a key is not there for each of its positions being ones. */
  together?(kernel: Kernel): TestTogether;
}

const WORD_BYTES = 8;

const NO_BUCKETS: Buckets = { count: 0, bits: 0 };

/** Of rules to which digests say all that there is to know. */
const NONE: PositionRule['parameters'] = () => [];

/** Every rule, by the name that formats call it. */
export const POSITION_RULES = {
  /** Words of the digest are the positions: where each of them takes a hash of its own. */
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
  /** |h1 + i h2| mod m, i from 1, in 32 bits, of the halves of the first word: MURMUR128_MITZ_32 of Guava. */
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
  /** (h0 + i h1 mod 2^64) / 2 mod m, i from 1; of an empty key m, a bit behind those of its array: Apache DataSketches. */
  datasketches: {
    words: 2,
    steps: STEPS.datasketches,
    parameters: ({ bits }) => [BigInt(bits - 1)],
    entry: ({ exports }) => exports.datasketchesPositions,
  },
  /** x_i mod m, of a sequence x_i = (x_(i-1) G mod 2^64) mod P: DCSO bloom. */
  dcso: {
    words: 1,
    steps: STEPS.dcso,
    parameters: ({ bits }) => [BigInt(bits)],
    entry: ({ exports }) => exports.dcsoPositions,
  },
  /** (a_i + i b_i mod 2^64) mod m, of words that take turns: bits-and-blooms. */
  'bits-and-blooms': {
    words: 4,
    steps: STEPS['bits-and-blooms'],
    parameters: ({ bits }) => [BigInt(bits)],
    entry: ({ exports }) => exports.bitsAndBloomsPositions,
  },
  /** The first in a cache, if there is one, and k in the bucket of a key: poppy, version 2. */
  poppy: {
    words: 2,
    steps: STEPS.poppy,
    parameters: ({ bits, buckets = NO_BUCKETS }) => [
      BigInt(buckets.count),
      BigInt(bits - buckets.count * buckets.bits),
    ],
    entry: ({ exports }) => exports.poppyPositions,
  },
  /** One in each of the 8 words of a block of 256 bits: Parquet. */
  'split-blocks': {
    words: 1,
    inBlocks: true,
    parameters: ({ bits }) => [BigInt(bits / BLOCK_BITS)],
    entry: ({ exports }) => exports.blockedPositions,
  },
  /** |(h1 + i h2) rem m|, as numbers of 32 bits with signs, of the bits of a part: HBase. */
  hbase: { words: 3, steps: STEPS.hbase, parameters: NONE, entry: ({ exports }) => exports.hbasePositions },
  /** In a line of 512 bits of a part: FastLocalBloom of RocksDB. */
  'local-bloom': { words: 3, parameters: NONE, entry: ({ exports }) => exports.localBloomPositions },
  /** (h + i d mod 2^32) mod m, where d is h rotated, of the bits of a part: LevelDB. */
  leveldb: { words: 3, steps: STEPS.leveldb, parameters: NONE, entry: ({ exports }) => exports.leveldbPositions },
  /** The same in a line of a part: older filters of RocksDB. */
  'rocksdb-legacy': {
    words: 3,
    steps: STEPS['rocksdb-legacy'],
    parameters: NONE,
    entry: ({ exports }) => exports.rocksdbLegacyPositions,
  },
  /** Two buckets, of which one may have the fingerprint: cuckoo filters of RedisBloom. */
  'cuckoo-buckets': {
    words: 1,
    parameters: ({ constants = [] }) => constants,
    entry: ({ exports }) => exports.cuckooImagePositions,
    together: ({ exports }) => exports.cuckooImageTest,
  },
  /** Three slots, whose XOR is the fingerprint: images of binary fuse filters. */
  'binary-fuse': {
    words: 1,
    parameters: ({ constants = [] }) => constants,
    entry: ({ exports }) => exports.binaryFusePositions,
    together: ({ exports }) => exports.binaryFuseTest,
  },
} as const satisfies Readonly<Record<string, PositionRule>>;

export type PositionRuleName = keyof typeof POSITION_RULES;

/** Equal parts at the beginning of an array, in one of which a key has most of its positions. */
export interface Buckets {
  readonly count: number;
  /** Of each: so many that pages have whole ones. */
  readonly bits: number;
}

/** What fixes the bits of a flat array, besides its keys. */
export interface FlatShape {
  /** m: any number up to 2^40. */
  readonly bits: number;
  /** Probes a key, up to `PROBES_LIMIT`. */
  readonly k: number;
  readonly rule: PositionRuleName;
  /**
   * `bytes`: bit i is bit `i % 8`, counted from the lowest, of byte `i / 8`; `be64`: so it is in words of 64 bits, of which
   * the highest byte comes first.
   */
  readonly order: 'bytes' | 'be64';
  /** Where there are some; what follows them are bits of all keys. */
  readonly buckets?: Buckets;
  /** Where the rule takes digests of any length: how long they are, and the first of the words that are of this array. */
  readonly digest?: { readonly words: number; readonly first: number };
  /** What else the rule is told. */
  readonly constants?: readonly bigint[];
  /** Its bytes are slots, of which those that are empty are 0. */
  readonly hasSlots?: true;
  /** Probes, the first of each key, in which it is not counted that they set a bit. */
  readonly uncounted?: number;
  /** Where digests say in which of these a key has its positions. */
  readonly parts?: readonly RangedPart[];
}

/** Most probes a key. */
export const PROBES_LIMIT = 2 ** 15;
