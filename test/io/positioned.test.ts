import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { closePositioned, openPositioned, readAt } from '../../src/io/positioned.ts';
import { replaceCalls } from '../replaced-calls.ts';

replaceCalls(({ readSync }) => ({
  // The system may return fewer bytes than requested.
  readSync: (fd: number, into: Uint8Array, from: number, length: number, position: number) =>
    readSync(fd, into, from, Math.min(length, 3), position),
}));

const folder = mkdtempSync(join(tmpdir(), 'bloom-positioned-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a read continues to the end of the available bytes', () => {
  const name = join(folder, 'file');
  writeFileSync(name, '0123456789');
  const file = openPositioned(name, 'records');
  if (file === undefined) throw new Error('it is a regular file');
  expect(file.size).toBe(10);
  for (const [from, length, expected] of [
    [0, 10, '0123456789'],
    [2, 7, '2345678'],
    [5, 100, '56789'],
    [10, 5, ''],
  ] as const) {
    const into = new Uint8Array(length);
    expect(Buffer.from(into.subarray(0, readAt(file, into, from))).toString()).toBe(expected);
  }
  closePositioned(file);
});

test('a source that can only be read in order has no positions', () => {
  expect(openPositioned('-', 'records')).toBeUndefined();
  expect(openPositioned('/dev/null', 'records')).toBeUndefined();
});
