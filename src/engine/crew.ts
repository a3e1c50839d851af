import type { Worker } from 'node:worker_threads';
import { BloomError } from '../errors.ts';
import { kernelCode } from '../kernel/kernel.ts';
import { fromFailure, type Notice, type Reply, type Request, type Start } from './messages.ts';

/** A thread of the crew. */
export interface Hand {
  /** Asks for something; requests are met in their order. */
  ask(request: Request): Promise<Reply>;
}

/** What a crew is, and when it is called. */
export interface CrewPlan {
  /** What its threads run. */
  readonly file: URL;
  /** With fewer bytes to read than this the main thread is done before others are up. */
  readonly worthwhile: number;
  /** Bytes that are handed to a thread: enough that asking for them takes no time, few enough to share out well. */
  readonly chunk: number;
}

const PLAN: CrewPlan = {
  file: new URL('../../dist/js/worker.cjs', import.meta.url),
  worthwhile: 32 * 2 ** 20,
  chunk: 8 * 2 ** 20,
};

/** Threads that work beside the main one. */
export interface Crew {
  readonly plan: CrewPlan;
  /** Threads, with the main one: as many take a seat at a filter. */
  readonly seats: number;
  /** Starts them, if there are any and that was not done before. What they are asked waits until they are up. */
  start(): void;
  isStarted(): boolean;
  /** Asks all of them for the same. */
  askAll(request: Request): Promise<Reply[]>;
  /** Waits for one that has less than so many requests to meet. */
  free(requests: number): Promise<Hand>;
  /** Ends them, whatever they are at. */
  close(): Promise<void>;
}

/** Lets some work have a crew of at most so many threads; one thread is the main one alone. */
export async function withCrew<T>(threads: number, work: (crew: Crew) => Promise<T>): Promise<T> {
  const crew = createCrew(threads);
  try {
    return await work(crew);
  } finally {
    await crew.close();
  }
}

/** A crew that must be closed. */
export function createCrew(threads: number, plan = PLAN): Crew {
  const size = threads > 1 ? threads : 0;
  const hands: EmployedHand[] = [];
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
      for (let seat = 1; seat <= size; seat++) {
        const start: Start = { seat, kernelCode: kernelCode() };
        hands.push(employ(new Worker(plan.file, { workerData: start, execArgv: [] }), onNews));
      }
    } catch (error) {
      // The system allows no more of them. Those that are up do the work too.
      if (hands.length === 0) throw notStarted(error);
    }
  };
  return {
    plan,
    seats: size + 1,
    start() {
      if (size > 0) started ??= startAll().catch(onNews);
    },
    isStarted: () => started !== undefined,
    async askAll(request) {
      await started;
      return Promise.all(hands.map((hand) => hand.ask(request)));
    },
    async free(requests) {
      await started;
      for (;;) {
        if (failure !== undefined) throw failure;
        const hand = hands.reduce((a, b) => (b.requests() < a.requests() ? b : a));
        if (hand.requests() < requests) return hand;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async close() {
      await started;
      await Promise.all(hands.map((hand) => hand.end()));
    },
  };
}

/** The error for a crew without a thread. */
function notStarted(error: unknown): BloomError {
  const why = error instanceof Error ? error.message : String(error);
  return new BloomError('memory', `no thread can be started: ${why}`, 'use --threads 1, or allow more (ulimit -u)');
}

interface EmployedHand extends Hand {
  /** Those that it has not met yet, but for the part that it only has to print. */
  requests(): number;
  end(): Promise<unknown>;
}

interface Waiting {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/** Puts a thread to work. `onNews` hears of everything that it says, and of its loss. */
function employ(worker: Worker, onNews: (error?: Error) => void): EmployedHand {
  const waiting: Waiting[] = [];
  let isPrinting = false;
  let lost: Error | undefined;
  /** Whoever waits for the thread must not wait for ever. */
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
