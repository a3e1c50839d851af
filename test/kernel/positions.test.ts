// The positions of other systems, for any digest and any number of bits, against integers of any size.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BitArrayShape, POSITION_RULES, type PositionRuleName } from '../../src/filters/position-rules.ts';
import { inLongRuns } from '../long.ts';
import { doublePositions } from '../reference/bit-array-bits.ts';
import { bitsOfDigest } from '../reference/blocked-bits.ts';
import { bitsAndBloomsPositions } from '../reference/formats/bits-and-blooms.ts';
import { cassandraPositions } from '../reference/formats/cassandra.ts';
import { sketchPositions } from '../reference/formats/datasketches.ts';
import { dcsoPositions } from '../reference/formats/dcso.ts';
import { mitz32Positions, mitz64Positions } from '../reference/formats/guava.ts';
import { poppyPositions } from '../reference/formats/poppy.ts';
import { version2Positions } from '../reference/formats/spark.ts';
import { usedKernel } from './kernels.ts';

const LAST = 2n ** 64n - 1n;

/** The k positions of a digest in `bits` bits. */
type Positions = (digest: Digest, bits: bigint, k: number) => bigint[];

/** The most words that a rule reads. */
type Digest = readonly [bigint, bigint, bigint, bigint];

/** Rules whose digests contain the positions, select a partition or contain fingerprints. */
type OtherRule = 'binary-fuse' | 'cuckoo-buckets' | 'hashed' | 'hbase' | 'leveldb' | 'local-bloom' | 'rocksdb-legacy';

const ORACLES: Readonly<Record<Exclude<PositionRuleName, OtherRule>, Positions>> = {
  'double-hashing': ([h1, h2], bits, k) => doublePositions([h1, h2], { bits: Number(bits), k }).map(BigInt),
  'guava-64': ([h1, h2], bits, k) => mitz64Positions([h1, h2], bits, k),
  'guava-32': ([h1], bits, k) => mitz32Positions(h1, h1 >> 32n, bits, k),
  'spark-1': ([h1], bits, k) => mitz32Positions(h1, h1 >> 32n, bits, k),
  'spark-2': ([h1], bits, k) => version2Positions(h1, h1 >> 32n, bits, k),
  cassandra: ([h1, h2], bits, k) => cassandraPositions(h2, h1, bits, k),
  'cassandra-2': ([h1, h2], bits, k) => cassandraPositions(h1, h2, bits, k),
  datasketches: ([h0, h1], bits, k) =>
    h0 === LAST && h1 === LAST ? Array.from({ length: k }, () => bits) : sketchPositions(h0, h1, bits, k),
  dcso: ([digest], bits, k) => dcsoPositions(digest, bits, k),
  'bits-and-blooms': bitsAndBloomsPositions,
  poppy: ([h, g], bits, k) => poppyPositions(h, g, bucketed(bits), k),
  'split-blocks': ([digest], bits, k) => bitsOfDigest(digest, inBlocks(bits)).slice(0, k).map(BigInt),
};

/** About `bits` bits, rounded up to blocks. */
const inBlocks = (bits: bigint) => 256 * Math.ceil(Number(bits) / 256);

/** The most probes of a rule. */
const mostProbes = (rule: PositionRuleName) => (rule === 'split-blocks' ? 8 : 64);

const BUCKET_BITS = 32768;

/** Buckets in about `bits` bits, with or without a cache after them. */
function bucketed(bits: bigint) {
  const count = Math.max(1, Math.floor(Number(bits) / BUCKET_BITS));
  const cacheBits = bits % 3n === 0n ? 0 : 2 ** (3 + Number(bits % 30n));
  return { count, cacheBits };
}

/** The array of about m bits. */
function arrayOf(rule: PositionRuleName, m: bigint): Pick<BitArrayShape, 'bits' | 'buckets'> {
  // The array of a sketch has one bit more.
  if (rule === 'datasketches') return { bits: Number(m) + 1 };
  if (rule === 'split-blocks') return { bits: inBlocks(m) };
  if (rule !== 'poppy') return { bits: Number(m) };
  const { count, cacheBits } = bucketed(m);
  return { bits: count * BUCKET_BITS + cacheBits, buckets: { count, bits: BUCKET_BITS } };
}

