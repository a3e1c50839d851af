// The sizes that other systems allocate, from their own tables and from the heads of their files.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MAKINGS } from '../../src/formats/makings.ts';
import { falsePositiveRate } from '../../src/sizing/bloom.ts';
import { goLog, log } from '../../src/sizing/logarithm.ts';
import type { Constraints } from '../../src/sizing/solve.ts';
import { SYSTEM_SIZINGS } from '../../src/sizing/systems/registry.ts';
import { lineRate } from '../../src/sizing/systems/rocksdb.ts';
import { requireAccepted } from '../../src/sizing/systems/system.ts';
import { poppy } from '../reference/formats/poppy.ts';
import { reserveRaw } from '../reference/formats/redisbloom.ts';

function planOf(name: string, constraints: Constraints) {
  const plan = SYSTEM_SIZINGS.find((sizing) => sizing.name === name)?.plan(constraints);
  if (plan === undefined) throw new Error(`${name} has no plan`);
  return plan;
}

/** The rows of a table, without its titles. */
function tableIn(name: string): string[][] {
  const text = readFileSync(new URL(`../../fixtures/sizing/${name}`, import.meta.url), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));
}

describe('as the tables of the systems say', () => {
  test.each(['guava', 'guava-mitz32'])('%s', (name) => {
    for (const [items, fpr, , k, bits] of tableIn('guava.tsv'))
      expect(planOf(name, { items: Number(items), fpr: Number(fpr) }), `${items} ${fpr}`).toMatchObject({
        bits: Number(bits),
        k: Number(k),
      });
  });

  test('spark', () => {
    for (const [items, fpr, version, k, words] of tableIn('spark.tsv'))
      expect(planOf(`spark-${version}`, { items: Number(items), fpr: Number(fpr) }), `${items} ${fpr}`).toMatchObject({
        bits: 64 * Number(words),
        k: Number(k),
      });
  });

  test.each([
    [0.5, 2, 1],
    [0.4, 2, 1],
    [0.393, 2, 1],
    [0.3, 1, 3],
    [0.1, 3, 5],
    [0.092, 3, 5],
    [0.0918, 2, 6],
    [0.05, 3, 7],
    [0.01, 5, 10],
    [0.001, 7, 15],
    [1e-4, 10, 20],
    [6.71e-5, 14, 20],
  ])('cassandra, with a rate of %d: %d hash functions and %d bits per key', (fpr, k, bitsPerKey) => {
    const items = 1_000_000;
    const plan = planOf('cassandra', { items, fpr });
    expect(plan).toMatchObject({ k, bits: 64 * Math.ceil((items * bitsPerKey + 20) / 64) });
  });

  test('cassandra makes no filter with a lower rate', () => {
    expect(() => planOf('cassandra', { items: 10, fpr: 6.7e-5 })).toThrow(/no filter with a rate below 0\.0000671/);
  });
});

