// Small files are read at once, and files that grow meanwhile to their ends.

import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { decodedAtOnce, decodedSource, readIfSmall } from '../../src/io/small-file.ts';
import { openSource } from '../../src/io/source.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-small-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'records');

/** All bytes of a source, as text. */
async function textOf({ read, wait }: ReturnType<typeof readIfSmall>): Promise<string> {
  const piece = new Uint8Array(7);
  let text = '';
  for (;;) {
    const bytes = read(piece) ?? (await wait(piece));
    if (bytes === 0) return text;
    text += Buffer.from(piece.subarray(0, bytes)).toString();
  }
}

test.each(['', 'one\n', 'one\n'.repeat(100)])('a file of %j is whole in memory', async (text) => {
  writeFileSync(path, text);
  const source = readIfSmall(openSource(path, 'records'));
  expect(Buffer.from(source.whole ?? Buffer.of(1)).toString()).toBe(text);
  expect(await textOf(source)).toBe(text);
  source.close();
});

test('a file that grows after it was opened is read to its end, and not taken for whole', async () => {
  writeFileSync(path, 'one\n');
  const opened = openSource(path, 'records');
  appendFileSync(path, 'two\n'.repeat(50));
  const source = readIfSmall(opened);
  expect(source.whole).toBeUndefined();
  expect(await textOf(source)).toBe(`one\n${'two\n'.repeat(50)}`);
  source.close();
});

test('decoded content has consumed the bytes of its file once', async () => {
  const text = 'one\n'.repeat(100);
  const file = gzipSync(text);
  const content = (await decodedAtOnce(file, { name: 'gzip', signatures: [] })) ?? new Uint8Array();
  const source = decodedSource(openSource(path, 'records'), content, file.length);
  expect(await textOf(source)).toBe(text);
  expect([source.consumed?.(), source.consumed?.()]).toEqual([file.length, 0]);
  source.close();
  expect(await decodedAtOnce(file.subarray(0, -1), { name: 'gzip', signatures: [] })).toBeUndefined();
  expect(await decodedAtOnce(Buffer.concat([file, Buffer.of(1)]), { name: 'gzip', signatures: [] })).toBeUndefined();
});
