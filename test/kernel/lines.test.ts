// The output for a record is written if it certainly fits into the rest of the buffer. Otherwise it waits for the next one.

import { describe, expect, test } from 'vitest';
import { usedKernel } from './kernels.ts';

const kernel = usedKernel();
const { exports: entries } = kernel;
const ALL = 2;
const GREATEST = 2n ** 64n - 1n;
const DIGITS = 20;
const RECORD_BYTES = 4096;
const TAIL = ',"file":null,"line":';
const TEXTS = ['{"record":"', '","match":false', '","match":true', '{"record":null,"recordBase64":"'];

const record = kernel.reserve(RECORD_BYTES);
const ends = kernel.reserve(64);
const matches = kernel.reserve(64);
const texts = kernel.reserve(256);
const prefix = kernel.reserve(64);
const out = kernel.reserve(32 * 1024);

/** Writes one record with the longest line number into `room` bytes; returns the length of the output. */
function written(bytes: Uint8Array, match: number, room: number): { count: number; length: number } {
  kernel.bytes(record, bytes.length).set(bytes);
  kernel.bytes(record + bytes.length, 1)[0] = 10;
  new Uint32Array(kernel.memory.buffer, ends, 1)[0] = record + bytes.length + 1;
  kernel.bytes(matches, 1)[0] = match;
  const count = entries.writeLines(record, ends, matches, 0, 1, GREATEST, out, out + room) >>> 0;
  return { count, length: (entries.linesEnd.value >>> 0) - out };
}

/** Expects that a record is written exactly if its longest form fits, and that its output is not longer than that form. */
function expectFit(bytes: Uint8Array, longest: number): void {
  for (const match of [0, 1]) {
    expect(written(bytes, match, longest - 1)).toEqual({ count: 0, length: 0 });
    const { count, length } = written(bytes, match, longest);
    expect(count).toBe(1);
    expect(length).toBeLessThanOrEqual(longest);
  }
}

describe.each([0, 1, 15, 16, 100, 1000])('a record of %d bytes', (length) => {
  test('is printed with every text that may precede it', () => {
    const name = Buffer.from('a file:');
    kernel.bytes(prefix, name.length).set(name);
    entries.configureLines(ALL, 1, prefix, name.length, 1);
    const bytes = new Uint8Array(length).fill(97);
    expectFit(bytes, 1 + name.length + DIGITS + 1 + length + 1);
    const line = `+${name}${GREATEST}:${'a'.repeat(length)}\n`;
    expect(written(bytes, 1, line.length)).toEqual({ count: 1, length: line.length });
    expect(Buffer.from(kernel.bytes(out, line.length)).toString()).toBe(line);
  });

  test.each([
    ['letters', 97],
    ['what becomes six bytes each', 1],
    ['what is no UTF-8', 0xff],
  ])('is printed as JSON, of %s', (_, byte) => {
    const [head = '', absent = '', present = '', base64 = ''] = TEXTS;
    const all = Buffer.from(
      `${[head, absent, present].map((text) => text.padEnd(16)).join('')}${base64.padEnd(32)}${TAIL}`,
    );
    kernel.bytes(texts, all.length).set(all);
    entries.configureObjects(ALL, texts, TAIL.length, 1);
    const bytes = new Uint8Array(length).fill(byte);
    // The longer beginning, the longer middle, "}" and a newline.
    expectFit(bytes, base64.length + absent.length + TAIL.length + DIGITS + 2 + 6 * (length + 1));
    expect(JSON.parse(Buffer.from(kernel.bytes(out, (entries.linesEnd.value >>> 0) - out)).toString())).toMatchObject(
      byte === 0xff && length > 0
        ? { record: null, recordBase64: Buffer.from(bytes).toString('base64'), match: true }
        : { record: String.fromCharCode(byte).repeat(length), match: true },
    );
  });
});
