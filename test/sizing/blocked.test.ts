import { describe, expect, test } from 'vitest';
import { BLOCK_BITS, BLOCKED, blockedItems, blockedRate, chanceFromCode } from '../../src/sizing/blocked.ts';
import { inLongRuns } from '../long.ts';
import { below, createRandom } from '../reference/random.ts';

describe('bits per key', () => {
  // The table of the Apache Parquet format, BloomFilter.md.
  test.each([
    [0.1, 6.0],
    [0.01, 10.5],
    [0.001, 16.9],
    [1e-4, 26.4],
    [1e-5, 41],
  ])('for a rate of %d they are %d', (fpr, bitsPerKey) => {
    const items = 1_000_000;
    expect(Math.abs(BLOCKED.bits(items, fpr) / items / bitsPerKey - 1)).toBeLessThan(0.01);
  });

  test('are the fewest, and hold the most keys', () => {
    for (const [items, fpr] of [
      [1, 0.01],
      [1000, 0.1],
      [123_457, 0.003],
    ] as const) {
      const bits = BLOCKED.bits(items, fpr);
      expect(bits % BLOCK_BITS).toBe(0);
      expect(blockedRate(items, bits)).toBeLessThanOrEqual(fpr);
      if (bits > BLOCK_BITS) expect(blockedRate(items, bits - BLOCK_BITS)).toBeGreaterThan(fpr);
      expect(BLOCKED.items(bits, fpr)).toBeGreaterThanOrEqual(items);
      expect(blockedRate(BLOCKED.items(bits, fpr) + 1, bits)).toBeGreaterThan(fpr);
    }
  });
});

test('one block: all keys share it', () => {
  for (const items of [1, 8, 30]) {
    // A non-member with the lower half of a member is a false positive. Any other hits eight ones by chance.
    const rate = (1 - (31 / 32) ** items) ** 8 + items * (2 ** -32 - 32 ** -8);
    expect(blockedRate(items, BLOCK_BITS) / rate).toBeCloseTo(1, 9);
  }
});

test('in a nearly empty filter the twins of its keys determine the rate', () => {
  // A C program tried all 2^32 lower halves: only the key's own half hits the 8 ones of a key.
  expect(blockedRate(1, 2 * BLOCK_BITS) * 2 ** 33).toBeCloseTo(1, 6);
  expect((blockedRate(1000, 1e9 * BLOCK_BITS) * 2 ** 32) / 1e-6).toBeCloseTo(1, 2);
});

test('a rate that needs hundreds of blocks per key is refused', () => {
  for (const items of [1, 1000, 1e8]) {
    expect(BLOCKED.bits(items, 1e-12)).toBe(4 * items * BLOCK_BITS);
    expect(BLOCKED.bits(items, 1e-15)).toBe(4 * items * BLOCK_BITS);
  }
});

test('higher halves select at most 2^32 blocks', () => {
  const most = 2 ** 32 * BLOCK_BITS;
  expect(blockedRate(1e12, 1000 * most)).toBe(blockedRate(1e12, most));
  expect(BLOCKED.bits(9e15, 0.01)).toBe(most);
});

test('the rate is that of simulated filters, and so is the number of keys from their ones', () => {
  const random = createRandom(3);
  const [blocks, items, rounds] = [16, 400, inLongRuns(4000, 800)];
  let rates = 0;
  let counts = 0;
  let squares = 0;
  let errors = 0;
  for (let round = 0; round < rounds; round++) {
    const words = new Uint32Array(8 * blocks);
    for (let key = 0; key < items; key++) {
      const block = below(random, blocks);
      for (let word = 0; word < 8; word++) {
        const at = 8 * block + word;
        words[at] = ((words[at] ?? 0) | (1 << below(random, 32))) >>> 0;
      }
    }
    const ones = [...words].map((word) => word.toString(2).replaceAll('0', '').length);
    for (let block = 0; block < blocks; block++) {
      rates += ones.slice(8 * block, 8 * block + 8).reduce((rate, of) => (rate * of) / 32, 1) / blocks / rounds;
    }
    const estimate = blockedItems(
      ones.reduce((sum, of) => sum + of, 0),
      blocks * BLOCK_BITS,
    );
    counts += estimate.count / rounds;
    squares += (estimate.count - items) ** 2 / rounds;
    errors += estimate.error / rounds;
  }
  expect(Math.abs(rates / blockedRate(items, blocks * BLOCK_BITS) - 1)).toBeLessThan(0.01);
  expect(Math.abs(counts / items - 1)).toBeLessThan(0.01);
  expect(Math.abs(Math.sqrt(squares) / errors - 1)).toBeLessThan(0.06);
});

test('the estimate of a full filter is a lower bound', () => {
  // The number of keys that leave one bit unset in two such filters: n = -(m/8) ln(1/(2m)).
  expect(blockedItems(512, 512)).toMatchObject({ isFloor: true, count: expect.closeTo(64 * Math.log(1024), 9) });
  expect(blockedItems(0, 512)).toEqual({ count: 0, error: 0 });
});

test('an overfilled filter calls every non-member maybe present', () => {
  expect(blockedRate(1e6, 512)).toBeCloseTo(1, 6);
  expect(blockedRate(500 * 64, 64 * BLOCK_BITS)).toBeGreaterThan(0.999);
});

describe('the chance that the code of a segment stands for', () => {
  const BLOCKS = 1000;
  /** The decoded sum of the products of ones. With all ones, the chance is 1. */
  const sumOf = (code: number) => chanceFromCode(code, BLOCKS) * BLOCKS * 32 ** 8;
  /** Encodes the 13 highest bits of a sum, after FORMAT.md. */
  const codeOf = (sum: number) => {
    const cut = Math.max(0, Math.floor(Math.log2(sum)) - 12);
    return cut === 0 ? sum : 4096 * (cut + 1) + Math.floor(sum / 2 ** cut) - 4096;
  };

  test('is exact as long as no bit is cut off', () => {
    for (const sum of [0, 1, 4095, 4096, 8191]) expect(sumOf(sum)).toBeCloseTo(sum, 6);
  });

  test('is in the middle of the values with the code', () => {
    for (const [least, cut] of [
      [8192, 1],
      [8194, 1],
      [123_456_789_504, 24],
    ] as const) {
      const first = Math.floor(least / 2 ** cut) * 2 ** cut;
      expect(codeOf(first + 2 ** cut - 1)).toBe(codeOf(first));
      expect(sumOf(codeOf(first)) / (first + 2 ** (cut - 1))).toBeCloseTo(1, 12);
    }
  });

  test('is at most 1', () => {
    expect(chanceFromCode(codeOf(32 ** 8), 1)).toBe(1);
  });
});