// From the heads of files that the systems wrote.
test.each([
  ['dcso', { items: 200, fpr: 0.01 }, { bits: 1917, k: 7, fileBytes: 288, parts: 1 }],
  ['bits-and-blooms', { items: 200, fpr: 0.01 }, { bits: 1918, k: 7, fileBytes: 264 }],
  ['redisbloom-raw', { items: 200, fpr: 0.01 }, { bits: 2240, k: 8, fileBytes: 353 }],
  ['guava-33.4', { items: 1, fpr: 0.01 }, { bits: 64, k: 7, fileBytes: 14 }],
  ['poppy-speed', { items: 20_000, fpr: 0.1 }, { bits: 8 * 20_480, k: 2, fileBytes: 20_536, parts: 4 }],
  ['cassandra', { items: 200, fpr: 0.01 }, { bits: 2048, k: 5, fileBytes: 264 }],
  ['rocksdb', { items: 220, bitsPerKey: 10 }, { bits: 2560, k: 6, fileBytes: 325 }],
  ['rocksdb-legacy', { items: 220, bitsPerKey: 10 }, { bits: 2560, k: 6, fileBytes: 325 }],
  ['parquet', { items: 200, fpr: 0.01 }, { bits: 2048, k: 8, fileBytes: 272 }],
  ['parquet-java', { items: 200, fpr: 0.01 }, { bits: 4096, k: 8, fileBytes: 528 }],
  ['hbase', { items: 200, fpr: 0.01 }, { bits: 2048, fileBytes: 256, parts: 1 }],
  ['hudi', { items: 200, fpr: 0.01 }, { bits: 1918, k: 7, fileBytes: 340 }],
  ['datasketches', { items: 200, fpr: 0.01 }, { bits: 1920, k: 7, fileBytes: 272 }],
  ['pybloom', { items: 220, fpr: 0.001 }, { bits: 3170, k: 10, parts: 10 }],
  ['bip37', { items: 200, fpr: 0.01 }, { bits: 8 * 239, k: 6, fileBytes: 249 }],
  ['bip37', { items: 200, fpr: 0.001 }, { bits: 8 * 359, k: 9, fileBytes: 371 }],
  ['marcan', { items: 200, bits: 1917, k: 7 }, { bits: 1917, k: 7, fileBytes: 32_768 }],
  // The default of bloom.py, for the 320 million passwords of that time.
  ['marcan', { items: 320e6, bits: 5_033_164_800 }, { k: 11, fileBytes: 629_161_984 }],
] as const)('%s of %o', (name, constraints, expected) => {
  expect(planOf(name, constraints)).toMatchObject(expected);
});

