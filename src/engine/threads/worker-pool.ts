import type { Worker } from 'node:worker_threads';
import { BloomError } from '../../errors.ts';
import { kernelCode } from '../../kernel/kernel.ts';
import { WORKER_PROGRAM } from '../worker-program.ts';
import { fromFailure, type Notice, type Reply, type Start, type WorkerRequest } from './thread-messages.ts';

/** A thread beside the main one. */
export interface PoolWorker {
  /** Asks for something; requests are met in their order. */
  ask(request: WorkerRequest): Promise<Reply>;
}

export interface PoolSettings {
  /** What the workers run. */
  readonly program: URL;
  /** With fewer bytes to read than this the main thread is done before they are up. */
  readonly worthwhile: number;
  /** Bytes that are handed to a worker: enough that asking for them takes no time, few enough to share out well. */
  readonly chunk: number;
}

const SETTINGS: PoolSettings = { program: WORKER_PROGRAM, worthwhile: 32 * 2 ** 20, chunk: 8 * 2 ** 20 };

/** Workers that are started when they are wanted. */
export interface WorkerPool {
  readonly settings: PoolSettings;
  /** Threads, the main one among them, that may be at a filter at once. */
  readonly threadCount: number;
  /** Starts the workers, if there are any and that was not done before. What they are asked waits until they are up. */
  start(): void;
  isStarted(): boolean;
  /** Asks all of them for the same. */
  askAll(request: WorkerRequest): Promise<Reply[]>;
  /** Waits for one that has less than so many requests to meet. */
  idle(requests: number): Promise<PoolWorker>;
  /** Ends them, whatever they are at. */
  close(): Promise<void>;
}

/** Lets some work have a pool of at most so many workers; one is the main thread alone. */
export async function withWorkerPool<T>(workers: number, work: (pool: WorkerPool) => Promise<T>): Promise<T> {
  const pool = createWorkerPool(workers);
  try {
    return await work(pool);
  } finally {
    await pool.close();
  }
}

/** A pool that must be closed. */
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
    try {
      for (let threadIndex = 1; threadIndex <= most; threadIndex++) {
        const start: Start = { threadIndex, kernelCode: kernelCode() };
        workers.push(manage(new Worker(settings.program, { workerData: start, execArgv: [] }), onNews));
      }
    } catch (error) {
      // The system allows no more of them. Those that are up do the work too.
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
    async askAll(request) {
      await started;
      return Promise.all(workers.map((worker) => worker.ask(request)));
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
  return new BloomError('memory', `no thread can be started: ${why}`, 'use --threads 1, or allow more (ulimit -u)');
}

interface ManagedWorker extends PoolWorker {
  /** Those that it has not met yet, but for the part that it only has to print. */
  requests(): number;
  end(): Promise<unknown>;
}

interface Waiting {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/** Manages a worker. `onNews` hears of everything that it says, and of its loss. */
function manage(worker: Worker, onNews: (error?: Error) => void): ManagedWorker {
  const waiting: Waiting[] = [];
  let isPrinting = false;
  let lost: Error | undefined;
  /** Whoever waits for the worker must not wait for ever. */
  const giveUp = (error: Error) => {
    lost ??= error;
    for (const { reject } of waiting.splice(0)) reject(lost);
    onNews(lost);
  };
  const lose = (why: string) =>
    giveUp(new BloomError('memory', `a thread was lost: ${why}`, 'run it again, with fewer --threads or more memory'));
  worker.on('message', (message: Reply | Notice) => {
    isPrinting = message.type === 'printing';
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
    ask(request) {
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
