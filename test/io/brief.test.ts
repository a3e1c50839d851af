import { copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createBriefOpener } from '../../src/io/brief.ts';
import { readFully } from '../../src/io/source.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-brief-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'file');

const descriptors = () => readdirSync('/proc/self/fd').length;

test('files are read in order to their ends, in turn, and no more than one is open', async () => {
  writeFileSync(file, '0123456789');
  writeFileSync(`${file}.other`, 'abcdefghij');
  const before = descriptors();
  const openBriefly = createBriefOpener();
  const sources = [file, `${file}.other`].map((name) => openBriefly(name, 'filter'));
  expect(sources[0]).toMatchObject({ name: file, size: 10 });
  const parts: string[] = [];
  for (const length of [4, 1, 3, 9, 9])
    for (const source of sources) {
      const part = new Uint8Array(length);
      parts.push(Buffer.from(part.subarray(0, await readFully(source, part))).toString());
      expect(descriptors()).toBe(before + 1);
    }
  expect(parts).toEqual(['0123', 'abcd', '4', 'e', '567', 'fgh', '89', 'ij', '', '']);
  sources[0]?.close();
  expect(descriptors()).toBe(before + 1);
  sources[1]?.close();
  sources[1]?.close();
  expect(descriptors()).toBe(before);
});

test.each([
  ['filter', 'BloomError'],
  ['records', 'UnreadableInput'],
] as const)('a file of %s that was replaced or is gone is no longer the same', (content, name) => {
  writeFileSync(file, '0123456789');
  const before = descriptors();
  const openBriefly = createBriefOpener();
  const source = openBriefly(file, content);
  expect(source.read(new Uint8Array(4))).toBe(4);
  openBriefly(process.execPath, content).read(new Uint8Array(4));
  copyFileSync(file, `${file}.copy`);
  renameSync(`${file}.copy`, file);
  const read = () => source.read(new Uint8Array(4));
  expect(read).toThrow(
    expect.objectContaining({ name, code: 'input', message: `cannot read ${file}: it was replaced while it was read` }),
  );
  rmSync(file);
  expect(read).toThrow(expect.objectContaining({ message: `cannot read ${file}: no such file or folder` }));
  expect(() => openBriefly(file, content)).toThrow(expect.objectContaining({ name, code: 'input' }));
  expect(descriptors()).toBe(before);
});