// At the limits of the formulas. bloom.cc of LevelDB: at least 64 bits, in whole bytes, and one byte for k = 0.69 times the bits per key,
// from 1 to 30. bloom_impl.h of RocksDB: an odd number of lines of 64 bytes, and five bytes. BloomFilter.java of ORC: always up to the next
// multiple of 64. ByteBloomFilter.java and CompoundBloomFilterWriter.java of HBase: chunks of 128 KiB, of which the last is folded.
// BlockSplitBloomFilter.java of parquet-java and bloom_filter.cc of Arrow: from 32 bytes to 128 MiB. bloom.cpp of Bitcoin: at most 36,000
// bytes and 50 hash functions, and a length of one or three bytes. bloom.py: whole pages of 16 KiB.
test.each([
  ['leveldb', { items: 1, bitsPerKey: 10 }, { bits: 64, k: 6, fileBytes: 9 }],
  ['leveldb', { items: 7, bitsPerKey: 10.9 }, { bits: 72, k: 6, fileBytes: 10 }],
  ['leveldb', { items: 1000, bitsPerKey: 1 }, { bits: 1000, k: 1, fileBytes: 126 }],
  ['leveldb', { items: 1000, bitsPerKey: 3 }, { bits: 3000, k: 2, fileBytes: 376 }],
  ['leveldb', { items: 1000, bitsPerKey: 43 }, { bits: 43_000, k: 29, fileBytes: 5376 }],
  ['leveldb', { items: 1000, bitsPerKey: 50 }, { bits: 50_000, k: 30, fileBytes: 6251 }],
  ['rocksdb-legacy', { items: 1, bitsPerKey: 1 }, { bits: 512, k: 1, fileBytes: 69, parts: 1 }],
  ['rocksdb-legacy', { items: 103, bitsPerKey: 10 }, { bits: 1536, k: 6, fileBytes: 197, parts: 3 }],
  ['rocksdb-legacy', { items: 1000, bitsPerKey: 43 }, { bits: 512 * 85, k: 29, fileBytes: 5445, parts: 85 }],
  ['rocksdb-legacy', { items: 1000, bitsPerKey: 50 }, { bits: 512 * 99, k: 30, fileBytes: 6341, parts: 99 }],
  ['orc', { items: 167, fpr: 0.01 }, { bits: 1664, k: 7, fileBytes: 208 }],
  ['orc', { items: 10_000, fpr: 0.01 }, { bits: 95_872, k: 7, fileBytes: 11_984 }],
  ['orc', { items: 100, fpr: 0.9 }, { bits: 64, k: 1, fileBytes: 8 }],
  ['hbase', { items: 109_306, fpr: 0.01 }, { bits: 2 ** 20, k: 7, parts: 1 }],
  ['hbase', { items: 54_653, fpr: 0.01 }, { bits: 2 ** 20, k: 7, parts: 1 }],
  ['hbase', { items: 54_652, fpr: 0.01 }, { bits: 2 ** 19, k: 7, parts: 1 }],
  ['hbase', { items: 109_307, fpr: 0.01 }, { bits: 2 ** 20 + 16, parts: 2 }],
  ['hbase', { items: 3 * 72_931, fpr: 0.001 }, { bits: 3 * 2 ** 20, k: 10, fileBytes: 3 * 131_072, parts: 3 }],
  ['parquet', { items: 1, fpr: 0.5 }, { bits: 256, fileBytes: 48, parts: 1 }],
  ['parquet', { items: 26, fpr: 0.01 }, { bits: 256, parts: 1 }],
  ['parquet', { items: 27, fpr: 0.01 }, { bits: 512, parts: 2 }],
  ['parquet', { items: 1e6, fpr: 0.01 }, { bits: 2 ** 24, fileBytes: 16 + 2 ** 21, parts: 2 ** 16 }],
  ['parquet', { items: 1e9, fpr: 0.01 }, { bits: 2 ** 30, parts: 2 ** 22 }],
  ['bip37', { items: 211, fpr: 0.01 }, { bits: 8 * 252, k: 6, fileBytes: 262 }],
  ['bip37', { items: 141, fpr: 0.001 }, { bits: 8 * 253, k: 9, fileBytes: 265 }],
  ['bip37', { items: 30_000, fpr: 0.001 }, { bits: 288_000, k: 6, fileBytes: 36_012 }],
  ['bip37', { items: 1, fpr: 1e-20 }, { bits: 88, k: 50, fileBytes: 21 }],
  ['marcan', { items: 1000, fpr: 0.01 }, { bits: 9586, k: 7, fileBytes: 32_768 }],
  ['marcan', { items: 1000, fpr: 0.01, k: 5 }, { bits: 9586, k: 5 }],
  ['marcan', { items: 1000, bits: 131_072 }, { k: 11, fileBytes: 32_768 }],
  ['marcan', { items: 1000, bits: 131_073 }, { fileBytes: 49_152 }],
  ['marcan', { items: 1000, bits: 2 ** 40 }, { bits: 2 ** 40 }],
  ['hadoop', { items: 200, fpr: 0.01 }, { bits: 1918, k: 7, fileBytes: 253 }],
  ['pybloom', { items: 220, fpr: 0.001 }, { fileBytes: 437 }],
  // RedisBloom has no higher rate than a quarter. Its constants make k a little more than 2, which it rounds up.
  ['redisbloom-nonscaling', { items: 1000, fpr: 0.25 }, { bits: 2944, k: 3 }],
  ['redisbloom-nonscaling', { items: 1000, fpr: 0.3 }, { bits: 2944, k: 3 }],
] as const)('%s of %o, at a limit', (name, constraints, expected) => {
  expect(planOf(name, constraints)).toMatchObject(expected);
});

test.each([
  ['marcan', { items: 1000, bits: 2 ** 40 + 1 }, 'has at most 1099511627776 bits here'],
  ['marcan', { items: 1000, bits: 9, fpr: 0.1 }, 'needs either -m, or -n and -p'],
  ['bip37', { items: 300_000, fpr: 0.001 }, 'makes no filter with such a rate'],
] as const)('%s of %o is refused', (name, constraints, message) => {
  expect(() => planOf(name, constraints)).toThrow(message);
});

