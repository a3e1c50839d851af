import { type BufferPool, createBufferPool } from '../input/buffer-pool.ts';
import { type Input, type Observer, totalBytes } from '../input/input.ts';
import { recordEndsOf } from '../input/key-selection.ts';
import { createOpenSources, type OpenSources } from '../input/open-sources.ts';
import { createMeter, type Meter } from '../input/progress.ts';
import type { RecordEnds } from '../input/record-ends.ts';
import { recordsTogether } from '../tasks/answers.ts';
import { openTask } from '../tasks/open-task.ts';
import { orderedBatchRecords } from '../tasks/output.ts';
import type { Tally } from '../tasks/tally.ts';
import type { Task, TaskSpec } from '../tasks/task.ts';
import type { TaskResult } from '../tasks/task-result.ts';
import type { ThreadContext } from '../tasks/thread-context.ts';
import { createTurns, type Turns } from '../tasks/turns.ts';
import type { WorkerPool } from './worker-pool.ts';

/** Inputs that are read to their ends, by as many threads as are worthwhile. */
export interface Pass {
  /** The main thread's context. */
  readonly context: ThreadContext;
  readonly pool: WorkerPool;
  readonly spec: TaskSpec;
  readonly inputs: readonly Input[];
  readonly observer: Observer;
  /** Receives the tally of each part of an input. Returns true if no more needs to be read, or no more of this input. */
  readonly onTally?: ((input: number, tally: Tally) => boolean) | undefined;
  /** Is called for an input that cannot be read to its end, so that its tally is incomplete. */
  readonly onCutOff?: ((input: number) => void) | undefined;
}

/** A pass that is running. */
export interface PassState extends Pass {
  /** The main thread's task. */
  readonly own: Task;
  readonly workers: TaskWorkers;
  readonly failure: Failure;
  readonly sources: OpenSources;
  readonly ends: RecordEnds;
  readonly chunkLength: number;
  readonly buffers: BufferPool;
  /** Requests per worker, at most. */
  readonly requests: number;
  readonly turns: Turns;
  readonly adding: Turns;
  readonly onRead: Meter;
  /** Inputs that were handed out: promises of their ends. */
  readonly inputsOut: Promise<void>[];
  /** Notes the tally of a part of an input. */
  tell(input: number, tally: Tally): void;
  /** No more needs to be read, or an error ended the pass. */
  isOver(): boolean;
  /** The same for an input. */
  isEnoughOf(input: number): boolean;
  /** Parts that were handed out. */
  parts: number;
  /** Bytes that the main thread has read itself. */
  bytesBegun: number;
}

/** The workers of a task; they open it when there is work for them. */
export interface TaskWorkers {
  /** Opens the task in all workers, unless that was done. */
  open(): void;
  /** Resolves when the task is open in all workers, if it was opened. */
  opened(): Promise<unknown>;
  /** The result of each worker. */
  finish(): Promise<TaskResult[]>;
}

function createTaskWorkers(pool: WorkerPool, spec: TaskSpec, { fail }: Failure): TaskWorkers {
  let opened: Promise<unknown> | undefined;
  return {
    open() {
      opened ??= pool.sendAll({ type: 'open', spec }).catch(fail);
    },
    opened: async () => opened,
    async finish() {
      if (opened === undefined) return [];
      const replies = await pool.sendAll({ type: 'finish' });
      return replies.flatMap((reply) => (reply.type === 'finished' ? [reply.result] : []));
    },
  };
}

/** Bounds for chunks of records that are answered in batches, relative to other chunks. */
const SMALLEST = 1 / 4;
const LARGEST = 8;

/** Bytes per record that make a chunk one batch. Shorter records make more than one batch, and other threads wait for the second. */
const BYTES_PER_RECORD = 16;

/** Records per batch, if batches are answered or printed in order. */
function batchOf(spec: TaskSpec): number | undefined {
  if (spec.type === 'dedup') return orderedBatchRecords(spec);
  return spec.type === 'test' && spec.print !== undefined ? recordsTogether(spec.filters) : undefined;
}

/** Bytes per chunk. If records are answered in batches, a chunk is about one batch, but every thread should get some chunks. */
function chunkLength({ spec, pool }: Pass, total: number | undefined): number {
  const { chunk } = pool.settings;
  const records = batchOf(spec);
  if (records === undefined) return chunk;
  const batch = BYTES_PER_RECORD * records;
  const fairShare = total === undefined ? chunk : total / (4 * pool.threadCount);
  return Math.floor(Math.max(SMALLEST * chunk, Math.min(batch, fairShare, LARGEST * chunk)));
}

/**
 * Requests per worker: while a worker handles one request, the next is there already.
 *
 * If parts are printed in order, the next request goes to the first worker that has only to print. A second waiting request would be late,
 * and the others would wait for it.
 */
const REQUESTS = 2;
const REQUESTS_BEFORE_PRINTING = 1;

/** Whether parts are printed or written in order. */
function areInTurn(spec: TaskSpec): boolean {
  return spec.type === 'digests' || batchOf(spec) !== undefined;
}

/**
 * Begins a pass. Workers first add the digests that they keep, and the pass waits for this. Later, the loss of a worker and its digests
 * could go unnoticed.
 */
export async function beginPass(pass: Pass): Promise<PassState> {
  const { context, pool, spec, inputs, observer } = pass;
  const sources = createOpenSources();
  const failure = createFailure(sources.abandon);
  const workers = createTaskWorkers(pool, spec, failure);
  const hasWork = spec.type === 'seal' || spec.type === 'screen' || ('replay' in spec && spec.replay);
  if (hasWork && pool.isStarted()) {
    workers.open();
    await failure.during(workers.opened());
  }
  const total = totalBytes(inputs);
  const length = chunkLength(pass, total);
  const own = await openTask(context, spec);
  let isEnough = false;
  const enoughOf = new Set<number>();
  const isOver = () => isEnough || failure.hasFailed();
  return {
    ...pass,
    own,
    workers,
    failure,
    sources,
    ends: recordEndsOf(spec.selection),
    chunkLength: length,
    buffers: createBufferPool(length),
    requests: areInTurn(spec) ? REQUESTS_BEFORE_PRINTING : REQUESTS,
    turns: createTurns(),
    adding: createTurns(),
    onRead: createMeter(total, observer),
    inputsOut: [],
    tell(input, tally) {
      if (!pass.onTally?.(input, tally)) return;
      if (spec.type === 'test' && spec.stopAt?.ofEach) enoughOf.add(input);
      else isEnough = true;
    },
    isOver,
    isEnoughOf: (input) => isOver() || enoughOf.has(input),
    parts: 0,
    bytesBegun: 0,
  };
}

/** The first error of work that several threads do: it ends the work of all. */
interface Failure {
  hasFailed(): boolean;
  fail(error: unknown): void;
  /** Waits for the work or for the first error: after a failure, the work of others may never end. */
  during<T>(work: Promise<T>): Promise<T>;
}

/** `onFailure` is called at every error. */
function createFailure(onFailure: () => void): Failure {
  let hasFailed = false;
  let reject: (error: unknown) => void = () => {};
  const failing = new Promise<never>((_, rejectWith) => {
    reject = rejectWith;
  });
  // The promise may reject while nothing awaits it.
  failing.catch(() => {});
  return {
    hasFailed: () => hasFailed,
    fail(error) {
      hasFailed = true;
      onFailure();
      reject(error);
    },
    during: (work) => Promise.race([work, failing]),
  };
}
