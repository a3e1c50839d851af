// A file with more keys than a set holds is read twice, and its number of keys is an estimate.

import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { signFiles } from '../../../src/engine/index/make-index.ts';
import { rowsTogether } from '../../../src/engine/index/write-index.ts';
import { WHOLE_LINES } from '../../../src/engine/input/key-selection.ts';
import { withWorkerPool } from '../../../src/engine/threads/worker-pool.ts';
import { inLongRuns } from '../../long.ts';
import { decodeIndex } from '../../reference/index-file.ts';
import { xxh64 } from '../../reference/xxh64.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloomery-index-'));
afterAll(() => rmSync(folder, { recursive: true }));

const DESIGN = {
  selection: WHOLE_LINES,
  rules: { hash: 'xxh64', seed: 5n, ignoreCase: false, trim: false },
  ...{ k: 5, targetFpr: 0.02, selectionChecksum: 9n, hasChecksums: false },
} as const;

function fileNow(name: string) {
  const { size, mtimeMs: modified } = statSync(name);
  return { name, size, modified, isFound: false };
}

test('all keys of a file that is read twice are in its signature, and other signatures are not affected', async () => {
  const KEYS = inLongRuns(60_000, 20_000);
  const sizes = [300, KEYS, 200];
  const names = sizes.map((size, i) => {
    const name = join(folder, `${i}`);
    const lines = Array.from({ length: size }, (_, j) => `${i}/${j}\n`).join('');
    // Repeated keys do not count again.
    writeFileSync(name, lines + lines);
    return name;
  });
  const made = async (slotsLimit: number) =>
    withWorkerPool(1, async (pool) => {
      const signed = await signFiles(pool, { ...DESIGN, slotsLimit }, names.map(fileNow), { onUnreadable: () => {} });
      const pieces: Uint8Array[] = [];
      await signed.write(async (bytes) => void pieces.push(bytes));
      signed.close();
      return decodeIndex(Buffer.concat(pieces));
    });
  const [exact, estimated] = [await made(2 ** 20), await made(2 ** 12)];
  expect(exact.files.map(({ keys }) => keys)).toEqual(sizes);
  expect([0, 2].map((i) => estimated.files[i])).toEqual([0, 2].map((i) => exact.files[i]));
  // The estimate is an upper bound: 3 standard errors of 0.41 % above an estimate that may itself be off by as many.
  const keys = estimated.files[1]?.keys ?? 0;
  expect(keys).toBeGreaterThanOrEqual(KEYS);
  expect(keys).toBeLessThan(1.03 * KEYS);
  for (let j = 0; j < KEYS; j += 97) {
    const digest = xxh64(Buffer.from(`1/${j}`), 5n);
    expect(exact.filesWith(digest)).toContain(names[1]);
    expect(estimated.filesWith(digest)).toContain(names[1]);
  }
});

// Rows of two files are written 2^22 at once.
test('rows that do not fit in one write are where they belong', async () => {
  const KEYS = 540_000;
  const files = [0, 1].map((i) => {
    const name = join(folder, `large-${i}`);
    writeFileSync(name, Array.from({ length: KEYS }, (_, j) => `${i}${j}\n`).join(''));
    return fileNow(name);
  });
  await withWorkerPool(1, async (pool) => {
    const signed = await signFiles(pool, DESIGN, files, { onUnreadable: () => {} });
    const pieces: Uint8Array[] = [];
    await signed.write(async (bytes) => void pieces.push(bytes));
    signed.close();
    const index = decodeIndex(Buffer.concat(pieces));
    expect(index.groups.map(({ rows }) => rows)).toEqual([expect.any(Number)]);
    expect(index.groups[0]?.rows).toBeGreaterThan(2 ** 22);
    let others = 0;
    for (let j = 0; j < KEYS; j += 499)
      for (const i of [0, 1]) {
        const found = index.filesWith(xxh64(Buffer.from(`${i}${j}`), 5n));
        expect(found).toContain(files[i]?.name);
        others += found.length - 1;
      }
    expect(others).toBeLessThan(80);
  });
});

test('a set has half as many keys as slots, and a file with one more key is read twice', async () => {
  const LIMIT = 2 ** 12;
  const sizes = [LIMIT / 2, LIMIT / 2 + 1];
  const files = sizes.map((size) => {
    const name = join(folder, `full-${size}`);
    writeFileSync(name, Array.from({ length: size }, (_, j) => `${j}\n`).join(''));
    return fileNow(name);
  });
  await withWorkerPool(1, async (pool) => {
    const signed = await signFiles(pool, { ...DESIGN, slotsLimit: LIMIT }, files, { onUnreadable: () => {} });
    signed.close();
    const [exact, estimated] = signed.files.map(({ keys }) => keys);
    expect(exact).toBe(LIMIT / 2);
    expect(estimated).toBeGreaterThan(LIMIT / 2 + 1);
  });
});

test('a file is read when a later change gives it another time', async () => {
  const name = join(folder, 'changing');
  // Only the first round loads modules.
  for (let round = 0; round < 3; round++) {
    writeFileSync(name, `${round}\n`);
    await withWorkerPool(1, async (pool) =>
      (await signFiles(pool, DESIGN, [fileNow(name)], { onUnreadable: () => {} })).close(),
    );
    expect(Date.now() - statSync(name).mtimeMs).toBeGreaterThanOrEqual(20);
  }
});

test('rows are made by eights, at least 8 of them, in a group of any number of files', () => {
  expect([1, 1000, 2 ** 17, 2 ** 17 + 1, 2 ** 20, 2 ** 24].map(rowsTogether)).toEqual([
    8 * 2 ** 20,
    8 * 1048,
    64,
    56,
    8,
    8,
  ]);
});