test('hbase: full chunks have the rate of one of them, and a chunk with fewer rows a lower one', () => {
  const most = 109_306;
  const one = planOf('hbase', { items: most, fpr: 0.01 }).predictedFpr;
  expect(one).toBeCloseTo(0.01, 3);
  expect(planOf('hbase', { items: 2 * most, fpr: 0.01 }).predictedFpr / one).toBeCloseTo(1, 9);
  // The rows of the last chunk are a quarter of a chunk's, and so are its bytes: every chunk is full.
  expect(planOf('hbase', { items: most + 27_326, fpr: 0.01 }).predictedFpr / one).toBeCloseTo(1, 3);
  const half = planOf('hbase', { items: most + 60_000, fpr: 0.01 });
  const alone = planOf('hbase', { items: 60_000, fpr: 0.01 }).predictedFpr;
  expect(half.predictedFpr).toBeCloseTo((most * one + 60_000 * alone) / (most + 60_000), 9);
  // Twice the rows in the same chunks.
  expect(half.rateWith(2 * (most + 60_000))).toBeGreaterThan(5 * half.predictedFpr);
});

// FastLocalBloomImpl::ChooseNumProbes of RocksDB's util/bloom_impl.h: the most thousandths of a bit per key for 1, 2, 3 ... probes. From
// 25.501 bits on there is one probe more for each 2 bits, and from 50 bits on there are 24.
test('rocksdb has the probes of ChooseNumProbes', () => {
  const most = [2080, 3580, 5100, 6640, 8300, 10_070, 11_720, 14_001, 16_050, 18_300, 22_001, 25_501];
  const probes = (bitsPerKey: number) => planOf('rocksdb', { items: 1000, bitsPerKey })?.k;
  for (const [i, millibits] of most.entries()) {
    expect(probes(millibits / 1000)).toBe(i + 1);
    if (i + 1 < most.length) expect(probes((millibits + 1) / 1000)).toBe(i + 2);
  }
  const later = [25.502, 26, 26.001, 28, 28.001, 30, 49.999, 50, 50.001, 60, 100, 200];
  expect(later.map(probes)).toEqual([11, 11, 12, 12, 13, 13, 23, 23, 24, 24, 24, 24]);
  expect([0.5, 1].map((few) => planOf('rocksdb', { items: 1000, bitsPerKey: few })?.bits)).toEqual([1024, 1024]);
  expect(() => planOf('rocksdb', { items: 1000, bitsPerKey: 0.49 })).toThrow('it would accept every key');
});

test.each(['poppy-speed', 'poppy-best'])('%s: the rate of a filter with a cache before its buckets', (name) => {
  const [items, fpr] = [12_000, 0.1];
  const filter = poppy.makes?.[name]?.(items, fpr);
  // poppy does not hash keys of up to 8 bytes.
  for (let i = 0; i < items; i++) filter?.add(new TextEncoder().encode(`a long key ${i}`));
  const ratio = planOf(name, { items, fpr }).rateWith(items) / (filter?.rate() ?? 0);
  expect(ratio).toBeGreaterThan(0.97);
  expect(ratio).toBeLessThan(1.03);
});

// The iterators have 2, 8, 9 and 10 digits, or up to 12. The second and the third filter have one chunk and three, without a rest.
test.each([1000, 12_170_899, 36_512_707, 10_000_000, 14_001_000, 83_400_000, 100_000_000, 900_000_000, 40e9])(
  'redisbloom: a filter of %d keys is restored by one command for each 16 MiB of its bits',
  (items) => {
    const { bits, fileBytes } = planOf('redisbloom', { items, fpr: 0.01 });
    const bytes = bits / 8;
    const command = (iterator: number, chunk: number) =>
      `*4\r\n$12\r\nBF.LOADCHUNK\r\n$5\r\nbloom\r\n$${`${iterator}`.length}\r\n${iterator}\r\n$${chunk}\r\n\r\n`
        .length + chunk;
    let all = command(1, 73);
    for (let end = 0; end < bytes; ) {
      const chunk = Math.min(2 ** 24, bytes - end);
      end += chunk;
      all += command(1 + end, chunk);
    }
    expect(fileBytes).toBe(all);
  },
);

