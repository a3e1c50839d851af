// If a thread dies, the work ends with an error, whatever the other threads wait for.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { oneFilter, type TestSpec } from '../../../src/engine/tasks/task.ts';
import { runPass } from '../../../src/engine/threads/pass.ts';
import { createWorkerPool, type WorkerPool } from '../../../src/engine/threads/worker-pool.ts';
import { bloom } from '../../../src/filters/bloom.ts';
import type { Shape } from '../../../src/filters/kind.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { PLAIN_RULES, WHOLE } from '../../kernel/scanning.ts';
import { IS_LONG } from '../../long.ts';
import { filterOf, strict } from '../alone.ts';
import { buildSized, buildWithShape } from '../building.ts';
import { eager, withPoolOf } from './worker-pools.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-lost-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const input = join(folder, 'input');
writeFileSync(input, Array.from({ length: 20_000 }, (_, i) => `${i}\n`).join(''));

const SHAPE: Shape = { segments: 3, segmentBits: 4096, bits: 3 * 4096, k: 2 };
const KEYS = { selection: WHOLE, rules: PLAIN_RULES };
const LOST = { name: 'BloomError', code: 'memory', message: expect.stringContaining('a thread has failed') };

/** A pool whose first thread dies. */
function withDoomed<T>(at: string, by: string, work: (pool: WorkerPool) => Promise<T>): Promise<T> {
  process.env.DIES_AT = at;
  process.env.DIES_BY = by;
  const program = new URL('dying.cjs', import.meta.url);
  return withPoolOf(2, { ...eager(1000), program }, work);
}

function requestOf(pool: WorkerPool) {
  const context = { kernel: loadKernel(), threadIndex: 0 };
  return { context, pool, kind: bloom, inputs: [input], selection: WHOLE, rules: PLAIN_RULES, observer: strict };
}

describe.each(['start', 'open', 'scan', 'finish'])('a thread that dies at %s', (at) => {
  // By default a thread dies in one way at each moment.
  const ways = ['exit', 'throw'].filter((_, i) => IS_LONG || i === (at === 'open' || at === 'finish' ? 1 : 0));
  test.each(ways)('by %s ends a build', async (by) => {
    const building = withDoomed(at, by, (pool) => buildWithShape(requestOf(pool), SHAPE));
    await expect(building).rejects.toMatchObject(LOST);
  });

  test.runIf(IS_LONG || at === 'scan')('ends a build with a stated size', async () => {
    const building = withDoomed(at, 'exit', (pool) => buildSized(requestOf(pool), () => SHAPE));
    await expect(building).rejects.toMatchObject(LOST);
  });

  test('ends a query although other threads wait for their turn to print', async () => {
    const asking = withDoomed(at, 'exit', (pool) => {
      // The filter is empty, so nothing is printed.
      const filter = filterOf(SHAPE, undefined, pool.threadCount);
      const spec: TestSpec = {
        type: 'test',
        selection: WHOLE,
        ...oneFilter(filter, PLAIN_RULES),
        print: { wanted: 1, tag: false, named: false, numbered: false, json: false },
        lineBuffered: false,
        bySource: false,
        stopAt: undefined,
      };
      const context = { kernel: loadKernel(), threadIndex: 0 };
      return runPass({ context, pool, spec, inputs: [input], observer: strict });
    });
    await expect(asking).rejects.toMatchObject(LOST);
  });
});

test('a request to a dismissed thread is rejected', async () => {
  const pool = createWorkerPool(2, eager(1000));
  pool.start();
  const asked = pool.sendAll({ type: 'open', spec: { type: 'seal', filter: filterOf(SHAPE), ...KEYS } });
  const refused = expect(asked).rejects.toThrow('dismissed');
  const free = expect(pool.idle(0)).rejects.toThrow('dismissed');
  await pool.close();
  await refused;
  await free;
});

test('a file that is no program for a thread ends the work', async () => {
  const building = withPoolOf(2, { ...eager(1000), program: new URL('nowhere.cjs', import.meta.url) }, (pool) =>
    buildWithShape(requestOf(pool), SHAPE),
  );
  await expect(building).rejects.toMatchObject(LOST);
});
