// The progress that a build reports for its passes over the inputs.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WorkProgress } from '../../../src/engine/input/progress.ts';
import { bloom } from '../../../src/filters/bloom.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { segmented } from '../../../src/sizing/geometry.ts';
import { PLAIN_RULES, WHOLE } from '../../kernel/scanning.ts';
import { writeNewFile } from '../../new-file.ts';
import { buildSized } from '../building.ts';
import { eager, withPipes, withPoolOf } from './worker-pools.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-passes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const input = join(folder, 'input');
const KEYS_A_THREAD = 2 ** 20;

// Each look at the clock adds a second, so that every piece of the work is reported.
beforeEach(() => {
  let now = 0;
  vi.spyOn(process, 'uptime').mockImplementation(() => now++);
});
afterEach(() => void vi.restoreAllMocks());

/** The progress of a build, and the number of threads whose digests it keeps. */
async function reported(threads: number, name = input): Promise<{ progress: WorkProgress[]; threadCount: number }> {
  const progress: WorkProgress[] = [];
  return withPoolOf(threads, eager(2 ** 17), async (pool) => {
    await buildSized(
      {
        context: { kernel: loadKernel(), threadIndex: 0 },
        pool,
        kind: bloom,
        inputs: [name],
        selection: WHOLE,
        rules: PLAIN_RULES,
        observer: {
          onProgress: (now) => void progress.push(now),
          onUnreadable(error) {
            throw error;
          },
        },
      },
      (count) => ({ ...segmented(10 * count), k: 7 }),
    );
    return { progress, threadCount: pool.threadCount };
  });
}

const write = (keys: number) => writeNewFile(input, 'a\n'.repeat(keys));

test.each([1, 2])('two passes, once two are known to be needed, with %d threads', async (threads) => {
  const keys = (threads + 2) * KEYS_A_THREAD;
  const total = 2 * keys;
  write(keys);
  const { progress, threadCount } = await reported(threads);
  expect(progress.every((now) => now.total === total)).toBe(true);
  const [unknown, first, second] = [undefined, 1, 2].map((pass) => progress.filter((now) => now.pass?.number === pass));
  expect([...(unknown ?? []), ...(first ?? []), ...(second ?? [])]).toEqual(progress);
  // Not before at least one thread got more keys than it keeps.
  expect(unknown?.at(-1)?.bytes).toBeGreaterThanOrEqual(2 * KEYS_A_THREAD * threadCount - 2 ** 18);
  expect(first?.[0]?.bytes).toBeLessThan(total);
  expect(first?.at(-1)?.bytes).toBe(total);
  // The second pass begins at 0.
  expect(second?.[0]?.bytes).toBeLessThanOrEqual(2 ** 18);
  expect(second?.at(-1)?.bytes).toBe(total);
});

test('one pass if all digests are kept: few digests, or digests from a pipe', async () => {
  write(KEYS_A_THREAD);
  const few = await reported(1);
  write(2 * KEYS_A_THREAD);
  const piped = await withPipes([input], ([pipe]) => reported(1, pipe));
  for (const { progress } of [few, piped]) {
    expect(progress.length).toBeGreaterThan(0);
    expect(progress.filter(({ pass }) => pass !== undefined)).toEqual([]);
  }
});
