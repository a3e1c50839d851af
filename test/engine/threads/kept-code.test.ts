// Threads run the code that V8 compiled of their program in an earlier run, and leave theirs if there was none.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { afterAll, expect, test } from 'vitest';
import { bloom } from '../../../src/filters/bloom.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { PLAIN_RULES, WHOLE } from '../../kernel/scanning.ts';
import { sampled } from '../../long.ts';
import { filterOf, strict } from '../alone.ts';
import { buildWithShape } from '../building.ts';
import { eager, withPoolOf } from './worker-pools.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-kept-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const input = join(folder, 'input');
writeFileSync(input, Array.from({ length: 5000 }, (_, i) => `${i}\n`).join(''));

const PROGRAM = readFileSync(new URL('../../../dist/js/worker.cjs', import.meta.url), 'latin1');
const inFunction = (body: string) => `(function(exports,require,module,__filename){${body}\n})`;

/** Builds a filter with two threads that have this code. Returns the code that they leave. */
async function leftBy(code: Buffer | undefined): Promise<Buffer[]> {
  const left: Buffer[] = [];
  const keptCode = () => ({ code, keep: (compiled: Buffer) => left.push(compiled) });
  await withPoolOf(2, { ...eager(1000), keptCode }, async (pool) => {
    const context = { kernel: loadKernel(), threadIndex: 0 };
    const request = { context, pool, kind: bloom, selection: WHOLE, rules: PLAIN_RULES, observer: strict };
    const shape = { segments: 3, segmentBits: 4096, bits: 3 * 4096, k: 2 };
    const { inserted } = await buildWithShape({ ...request, inputs: [input] }, shape);
    expect(inserted).toBe(5000);
  });
  return left;
}

test('one of them leaves the code of the functions that have run, and V8 accepts it', async () => {
  const [code, ...others] = await leftBy(undefined);
  expect(others).toEqual([]);
  const script = new Script(inFunction(PROGRAM), { cachedData: code ?? Buffer.alloc(0) });
  expect(script.cachedDataRejected).toBe(false);
  const unused = new Script(inFunction(PROGRAM)).createCachedData();
  expect(code?.length).toBeGreaterThan(1.2 * unused.length);
  expect(await leftBy(code)).toEqual([]);
});

test('what is kept is what runs', async () => {
  // V8 accepts code for any source of the same length.
  const body = "throw new Error('from the kept code');".padEnd(PROGRAM.length);
  const code = new Script(inFunction(body)).createCachedData();
  await expect(leftBy(code)).rejects.toMatchObject({ message: 'a thread has failed: from the kept code' });
});

const USELESS: [string, Buffer][] = [
  ['the code of another program', new Script(inFunction('')).createCachedData()],
  ['no code', Buffer.alloc(100_000, 'x')],
];
test.each(sampled(USELESS))('the program is compiled, and its code left, if what is kept is %s', async (_, code) => {
  expect(await leftBy(code)).toHaveLength(1);
});

test('nothing is left if it cannot be kept', async () => {
  const settings = { ...eager(1000), keptCode: () => undefined };
  const answers = await withPoolOf(2, settings, async (pool) => {
    pool.start();
    const shape = { segments: 1, segmentBits: 512, bits: 512, k: 2 };
    const filter = filterOf(shape, undefined, pool.threadCount);
    await pool.sendAll({ type: 'open', spec: { type: 'seal', filter, selection: WHOLE, rules: PLAIN_RULES } });
    return pool.sendAll({ type: 'finish' });
  });
  expect(answers).toMatchObject([
    { type: 'finished', code: undefined },
    { type: 'finished', code: undefined },
  ]);
});
