// The first record that begins at a position of a file or after it, at every position.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { nextRecord } from '../../../src/engine/input/next-record.ts';
import { closePositioned, openPositioned } from '../../../src/io/positioned.ts';
import { writeNewFile } from '../../new-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-next-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function opened(name: string, bytes: Uint8Array) {
  const path = join(folder, name);
  writeNewFile(path, bytes);
  const file = openPositioned(path, 'records');
  if (file === undefined) throw new Error('a regular file can be read at any position');
  return file;
}

test('digests begin at multiples of their length', () => {
  const file = opened('digests', new Uint8Array(80));
  for (let position = 1; position < 80; position++) {
    const starts = Array.from({ length: 11 }, (_, i) => 8 * i);
    const expected = starts.find((start) => start >= position);
    expect(nextRecord(file, position, { length: 8 }, 1000)).toBe(expected);
  }
  closePositioned(file);
});

test('lines of any length begin after newlines', () => {
  const lines = [0, 3, 5000, 1, 0, 0, 70_000, 2].map((length) => `${'x'.repeat(length)}\n`);
  const text = lines.join('');
  const starts = lines.map((_, i) => lines.slice(0, i).join('').length);
  const file = opened('lines', Buffer.from(text));
  for (let position = 1; position < text.length; position += position < 10 || position > 75_000 ? 1 : 997) {
    const expected = [...starts, text.length].find((start) => start >= position);
    expect(nextRecord(file, position, { terminator: 10 }, 2 ** 20)).toBe(expected);
  }
  closePositioned(file);
});
