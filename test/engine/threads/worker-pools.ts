// Pools that start for a few bytes, so that threads share small inputs too.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createWorkerPool, type PoolSettings, type WorkerPool } from '../../../src/engine/threads/worker-pool.ts';
import { WORKER_PROGRAM } from '../../../src/engine/worker-program.ts';

/** The code of the program of the threads, which the first threads of a process leave to the later ones. */
let code: Buffer | undefined;
const keptCode = () => ({
  code,
  keep(compiled: Buffer) {
    code = compiled;
  },
});

/** Threads read from `worthwhile` bytes on, by default everything, in chunks of some bytes. */
export function eager(chunk: number, worthwhile = 0): PoolSettings {
  return { program: WORKER_PROGRAM, keptCode, worthwhile, chunk };
}

/**
 * Runs some work with a pool of this many threads. Throws an error if it is certain that the work did not start them: the test would
 * then say nothing about threads.
 */
export async function withPoolOf<T>(
  threads: number,
  settings: PoolSettings,
  work: (pool: WorkerPool) => Promise<T>,
  isCertain = true,
): Promise<T> {
  let started = 0;
  const count = () => {
    started++;
  };
  process.on('worker', count);
  const pool = createWorkerPool(threads, settings);
  try {
    const result = await work(pool);
    const expected = threads > 1 ? threads : 0;
    if (isCertain && started !== expected) throw new Error(`${started} threads were started, not ${expected}`);
    return result;
  } finally {
    process.removeListener('worker', count);
    await pool.close();
  }
}

/** Pools whose work is done, by their number of threads. A thread takes longer to start than most tests to run. */
const used = new Map<number, WorkerPool>();

/** Ends the threads that wait for further work. */
export async function closeUsedPools(): Promise<void> {
  const pools = [...used.values()];
  used.clear();
  for (const pool of pools) await pool.close();
}

/** Runs some work with a pool that may have done other work before. Throws an error if it is certain that the work needs no threads. */
export async function withUsedPoolOf<T>(
  threads: number,
  settings: PoolSettings,
  work: (pool: WorkerPool) => Promise<T>,
  isCertain = true,
): Promise<T> {
  const pool = used.get(threads) ?? createWorkerPool(threads, settings);
  used.delete(threads);
  let isStarted = false;
  const start = () => {
    pool.start();
    isStarted = pool.isStarted();
  };
  try {
    const result = await work({ ...pool, settings, start, isStarted: () => isStarted });
    if (isCertain && isStarted !== threads > 1) throw new Error(`${threads} threads, and other threads: ${isStarted}`);
    used.set(threads, pool);
    return result;
  } finally {
    if (used.get(threads) !== pool) await pool.close();
  }
}

/** Runs work on named pipes, one for each file. Other processes write the files into them. Returns the result of the work. */
export async function withPipes<T>(files: readonly string[], work: (pipes: string[]) => Promise<T>): Promise<T> {
  const pipes = files.map((file, i) => `${file}.${i}.pipe`);
  const script = 'mkfifo "$@"; while IFS= read -r from && IFS= read -r to; do cat "$from" > "$to" & done; echo; wait';
  const writer = spawn('sh', ['-c', script, 'sh', ...pipes], { stdio: 'pipe' });
  const end = once(writer, 'exit');
  writer.stdin.end(files.map((file, i) => `${file}\n${pipes[i]}\n`).join(''));
  await once(writer.stdout, 'data');
  const result = await work(pipes);
  await end;
  for (const pipe of pipes) rmSync(pipe);
  return result;
}