/** The kernel's positions `from` to `to` of the digests with these indices. */
function positionsOf(
  rule: PositionRuleName,
  digests: readonly bigint[],
  keys: readonly number[],
  array: Parameters<(typeof POSITION_RULES)[PositionRuleName]['parameters']>[0],
  from: number,
  to: number,
) {
  const kernel = usedKernel();
  const words = (values: readonly bigint[]) => {
    const address = kernel.reserve(8 * values.length);
    new BigUint64Array(kernel.memory.buffer, address, values.length).set(values);
    return address;
  };
  const indices = kernel.reserve(4 * keys.length);
  new Uint32Array(kernel.memory.buffer, indices, keys.length).set(keys);
  const count = keys.length * (to - from);
  const positions = words(Array.from({ length: count + 1 }, () => LAST));
  const { parameters, entry } = POSITION_RULES[rule];
  const [digestsAt, parametersAt] = [words(digests), words(parameters(array))];
  entry(kernel)(digestsAt, indices, keys.length, from, to, positions, parametersAt);
  const written = new BigUint64Array(kernel.memory.buffer, positions, count + 1).slice();
  expect(written.at(-1)).toBe(LAST);
  return [...written.subarray(0, -1)];
}

/** Any m up to 2^40, with all lengths equally likely, and the numbers around powers of 2. */
const moduli = fc
  .oneof(
    fc.nat(40).chain((length) => fc.bigInt(1n, 2n ** BigInt(length))),
    fc.tuple(fc.integer({ min: 1, max: 40 }), fc.bigInt(-3n, 0n)).map(([power, by]) => 2n ** BigInt(power) + by),
  )
  .filter((m) => m > 0n);

/** Halves of words: the limits of signed numbers, or any value. */
const half = fc.oneof(
  fc.constantFrom(0n, 1n, 2n ** 31n - 1n, 2n ** 31n, 2n ** 31n + 1n, 2n ** 32n - 1n),
  fc.bigInt(0n, 2n ** 32n - 1n),
);
const word = fc.oneof(
  // Words around the modulus of DCSO bloom, and the greatest word.
  fc.constantFrom(2n ** 64n - 60n, 2n ** 64n - 59n, LAST),
  fc.tuple(half, half).map(([low, high]) => low | (high << 32n)),
);

describe.each(Object.entries(ORACLES))('%s', (name, oracle) => {
  const rule = name as PositionRuleName;
  test('positions from any one to any other, of some of the digests, in any order', () => {
    const digests = fc.array(fc.tuple(word, word, word, word), { minLength: 1, maxLength: 10 });
    const probe = fc.nat(mostProbes(rule) - 1);
    const range = fc.tuple(probe, probe).map(([a, b]) => [Math.min(a, b), Math.max(a, b) + 1] as const);
    fc.assert(
      fc.property(
        digests,
        fc.array(fc.nat(), { minLength: 1, maxLength: 15 }),
        moduli,
        range,
        (all, picks, m, [from, to]) => {
          const keys = picks.map((pick) => pick % all.length);
          const expected = keys.flatMap((key) => oracle(all[key] ?? [0n, 0n, 0n, 0n], m, to).slice(from));
          const words = all.flatMap((digest) => digest.slice(0, POSITION_RULES[rule].words));
          expect(positionsOf(rule, words, keys, arrayOf(rule, m), from, to)).toEqual(expected);
        },
      ),
      { seed: 1, numRuns: inLongRuns(400, 40) },
    );
  });
});

test('hashed positions are words of the digest, from the first of an array on', () => {
  const digest = fc.array(word, { minLength: 9, maxLength: 9 });
  const keys = fc.array(fc.nat(4), { minLength: 1, maxLength: 15 });
  const property = fc.property(
    fc.array(digest, { minLength: 5, maxLength: 5 }),
    keys,
    fc.nat(4),
    (all, keys, first) => {
      const shape = { bits: 1, digest: { words: 9, first } };
      const expected = keys.flatMap((key) => all[key]?.slice(first + 1, first + 4) ?? []);
      expect(positionsOf('hashed', all.flat(), keys, shape, 1, 4)).toEqual(expected);
    },
  );
  fc.assert(property, { seed: 1, numRuns: inLongRuns(300, 20) });
});
