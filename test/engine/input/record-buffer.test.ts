// The buffer for records during a scan: what fits, how it grows, and what stays when bytes move.

import { beforeEach, describe, expect, test } from 'vitest';
import { createRecordBuffer, type RecordBuffer } from '../../../src/engine/input/record-buffer.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';

const SIZE = 4096;
const MOST = 50_000;
const LF = 10;
const WHOLE = 0;

/** The most keys and records of a batch. */
const LIMIT = 1024;

const kernel = loadKernel();
const { exports: entries } = kernel;
const spans = kernel.reserve(8 * LIMIT);
let buffer: RecordBuffer;

beforeEach(() => {
  entries.configureRecords(LF, WHOLE, 0);
  entries.configureBatch(spans, 0, LIMIT, 0, LIMIT);
  entries.keepKeys(0);
  entries.clearRecords();
  buffer = createRecordBuffer(kernel, SIZE, MOST);
});

function read(text: string): void {
  const bytes = Buffer.from(text);
  buffer.space(bytes.length).set(bytes);
  buffer.added(bytes.length);
  entries.scan(buffer.end());
}

const held = () => Buffer.from(kernel.bytes(buffer.start(), buffer.end() - buffer.start())).toString();

test('accepts exactly the bytes that fit', () => {
  read('a\nbc');
  expect([buffer.hasSpaceFor(SIZE - 4), buffer.hasSpaceFor(SIZE - 3)]).toEqual([true, false]);
});

describe('the incomplete record', () => {
  test('is the first one after the others are discarded', () => {
    read('one\ntwo\nthr');
    buffer.rewind();
    expect(held()).toBe('thr');
    read('ee\n');
    expect(entries.recordCount.value).toBe(3);
    buffer.rewind();
    expect(held()).toBe('');
  });

  test('moves into larger memory, up to the limit of a record', () => {
    read('long');
    const sizes = [buffer.size()];
    for (let i = 0; i < 2; i++) {
      buffer.enlarge();
      sizes.push(buffer.size());
      expect([held(), buffer.hasSpaceFor(buffer.size() - 4)]).toEqual(['long', true]);
    }
    expect(sizes).toEqual([SIZE, 8 * SIZE, MOST]);
  });

  test('is discarded when it is cut off', () => {
    read('one\ntw');
    buffer.cutOff();
    read('three\n');
    buffer.rewind();
    expect([held(), entries.recordCount.value]).toEqual(['', 2]);
  });
});
