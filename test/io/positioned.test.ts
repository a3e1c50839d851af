import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { closePositioned, lastBytes, openPositioned, readAt, tailOf } from '../../src/io/positioned.ts';
import { replaceCalls } from '../replaced-calls.ts';

replaceCalls(({ readSync }) => ({
  // The system may return fewer bytes than requested.
  readSync: (fd: number, into: Uint8Array, from: number, length: number, position: number) =>
    readSync(fd, into, from, Math.min(length, 3), position),
}));

/** Bytes of a tail. */
const TAIL = 64;

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

test.each([0, 1, TAIL - 1, TAIL, TAIL + 1, 3 * TAIL])(
  'the tail of a file of %d bytes is its end, after zeros',
  (bytes) => {
    const content = Buffer.from(Array.from({ length: bytes }, (_, i) => 1 + (i % 255)));
    const name = join(folder, `tail-${bytes}`);
    writeFileSync(name, content);
    const file = openPositioned(name, 'records');
    if (file === undefined) throw new Error('it is a regular file');
    const expected = Buffer.concat([Buffer.alloc(TAIL), content]).subarray(-TAIL);
    expect(Buffer.from(tailOf(file)() ?? []).equals(expected)).toBe(true);
    expect(Buffer.from(lastBytes(content)).equals(expected)).toBe(true);
    closePositioned(file);
  },
);

test('a source that can only be read in order has no positions', () => {
  expect(openPositioned('-', 'records')).toBeUndefined();
  expect(openPositioned('/dev/null', 'records')).toBeUndefined();
});
