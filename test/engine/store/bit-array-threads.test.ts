// Threads that work on one bit array at the same time lose no bit, and read no page twice.

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBitArray } from '../../../src/engine/store/bit-array.ts';
import { createBitArrayPayload, PAGE_BITS, PAGE_BYTES } from '../../../src/engine/store/bit-array-payload.ts';
import type { StoredBits } from '../../../src/formats/format.ts';
import { closePositioned, openPositioned } from '../../../src/io/positioned.ts';
import { kernelCode, loadKernel } from '../../../src/kernel/kernel.ts';
import { placed } from '../../formats/bloomery/files.ts';
import { inLongRuns } from '../../long.ts';
import { addDigests, type BitArrayBytes, type BitArrayRules, type TwoWords } from '../../reference/bit-array-bits.ts';
import type { BitArrayDone, BitArrayJob } from './bit-array-worker.ts';
import { drawnDigests, expectBits, limitFor, pagesWith, shapeOf } from './bit-arrays.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-flat-'));
const program = join(folder, 'worker.mjs');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(async () => {
  const input = fileURLToPath(new URL('bit-array-worker.ts', import.meta.url));
  const bundle = await rolldown({ input, platform: 'node' });
  await bundle.write({ file: program, format: 'esm', codeSplitting: false });
  await bundle.close();
});

interface Work {
  readonly rules: BitArrayRules;
  readonly digests: readonly TwoWords[];
  readonly threads: number;
  readonly pagesEach?: number | undefined;
  readonly stored?: StoredBits;
  /** Digests to add, each by one of the threads. */
  readonly adding: number;
}

/** Threads add some digests to an array, and then look up all. Returns the results and the array. */
async function together({ rules, digests, threads, pagesEach, stored, adding }: Work) {
  const payload = createBitArrayPayload(shapeOf(rules), threads, pagesEach && limitFor(rules, pagesEach, threads));
  const pages = Math.ceil(rules.bits / PAGE_BITS);
  const reads = new Int32Array(new SharedArrayBuffer(4 * pages));
  const gates = new Int32Array(new SharedArrayBuffer(16));
  const words = new Uint8Array(BigUint64Array.from(digests.flat()).buffer);
  const run = async (threadIndex: number): Promise<BitArrayDone> => {
    const [from, to] = [threadIndex, threadIndex + 1].map((i) => Math.floor((i * adding) / threads));
    const shared = { kernelCode: kernelCode(), payload, digests: words, stored, reads, gates };
    const job: BitArrayJob = { ...shared, threadIndex, from: from ?? 0, to: to ?? 0 };
    const worker = new Worker(program, { workerData: job });
    const [done] = await once(worker, 'message');
    await worker.terminate();
    return done;
  };
  const done = await Promise.all(Array.from({ length: threads }, (_, i) => run(i)));
  return { done, payload, reads, array: createBitArray(payload, loadKernel(), 0) };
}

// So many keys for one page that two threads often write the same word at the same time.
const DENSE: BitArrayRules = { bits: 2 ** 19 - 3, k: 2, order: 'be64' };
const MANY = drawnDigests(1, 150_000);
const EXPECTED: BitArrayBytes = new Map();
const CHANGES = addDigests(EXPECTED, MANY, DENSE);

test.each(inLongRuns([1, 2, 3, 4, 8, 16], [3]))('%d threads that add at the same time lose no bit', async (threads) => {
  const { done, array, payload } = await together({ rules: DENSE, digests: MANY, threads, adding: MANY.length });
  expectBits(array, payload, EXPECTED);
  expect(done.map(({ found }) => found)).toEqual(done.map(() => MANY.length));
  const added = done.reduce((sum, { added }) => sum + added, 0);
  expect(added).toBeGreaterThanOrEqual(threads === 1 ? CHANGES : 1);
  expect(added).toBeLessThanOrEqual(threads === 1 ? CHANGES : MANY.length);
});

test.each([undefined, 30])('threads read each page that they need once (pages of a memory: %s)', async (pagesEach) => {
  const rules: BitArrayRules = { bits: 100 * PAGE_BITS + 1, k: 3, order: 'bytes' };
  const members = drawnDigests(2, 60);
  const bytes: BitArrayBytes = new Map();
  addDigests(bytes, members.slice(0, 50), rules);
  const offset = 48;
  const content = Buffer.alloc(offset + 101 * PAGE_BYTES);
  for (const [byte, value] of bytes) content[offset + byte] = value;
  const file = openPositioned(placed(content), 'filter');
  if (file === undefined) throw new Error('there is no file');
  const stored = { file, parts: [{ offset, bytes: 100 * PAGE_BYTES + 8 }] };
  // All threads look up all digests. Only the last ten digests are added.
  const work = { rules, digests: [...members.slice(50), ...members.slice(0, 50)], threads: 4, pagesEach, stored };
  const { done, array, payload, reads } = await together({ ...work, adding: 10 });
  addDigests(bytes, members.slice(50), rules);
  expect(done.map(({ found }) => found)).toEqual(done.map(() => 60));
  expectBits(array, payload, bytes);
  expect([...reads.keys()].filter((page) => (reads[page] ?? 0) > 0)).toEqual(pagesWith(bytes));
  expect(Math.max(...reads)).toBe(1);
  closePositioned(file);
});
