import type { Worker } from 'node:worker_threads';
import { BloomError } from '../../errors.ts';
import type { KeptCode } from '../../io/code-cache.ts';
import { kernelCode } from '../../kernel/kernel.ts';
import { WORKER_PROGRAM, workerCode } from '../worker-program.ts';
import { fromFailure, type Notice, type Reply, type Start, type WorkerRequest } from './thread-messages.ts';

/** A thread besides the main thread. */
export interface PoolWorker {
  /** Sends a request; requests are handled in order. */
  send(request: WorkerRequest): Promise<Reply>;
}

export interface PoolSettings {
  /** The program of the workers. */
  readonly program: URL;
  /** The place of the program's code; undefined if there is none. */
  readonly keptCode: () => KeptCode | undefined;
  /** Bytes from which on workers pay: with fewer, the main thread is done before they are ready. */
  readonly worthwhile: number;
  /** Bytes per chunk: enough to hide the cost of a request, few enough to share the work evenly. */
  readonly chunk: number;
}

const SETTINGS: PoolSettings = {
  program: WORKER_PROGRAM,
  keptCode: workerCode,
  worthwhile: 32 * 2 ** 20,
  chunk: 8 * 2 ** 20,
};

/** Workers that are started on demand. */
export interface WorkerPool {
  readonly settings: PoolSettings;
  /** The number of threads, including the main thread, that may work on a filter at once. */
  readonly threadCount: number;
  /** Starts the workers once, if there are any. Requests wait until the workers are ready. */
  start(): void;
  isStarted(): boolean;
  /** Sends the same request to all workers. */
  sendAll(request: WorkerRequest): Promise<Reply[]>;
  /** Waits for a worker with fewer open requests than this. */
  idle(requests: number): Promise<PoolWorker>;
  /** Terminates the workers, whatever they are doing. */
  close(): Promise<void>;
}

/** Runs some work with a pool of at most `workers` workers. With one, the main thread works alone. */
export async function withWorkerPool<T>(workers: number, work: (pool: WorkerPool) => Promise<T>): Promise<T> {
  const pool = createWorkerPool(workers);
  try {
    return await work(pool);
  } finally {
    await pool.close();
  }
}

/** A pool, which must be closed. */
export function createWorkerPool(size: number, settings = SETTINGS): WorkerPool {
  const most = size > 1 ? size : 0;
  const workers: ManagedWorker[] = [];
  let started: Promise<unknown> | undefined;
  let failure: Error | undefined;
  let wake: (() => void) | undefined;

  const onNews = (error?: Error) => {
    failure ??= error;
    wake?.();
  };
  const startAll = async () => {
    const { Worker } = await import('node:worker_threads');
    const kept = settings.keptCode();
    const code = kept?.code;
    try {
      for (let threadIndex = 1; threadIndex <= most; threadIndex++) {
        const keepsCode = kept !== undefined && threadIndex === 1;
        const start: Start = { threadIndex, kernelCode: kernelCode(), code, keepsCode };
        workers.push(manage(new Worker(settings.program, { workerData: start, execArgv: [] }), onNews, kept?.keep));
      }
    } catch (error) {
      // The system allows no more threads. The threads that were started do the work.
      if (workers.length === 0) throw notStarted(error);
    }
  };
  return {
    settings,
    threadCount: most + 1,
    start() {
      if (most > 0) started ??= startAll().catch(onNews);
    },
    isStarted: () => started !== undefined,
    async sendAll(request) {
      await started;
      return Promise.all(workers.map((worker) => worker.send(request)));
    },
    async idle(requests) {
      await started;
      for (;;) {
        if (failure !== undefined) throw failure;
        const worker = workers.reduce((a, b) => (b.requests() < a.requests() ? b : a));
        if (worker.requests() < requests) return worker;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async close() {
      await started;
      await Promise.all(workers.map((worker) => worker.end()));
    },
  };
}

/** The error for a pool without a worker. */
function notStarted(error: unknown): BloomError {
  const why = error instanceof Error ? error.message : String(error);
  return new BloomError(
    'memory',
    `no thread can be started: ${why}`,
    'use --threads 1, or allow more threads with ulimit -u',
  );
}

interface ManagedWorker extends PoolWorker {
  /** The number of open requests, except a part that only has to be printed. */
  requests(): number;
  end(): Promise<unknown>;
}

interface Waiting {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/** Manages a worker. `onNews` is called after each message, and when the worker is lost; `keep` gets the code of its program. */
function manage(worker: Worker, onNews: (error?: Error) => void, keep: KeptCode['keep'] | undefined): ManagedWorker {
  const waiting: Waiting[] = [];
  let isPrinting = false;
  let lost: Error | undefined;
  /** Rejects all open requests, so that nothing waits for the worker for ever. */
  const giveUp = (error: Error) => {
    lost ??= error;
    for (const { reject } of waiting.splice(0)) reject(lost);
    onNews(lost);
  };
  const lose = (why: string) =>
    giveUp(
      new BloomError(
        'memory',
        `a thread has failed: ${why}`,
        'run the command again with fewer --threads or more memory',
      ),
    );
  worker.on('message', (message: Reply | Notice) => {
    isPrinting = message.type === 'printing';
    if (message.type === 'finished' && message.code !== undefined) keep?.(Buffer.from(message.code));
    if (message.type !== 'printing') {
      const request = waiting.shift();
      if (message.type === 'failed') request?.reject(fromFailure(message.failure));
      else request?.resolve(message);
    }
    onNews();
  });
  worker.on('error', (error: Error) => lose(error.message));
  worker.on('exit', () => lose('it ended'));
  return {
    send(request) {
      if (lost !== undefined) return Promise.reject(lost);
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        worker.postMessage(request);
      });
    },
    requests: () => waiting.length - Number(isPrinting),
    end() {
      giveUp(new Error('the thread was dismissed'));
      return worker.terminate();
    },
  };
}