test('redisbloom: the rate of a filter that has grown to several arrays', () => {
  const constraints = { items: 500, fpr: 0.04, growth: 3 };
  const filter = reserveRaw(constraints.items, constraints.fpr, constraints.growth);
  const plan = planOf('redisbloom', constraints);
  let keys = 0;
  // 500 keys fill the first array, and 1,500 the second. The keys of an array are evenly spread: its fill is near its expected fill.
  for (const next of [500, 1000, 2000, 5000]) {
    for (; keys < next; keys++) filter.add(new TextEncoder().encode(`key ${keys}`));
    const ratio = plan.rateWith(keys) / filter.rate();
    expect(ratio, `${keys} keys`).toBeGreaterThan(0.9);
    expect(ratio, `${keys} keys`).toBeLessThan(1.1);
  }
});

test.each(SYSTEM_SIZINGS.map((sizing) => [sizing.name, sizing] as const))(
  '%s is sized only by the flags that it accepts',
  (_, sizing) => {
    const all = { items: 1000, fpr: 0.01, bits: 10_000, k: 7, bitsPerKey: 10, growth: 4 };
    // A rate or a number of bits is enough.
    const stated = sizing.accepts.filter((flag) => flag !== 'fpr' || !sizing.accepts.includes('bits'));
    const taken = Object.fromEntries(stated.map((flag) => [flag, all[flag]]));
    const plan = sizing.plan(taken);
    expect(plan?.items).toBe(1000);
    expect(plan?.predictedFpr).toBe(plan?.rateWith(1000));
    expect(plan?.predictedFpr).toBeGreaterThan(0);
    expect(plan?.rateWith(3000)).toBeGreaterThan(plan?.predictedFpr ?? 1);
    expect(sizing.plan({ items: 1000 })).toBeUndefined();
    expect(() => requireAccepted(sizing, taken)).not.toThrow();
    expect(() => requireAccepted(sizing, all)).toThrow(expect.objectContaining({ code: 'usage' }));
  },
);

test('every variant that bloom makes is sized', () => {
  const names = SYSTEM_SIZINGS.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  expect(MAKINGS.map(({ sizing }) => sizing.name).filter((name) => !names.includes(name))).toEqual([]);
  expect(MAKINGS.map(({ name }) => name)).toEqual(MAKINGS.map(({ sizing }) => sizing.name));
});

test('a filter that would accept every key is refused', () => {
  expect(() => planOf('dcso', { items: 1, fpr: 0.9 })).toThrow(/makes no filter with such a rate/);
});

test('lines have a higher rate than one filter, and longer lines have a lower one', () => {
  const rates = [256, 512, 4096, 2 ** 15].map((bits) => lineRate(1e5, Math.ceil(1e6 / bits), bits, 6));
  expect(rates).toEqual(rates.toSorted((a, b) => b - a));
  expect(rates.at(-1)).toBeCloseTo(falsePositiveRate(1e5, 31 * 2 ** 15, 6), 4);
  // A single line has the rate of a filter with as many bits.
  expect(lineRate(20, 1, 512, 6)).toBeCloseTo(falsePositiveRate(20, 512, 6), 3);
});

/** Logarithms by glibc (https://sourceware.org/glibc) and by Go's math.Log on amd64. */
test.each([
  [0.01, '-4.605170185988091', '-4.605170185988092'],
  [0.005, '-5.298317366548036', '-5.298317366548036'],
  [0.3253456548759963, '-1.1228671083600898', undefined],
  [0.023634577631987064, '-3.7450444853435347', undefined],
  [0.8823932024664636, '-0.1251175145330062', undefined],
  [5e-324, '-744.4400719213812', undefined],
  [1, '0', '0'],
])('the logarithm of %d', (x, expected, go) => {
  expect(String(log(x))).toBe(expected);
  if (go !== undefined) expect(String(goLog(x))).toBe(go);
});
