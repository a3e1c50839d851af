// A batch holds a limited number of keys and records. The memory after it belongs to other data.

import { beforeEach, describe, expect, test } from 'vitest';
import { loadKernel } from '../../src/kernel/kernel.ts';

const kernel = loadKernel();
const { exports: entries } = kernel;
const KEYS_FULL = 1;
const RECORDS_FULL = 2;
const GUARD = 0x5a;
const GUARD_BYTES = 1024;
const ROOM = 4096;

const spans = kernel.reserve(8 * ROOM + GUARD_BYTES);
const ends = kernel.reserve(4 * ROOM + GUARD_BYTES);
const input = kernel.reserve(64 * ROOM);

/** Input with `first` records that end in the first block of 64 bytes, and then 64 in each block. */
function bytesFrom(first: number, blocks: number): number {
  const bytes = kernel.bytes(input, 64 * blocks).fill(10);
  bytes.fill(97, 0, 64 - first);
  return input + bytes.length;
}

function scanned(keys: number, records: number, to: number) {
  entries.configureRecords(10, 0, 0);
  entries.configureBatch(spans, 0, keys, ends, records);
  entries.keepKeys(0);
  entries.clearRecords();
  entries.seek(input, input);
  return { status: entries.scan(to), keys: entries.keyCount.value, records: entries.recordCount.value };
}

beforeEach(() => {
  kernel.bytes(spans, 8 * ROOM + GUARD_BYTES).fill(GUARD);
  kernel.bytes(ends, 4 * ROOM + GUARD_BYTES).fill(GUARD);
});

const isWhole = (address: number) => kernel.bytes(address, GUARD_BYTES).every((byte) => byte === GUARD);

describe.each(Array.from({ length: 64 }, (_, i) => i + 1))('%d records in the first 64 bytes', (first) => {
  const to = bytesFrom(first, 10);

  test('not one key too many', () => {
    for (const limit of [64, 127, 128, 191, 192, 256]) {
      const found = scanned(limit, ROOM, bytesFrom(first, 10));
      expect(found.status).toBe(KEYS_FULL);
      expect(found.keys).toBeLessThanOrEqual(limit);
      // The records of one more block do not fit.
      expect(found.keys).toBeGreaterThan(limit - 64);
      expect(isWhole(spans + 8 * limit)).toBe(true);
    }
  });

  test('not one record too many', () => {
    for (const limit of [64, 127, 128, 191, 192, 256]) {
      const found = scanned(ROOM, limit, to);
      expect(found.status).toBe(RECORDS_FULL);
      expect(found.records).toBeLessThanOrEqual(limit);
      expect(found.records).toBeGreaterThan(limit - 64);
      expect(isWhole(ends + 4 * limit)).toBe(true);
    }
  });
});
