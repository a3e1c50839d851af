import { copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openBriefly } from '../../src/io/brief.ts';
import { readFully } from '../../src/io/source.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-brief-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'file');

const descriptors = () => readdirSync('/proc/self/fd').length;

test('a file is read in order to its end, and is not open in between', async () => {
  writeFileSync(file, '0123456789');
  const before = descriptors();
  const source = openBriefly(file, 'filter');
  expect(source).toMatchObject({ name: file, size: 10 });
  const parts: string[] = [];
  for (const length of [4, 1, 3, 9, 9]) {
    const part = new Uint8Array(length);
    parts.push(Buffer.from(part.subarray(0, await readFully(source, part))).toString());
    expect(descriptors()).toBe(before);
  }
  expect(parts).toEqual(['0123', '4', '567', '89', '']);
});

test.each([
  ['filter', 'BloomError'],
  ['records', 'UnreadableInput'],
] as const)('a file of %s that was replaced or is gone is no longer the same', (content, name) => {
  writeFileSync(file, '0123456789');
  const source = openBriefly(file, content);
  expect(source.read(new Uint8Array(4))).toBe(4);
  copyFileSync(file, `${file}.copy`);
  renameSync(`${file}.copy`, file);
  const read = () => source.read(new Uint8Array(4));
  expect(read).toThrow(
    expect.objectContaining({ name, code: 'input', message: `cannot read ${file}: it was replaced meanwhile` }),
  );
  rmSync(file);
  expect(read).toThrow(expect.objectContaining({ message: `cannot read ${file}: no such file or folder` }));
  expect(() => openBriefly(file, content)).toThrow(expect.objectContaining({ name, code: 'input' }));
});
