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

/** Some inputs that are read to their ends, by as many threads as are worth it. */
export interface Pass {
  /** The main thread's. */
  readonly context: ThreadContext;
  readonly pool: WorkerPool;
  readonly spec: TaskSpec;
  readonly inputs: readonly Input[];
  readonly observer: Observer;
  /** Takes what is known of an input after a part of it; true if nothing more needs to be read, or nothing more of it. */
  readonly onTally?: ((input: number, tally: Tally) => boolean) | undefined;
  /** Hears of an input that cannot be read to its end, so that what is known of it is not all. */
  readonly onCutOff?: ((input: number) => void) | undefined;
}

/** A pass that is under way. */
export interface PassState extends Pass {
  /** The main thread's. */
  readonly own: Task;
  readonly workers: TaskWorkers;
  readonly failure: Failure;
  readonly sources: OpenSources;
  readonly ends: RecordEnds;
  readonly chunkLength: number;
  readonly buffers: BufferPool;
  /** Those that a worker has at once, at most. */
  readonly requests: number;
  readonly turns: Turns;
  readonly adding: Turns;
  readonly onRead: Meter;
  /** Inputs that were handed out: promises of their ends. */
  readonly inputsOut: Promise<void>[];
  /** Notes what is known of an input. */
  tell(input: number, tally: Tally): void;
  /** Nothing more needs to be read, or can be. */
  isOver(): boolean;
  /** The same of an input. */
  isEnoughOf(input: number): boolean;
  /** Parts that were handed out. */
  parts: number;
  /** Bytes that the main thread has read itself. */
  bytesBegun: number;
}

/** The workers that are set to a task, once there is something for them. */
export interface TaskWorkers {
  /** Sets them to it, unless that was done. */
  open(): void;
  /** Resolves when they are at it, if they were set to it. */
  opened(): Promise<unknown>;
  /** What each of them did. */
  finish(): Promise<TaskResult[]>;
}

function createTaskWorkers(pool: WorkerPool, spec: TaskSpec, { fail }: Failure): TaskWorkers {
  let opened: Promise<unknown> | undefined;
  return {
    open() {
      opened ??= pool.askAll({ type: 'open', spec }).catch(fail);
    },
    opened: async () => opened,
    async finish() {
      if (opened === undefined) return [];
      const replies = await pool.askAll({ type: 'finish' });
      return replies.flatMap((reply) => (reply.type === 'finished' ? [reply.result] : []));
    },
  };
}

/** Bounds of a chunk of records that are printed, in chunks of others. */
const SMALLEST = 1 / 4;
const LARGEST = 8;

/** Bytes of a chunk for each record of a batch: with shorter records it is more than one, and others wait for the second. */
const BYTES_PER_RECORD = 16;

/** Records that are answered together, where that is done in the order of all. */
function batchOf(spec: TaskSpec): number | undefined {
  if (spec.type === 'dedup') return orderedBatchRecords(spec);
  return spec.type === 'test' && spec.print !== undefined ? recordsTogether(spec.filters) : undefined;
}

/** Where records are answered in batches, a chunk is one; but all threads should get some of them. */
function chunkLength({ spec, pool }: Pass, total: number | undefined): number {
  const { chunk } = pool.settings;
  const records = batchOf(spec);
  if (records === undefined) return chunk;
  const batch = BYTES_PER_RECORD * records;
  const fairShare = total === undefined ? chunk : total / (4 * pool.threadCount);
  return Math.floor(Math.max(SMALLEST * chunk, Math.min(batch, fairShare, LARGEST * chunk)));
}

/**
 * Requests that a thread has: while it meets one the next is there already. Where parts are printed one after the other
 * the first one that has only to print takes the next: what it had before would be late, and the others would wait.
 */
const REQUESTS = 2;
const REQUESTS_BEFORE_PRINTING = 1;

/** Whether parts are printed or written in their order. */
function areInTurn(spec: TaskSpec): boolean {
  return spec.type === 'digests' || batchOf(spec) !== undefined;
}

/**
 * Begins a pass. Digests that wait with the workers are added at once: theirs first, as nobody would notice if one of
 * them were lost on the way.
 */
export async function beginPass(pass: Pass): Promise<PassState> {
  const { context, pool, spec, inputs, observer } = pass;
  const sources = createOpenSources();
  const failure = createFailure(sources.abandon);
  const workers = createTaskWorkers(pool, spec, failure);
  const hasWork = spec.type === 'seal' || ('replay' in spec && spec.replay);
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

/** The first error of some work that many do at once: it ends what all of them do. */
interface Failure {
  hasFailed(): boolean;
  fail(error: unknown): void;
  /** Waits for work, or for the error: when one has failed others may wait for it for ever. */
  during<T>(work: Promise<T>): Promise<T>;
}

/** `onFailure` is called at the first error. */
function createFailure(onFailure: () => void): Failure {
  let hasFailed = false;
  let reject: (error: unknown) => void = () => {};
  const failing = new Promise<never>((_, rejectWith) => {
    reject = rejectWith;
  });
  // It may fail when nobody waits.
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
