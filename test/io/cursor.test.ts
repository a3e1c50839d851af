// A cursor takes and skips what the bytes have, in a pipe and in a file.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createCursor } from '../../src/io/cursor.ts';
import { closePositioned, openPositioned } from '../../src/io/positioned.ts';
import type { ByteSource } from '../../src/io/source.ts';
import { piecewise } from '../kernel/pieces.ts';
import { inLongRuns } from '../long.ts';
import { createRandom } from '../reference/random.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-cursor-'));
afterAll(() => rmSync(folder, { recursive: true }));

const BYTES = Buffer.from(Uint8Array.from({ length: 150_000 }, (_, i) => i ^ (i >> 8)));

const step = fc.record({
  isTaken: fc.boolean(),
  length: fc.oneof(fc.nat(600), fc.constantFrom(0, 1, 511, 512, 513, 65_535, 65_536, 65_537), fc.nat(80_000)),
});

async function check(
  source: ByteSource,
  steps: readonly { readonly isTaken: boolean; readonly length: number }[],
  isFile: boolean,
) {
  const cursor = createCursor(source);
  let at = 0;
  for (const { isTaken, length } of steps) {
    if (isTaken) {
      const found = await cursor.take(length);
      expect(Buffer.from(found).equals(BYTES.subarray(at, at + length))).toBe(true);
      at += found.length;
    } else {
      await cursor.skip(length);
      at = isFile ? at + length : Math.min(BYTES.length, at + length);
    }
    expect(cursor.position()).toBe(at);
  }
}

test('in a pipe', async () => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.nat(), async (steps, seed) => {
    const random = createRandom(seed);
    await check(piecewise(BYTES, random, { most: 70_000, blocking: 0.3 }), steps, false);
  });
  await fc.assert(property, { numRuns: inLongRuns(300, 25) });
});

test('in a file, also past its end', async () => {
  writeFileSync(join(folder, 'bytes'), BYTES);
  const file = openPositioned(join(folder, 'bytes'), 'filter');
  const source = { ...piecewise(Buffer.of(), createRandom(1), { most: 1, blocking: 0 }), ...(file && { file }) };
  const property = fc.asyncProperty(fc.array(step, { maxLength: 8 }), (steps) => check(source, steps, true));
  await fc.assert(property, { numRuns: inLongRuns(300, 25) });
  if (file !== undefined) closePositioned(file);
});
