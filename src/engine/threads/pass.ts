import { UnreadableInput } from '../../errors.ts';
import type { ByteSource } from '../../io/source.ts';
import { columnsOf } from '../../sizing/chain.ts';
import { type BufferPool, createBufferPool } from '../input/buffer-pool.ts';
import { type Beginning, beginningOf, type Chunk, chunkBytes, chunksAfter } from '../input/chunks.ts';
import { createMeter, type Input, type Observer, openInput, totalBytes } from '../input/input.ts';
import { terminatorOf } from '../input/key-selection.ts';
import { createOpenSources, type OpenSources } from '../input/open-sources.ts';
import { openTask } from '../tasks/open-task.ts';
import {
  NOTHING,
  type Part,
  type Tally,
  type Task,
  type TaskResult,
  type TaskSpec,
  type ThreadContext,
} from '../tasks/task.ts';
import { batchRecords } from '../tasks/test-keys.ts';
import { createTurns, type Turns } from '../tasks/turns.ts';
import type { PoolWorker, WorkerPool } from './worker-pool.ts';

/** Some inputs that are read to their ends, by as many threads as are worth it. */
export interface Pass {
  /** The main thread's. */
  readonly context: ThreadContext;
  readonly pool: WorkerPool;
  readonly spec: TaskSpec;
  readonly inputs: readonly Input[];
  readonly observer: Observer;
  /** Takes what is known of an input after a part of it; true if nothing more needs to be read. */
  readonly onTally?: ((input: number, tally: Tally) => boolean) | undefined;
  /** Hears of an input that cannot be read to its end, so that what is known of it is not all. */
  readonly onCutOff?: ((input: number) => void) | undefined;
}

/** Bounds of a chunk of records that are printed, in chunks of others. */
const SMALLEST = 1 / 4;
const LARGEST = 8;

/** Bytes of a chunk for each record of a batch: with shorter records it is more than one, and others wait for the second. */
const BYTES_PER_RECORD = 16;

/** Where records are answered in batches, a chunk is one; but all threads should get some of them. */
function chunkLength({ spec, pool }: Pass, total: number | undefined): number {
  const { chunk } = pool.settings;
  if (spec.type !== 'test' || spec.print === undefined) return chunk;
  const batch = BYTES_PER_RECORD * batchRecords(columnsOf(spec.filter.payload.shape));
  const fairShare = total === undefined ? chunk : total / (4 * pool.threadCount);
  return Math.floor(Math.max(SMALLEST * chunk, Math.min(batch, fairShare, LARGEST * chunk)));
}

/**
 * Requests that a thread has: while it meets one the next is there already. Where parts are printed one after the other
 * the first one that has only to print takes the next: what it had before would be late, and the others would wait.
 */
const REQUESTS = 2;
const REQUESTS_BEFORE_PRINTING = 1;

/**
 * Reading a pipe keeps the main thread busy, and whoever writes into it another core: two more threads would gain
 * nothing.
 */
const PIPE_SEATS = 3;

/** A pass that is under way. */
interface PassState extends Pass {
  readonly own: Task;
  readonly terminator: number;
  readonly chunkLength: number;
  readonly buffers: BufferPool;
  /** Those that a thread has at once, at most. */
  readonly requests: number;
  readonly turns: Turns;
  readonly sources: OpenSources;
  readonly onRead: (bytes: number) => Promise<void> | void;
  /** Sets the pool to the task, unless it is at it. */
  openAtWorkers(): void;
  /** Notes what is known of an input. */
  tell(input: number, tally: Tally): void;
  /** Parts that were handed out. */
  parts: number;
  /** Inputs that were handed out: promises of their ends. */
  readonly inputsOut: Promise<void>[];
  bytesBegun: number;
  isEnough: boolean;
  hasFailed(): boolean;
  /** Notes an error that ends the run. */
  fail(error: unknown): void;
}

/** Starts the pool if the inputs are known to be large: the earlier, the sooner they are up. */
export function startIfWorthwhile(pool: WorkerPool, inputs: readonly Input[]): void {
  if ((totalBytes(inputs) ?? 0) >= pool.settings.worthwhile) pool.start();
}

/**
 * Does a task to the records of all inputs and returns what each thread did. If there is much to read the main thread
 * only hands it out. What comes from a pipe it reads itself until that turns out to be much.
 */
export async function runPass(pass: Pass): Promise<TaskResult[]> {
  const { context, pool, spec, inputs, observer } = pass;
  const total = totalBytes(inputs);
  let called: Promise<unknown> | undefined;
  let hasFailed = false;
  let fail: (error: unknown) => void = () => {};
  const sources = createOpenSources();
  const failing = new Promise<never>((_, reject) => {
    fail = (error) => {
      hasFailed = true;
      sources.abandon();
      reject(error);
    };
  });
  const openAtWorkers = () => {
    called ??= pool.askAll({ type: 'open', spec }).catch(fail);
  };
  startIfWorthwhile(pool, inputs);
  // Digests that wait with the threads are added at once. Theirs first: were one lost on the way, we would not notice.
  const hasWork = spec.type === 'finalize' || (spec.type === 'add' && spec.replay);
  if (hasWork && pool.isStarted()) {
    openAtWorkers();
    await Promise.race([called, failing]);
  }
  const length = chunkLength(pass, total);
  const run: PassState = {
    ...pass,
    own: openTask(context, spec),
    terminator: terminatorOf(spec.selection),
    chunkLength: length,
    buffers: createBufferPool(length),
    requests: spec.type === 'test' && spec.print !== undefined ? REQUESTS_BEFORE_PRINTING : REQUESTS,
    turns: createTurns(),
    sources,
    onRead: createMeter(total, observer),
    openAtWorkers,
    tell(input, tally) {
      if (pass.onTally?.(input, tally)) run.isEnough = true;
    },
    parts: 0,
    inputsOut: [],
    bytesBegun: 0,
    isEnough: false,
    hasFailed: () => hasFailed,
    fail,
  };
  const readAll = async () => {
    for (const [index, input] of inputs.entries()) {
      if (run.isEnough || hasFailed) break;
      await readInput(run, index, input);
    }
    await Promise.all([called, ...run.inputsOut]);
  };
  // When one thread has failed others may wait for it for ever.
  await Promise.race([readAll(), failing]);
  const replies = called === undefined ? [] : await pool.askAll({ type: 'finish' });
  return [run.own.finish(), ...replies.flatMap((reply) => (reply.type === 'finished' ? [reply.result] : []))];
}

