// The bytes of a chunk belong to its thread until the thread replies, whatever else is read or ends.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { createBufferPool } from '../../../src/engine/input/buffer-pool.ts';
import { chunkBytes, chunkSource } from '../../../src/engine/input/chunks.ts';
import { NOTHING } from '../../../src/engine/tasks/tally.ts';
import type { TaskSpec } from '../../../src/engine/tasks/task.ts';
import { runPass } from '../../../src/engine/threads/pass.ts';
import type { Reply, WorkerRequest } from '../../../src/engine/threads/thread-messages.ts';
import type { PoolWorker, WorkerPool } from '../../../src/engine/threads/worker-pool.ts';
import { readFully } from '../../../src/io/source.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { PLAIN_RULES, WHOLE } from '../../kernel/scanning.ts';
import { below, createRandom } from '../../reference/random.ts';
import { strict } from '../alone.ts';
import { eager, withPipes } from '../threads/worker-pools.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-buffers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CHUNK = 20_000;
/** What a thread got: the bytes at that time, and the function that answers. */
interface Given {
  readonly at: number;
  readonly request: WorkerRequest & { readonly type: 'scan' };
  readonly before: Buffer;
  answer(reply: Reply): void;
}

/** All bytes of a request to a thread. */
async function bytesOf({ chunk }: Given['request']): Promise<Buffer> {
  const bytes = Buffer.alloc(chunkBytes(chunk));
  return bytes.subarray(0, await readFully(chunkSource(chunk), bytes));
}

/**
 * A pool of slow threads. They answer in any order, and only when all of them have enough work or nothing else happens.
 */
function slowCrew(threads: number, seed: number) {
  const random = createRandom(seed);
  const given: Given[] = [];
  const scanned = new Map<number, string>();
  let changed = 0;
  let number = 0;
  const busy = Array.from({ length: threads }, () => 0);
  const answerOne = async () => {
    const [next] = given.splice(below(random, given.length), 1);
    if (next === undefined) return;
    const now = await bytesOf(next.request);
    if (!now.equals(next.before)) changed++;
    scanned.set(next.request.part.turn?.number ?? -1, now.toString('latin1'));
    busy[next.at] = (busy[next.at] ?? 0) - 1;
    next.answer({ type: 'scanned', tally: NOTHING });
  };
  const worker = (at: number): PoolWorker => ({
    async send(request) {
      if (request.type !== 'scan') throw new Error('only chunks are handed out');
      busy[at] = (busy[at] ?? 0) + 1;
      const before = Buffer.from(await bytesOf(request));
      const mine = ++number;
      const reply = new Promise<Reply>((answer) => {
        given.push({ at, request, before, answer });
      });
      // If nothing else was handed out for some turns of the loop, nothing will be until this request is answered.
      void (async () => {
        for (let idle = 0; idle < 200 && mine === number; idle++) await turn();
        while (mine === number && given.length > 0) await answerOne();
      })();
      return reply;
    },
  });
  const pool: WorkerPool = {
    settings: eager(CHUNK),
    threadCount: threads + 1,
    start() {},
    isStarted: () => true,
    sendAll: async ({ type }) =>
      type === 'finish'
        ? [{ type: 'finished', result: { type: 'tally', ...NOTHING }, code: undefined }]
        : [{ type: 'opened' }],
    async idle(most) {
      for (;;) {
        const at = busy.findIndex((requests) => requests < most);
        if (at >= 0) return worker(at);
        await answerOne();
      }
    },
    close: async () => {},
  };
  const all = () => {
    expect(changed, 'chunks that changed while a thread had them').toBe(0);
    return [...scanned].sort(([a], [b]) => a - b).map(([, text]) => text);
  };
  return { pool, all };
}

const EMPTY = '';
const burst = (name: string, records: number) =>
  Array.from({ length: records }, (_, i) => `${name}${String(i).padStart(8, '0')}\n`).join('');

describe('chunks of many inputs', () => {
  const CONTENTS = [
    burst('first', 20_000),
    EMPTY,
    ...['a', 'b', 'c', 'd', 'e'].flatMap((name) => [burst(name, 1500), EMPTY]),
    'a record that is longer than many chunks '.repeat(5000),
    EMPTY,
    burst('last', 4000),
  ];
  const names = CONTENTS.map((_, i) => join(folder, `input${i}`));
  for (const [i, content] of CONTENTS.entries()) writeFileSync(names[i] ?? '', content);
  const spec: TaskSpec = { type: 'survey', selection: WHOLE, rules: PLAIN_RULES, spills: false };
  const read = async (inputs: readonly string[], threads: number) => {
    const { pool, all } = slowCrew(threads, threads);
    await runPass({ context: { kernel: loadKernel(), threadIndex: 0 }, pool, spec, inputs, observer: strict });
    return all().join('');
  };

  test.each([1, 2, 3, 4, 8])('do not change while %d slow threads use them', async (threads) => {
    const expected = CONTENTS.join('');
    expect((await withPipes(names, (inputs) => read(inputs, threads))) === expected, 'from pipes').toBe(true);
    expect((await read(names, threads)) === expected, 'from files').toBe(true);
  });
});

describe('a pool of buffers', () => {
  test('gives each buffer to one owner at a time', () => {
    const pool = createBufferPool(100);
    const [a, b] = [pool.take(), pool.take()];
    expect(a.buffer).not.toBe(b.buffer);
    pool.giveBack(a.subarray(0, 7));
    const c = pool.take();
    expect(c.buffer).toBe(a.buffer);
    expect(c).toHaveLength(100);
    expect(pool.take().buffer).not.toBe(b.buffer);
  });

  test('refuses a buffer that is not in use', () => {
    const pool = createBufferPool(100);
    const buffer = pool.take();
    pool.giveBack(buffer);
    expect(() => pool.giveBack(buffer)).toThrow('given back');
    expect(() => pool.giveBack(new Uint8Array(100))).toThrow('given back');
  });

  test('makes larger ones, and keeps none of them', () => {
    const pool = createBufferPool(100);
    const large = pool.take(1000);
    expect(large).toHaveLength(1000);
    pool.giveBack(large);
    expect(pool.take(1000).buffer).not.toBe(large.buffer);
    expect(pool.take()).toHaveLength(100);
  });
});