/**
 * Reads the beginning of an input and hands the rest out. An unreadable input is reported, once; any other error is
 * left in the run.
 */
async function readInput(run: PassState, index: number, input: Input): Promise<void> {
  let isReported = false;
  let source: ByteSource | undefined;
  const report = (error: unknown) => {
    if (!(error instanceof UnreadableInput)) run.fail(error);
    // What was closed because of another error is none of its own.
    else if (!isReported && !run.hasFailed()) {
      isReported = true;
      run.observer.onUnreadable(error, source !== undefined);
      run.onCutOff?.(index);
    }
  };
  const flights = new Set<Promise<void>>();
  try {
    source = run.sources.add(await openInput(input, run.spec.selection));
    const onRead = progressOf(run, source);
    const beginning = await readBeginning(run, index, input, source, onRead);
    if (beginning.isCut) {
      run.openAtWorkers();
      const { terminator, chunkLength, buffers } = run;
      const cutting = { terminator, length: chunkLength, buffers };
      const next = chunksAfter(input, heeding(run, source, flights), beginning, cutting);
      for (let first = beginning.position === 0; !run.isEnough && !run.hasFailed(); first = false) {
        // No more is read than there is somebody for.
        const worker = await run.pool.idle(run.requests);
        if (run.isEnough || run.hasFailed()) break;
        const chunk = await next();
        if (chunk === undefined) {
          if (first) run.tell(index, NOTHING);
          break;
        }
        const part = { name: nameOf(input), first, turn: { turns: run.turns, number: run.parts++ } };
        const flight = handOut(run, worker, index, chunk, part, onRead)
          .catch(report)
          .finally(() => flights.delete(flight));
        flights.add(flight);
      }
    }
  } catch (error) {
    report(error);
  }
  run.inputsOut.push(Promise.all(flights).then(() => source && run.sources.close(source)));
  // It may turn out that the next input is not wanted.
  if (mayBeEnough(run)) await Promise.all(flights);
}

/** One answer may be all that is wanted. */
function mayBeEnough({ spec }: PassState): boolean {
  return spec.type === 'test' && spec.stopAt !== undefined;
}

/** Lets a thread do the task to a chunk, whose buffer is the thread's until then. */
async function handOut(
  run: PassState,
  worker: PoolWorker,
  index: number,
  chunk: Chunk,
  part: Part,
  onRead: PassState['onRead'],
): Promise<void> {
  const bytes = chunkBytes(chunk);
  try {
    const reply = await worker.ask({ type: 'scan', chunk, part });
    if (reply.type === 'scanned') run.tell(index, reply.tally);
  } finally {
    if (chunk.type === 'bytes') run.buffers.giveBack(chunk.bytes);
  }
  await onRead(bytes);
}

/** What takes note of bytes that were read: of a compressed input, of the bytes that they were compressed to. */
function progressOf({ onRead }: PassState, { consumed }: ByteSource): PassState['onRead'] {
  return consumed === undefined ? onRead : () => onRead(consumed());
}

/**
 * A source that, before it waits, lets what was handed out be done, where it may turn out then that the rest is not
 * wanted.
 */
function heeding(run: PassState, source: ByteSource, flights: ReadonlySet<Promise<void>>): ByteSource {
  if (!mayBeEnough(run)) return source;
  const wait = async (into: Uint8Array) => {
    await Promise.all(flights);
    return run.isEnough || run.hasFailed() ? 0 : source.wait(into);
  };
  return { ...source, wait };
}

/** Reads an input until it ends, or until the pool can go on. */
async function readBeginning(
  run: PassState,
  index: number,
  input: Input,
  source: ByteSource,
  onRead: PassState['onRead'],
): Promise<Beginning> {
  const { pool } = run;
  if (pool.isStarted()) return { source, isCut: true, position: 0, rest: new Uint8Array() };
  const bytesBefore = run.bytesBegun;
  const beginning: Beginning = beginningOf(source, run.terminator, () => {
    run.bytesBegun = bytesBefore + beginning.position;
    if (pool.threadCount > PIPE_SEATS && run.bytesBegun >= pool.settings.worthwhile) pool.start();
    return pool.isStarted();
  });
  const tally = await run.own.scan(beginning.source, { name: nameOf(input), first: true, turn: undefined }, onRead);
  run.tell(index, tally);
  run.turns.records[0] = tally.records;
  return beginning;
}

/** What an input is called where it is printed. */
function nameOf(input: Input): string | undefined {
  if (typeof input === 'string') return input;
  return 'records' in input ? input.name : undefined;
}
