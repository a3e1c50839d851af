import { UnreadableInput } from '../../errors.ts';
import {
  type Beginning,
  beginningOf,
  type Chunk,
  chunkBytes,
  chunksAfter,
  randomChunksAfter,
} from '../input/chunks.ts';
import type { RecordSource } from '../input/header.ts';
import { fileOf, type Input, openInput } from '../input/input.ts';
import type { Meter } from '../input/progress.ts';
import { WANTED } from '../tasks/line-style.ts';
import { NOTHING, selectedIn } from '../tasks/tally.ts';
import type { SourcePart, TestSpec } from '../tasks/task.ts';
import type { PassState } from './pass-state.ts';
import type { PoolWorker } from './worker-pool.ts';

/** The main thread is busy reading the pipe, and the writer uses another core: two more threads would gain nothing. */
const PIPE_THREADS = 3;

/** An input that is read. */
interface OpenedInput {
  readonly index: number;
  readonly input: Input;
  readonly source: RecordSource;
  readonly onRead: Meter;
  /** Parts that workers work on. */
  readonly requests: Set<Promise<void>>;
  /** Reports that the input cannot be read; any other error fails the pass. Never throws. */
  report(error: unknown): void;
}

/** Reads the beginning of an input, and hands out the rest. An unreadable input is reported once. */
export async function readInput(state: PassState, index: number, input: Input): Promise<void> {
  let isReported = false;
  let source: RecordSource | undefined;
  const report = (error: unknown) => {
    if (!(error instanceof UnreadableInput)) return state.failure.fail(error);
    // Ignore errors caused by closing the source after another failure.
    if (isReported || state.failure.hasFailed()) return;
    isReported = true;
    try {
      state.observer.onUnreadable(error, source !== undefined);
      state.onCutOff?.(index);
    } catch (refusal) {
      // An observer may refuse to go on without the input. The refusal is noted here: a part whose worker failed may not be awaited yet.
      state.failure.fail(refusal);
    }
  };
  const requests = new Set<Promise<void>>();
  try {
    source = state.sources.add(await openInput(input, state.spec.selection));
    const reading = { index, input, source, onRead: progressOf(state, source), requests, report };
    const beginning = await readBeginning(state, reading);
    if (beginning.isCut && !state.isEnoughOf(index)) await handOutRest(state, reading, beginning);
  } catch (error) {
    report(error);
  }
  state.inputsOut.push(Promise.all(requests).then(() => source && state.sources.close(source)));
  // If all inputs share a limit, the next input may not be needed.
  if (stopOf(state)?.ofEach === false) await Promise.all(requests);
}

/** Hands out the rest of an input, part by part. */
async function handOutRest(state: PassState, reading: OpenedInput, beginning: Beginning): Promise<void> {
  state.workers.open();
  const { index, input, requests } = reading;
  const { ends, chunkLength, buffers } = state;
  const cutting = { ends, length: chunkLength, buffers };
  const next =
    typeof input !== 'string' && 'randomKeys' in input
      ? randomChunksAfter(input.randomKeys, beginning, cutting)
      : chunksAfter(untilFailure(state, reading), beginning, cutting);
  for (let first = beginning.position === 0; !state.isEnoughOf(index); first = false) {
    // A part is read only when a worker is free for it.
    const worker = await state.pool.idle(state.requests);
    if (state.isEnoughOf(index)) return;
    const chunk = await next();
    if (chunk === undefined) {
      if (first) state.tell(index, NOTHING);
      return;
    }
    const { turns, adding } = state;
    const part = { name: nameOf(input), first, turn: { turns, adding, number: state.parts++ } };
    const request = handOut(state, worker, reading, chunk, part)
      .catch(reading.report)
      .finally(() => requests.delete(request));
    requests.add(request);
  }
}

/** When enough records are selected. */
function stopOf({ spec }: PassState): TestSpec['stopAt'] {
  return spec.type === 'test' ? spec.stopAt : undefined;
}

/** Lets a worker handle a chunk. The worker owns the chunk's buffer until it replies. */
async function handOut(
  state: PassState,
  worker: PoolWorker,
  { index, onRead }: OpenedInput,
  chunk: Chunk,
  part: SourcePart,
): Promise<void> {
  const bytes = chunkBytes(chunk);
  try {
    const reply = await worker.send({ type: 'scan', chunk, part });
    if (reply.type === 'scanned') state.tell(index, reply.tally);
  } finally {
    if (chunk.type === 'bytes') state.buffers.giveBack(chunk.bytes);
  }
  await onRead(bytes);
}

/** A meter for bytes that were read. The compressed bytes of a compressed input count. */
function progressOf({ onRead }: PassState, { consumed }: RecordSource): Meter {
  return consumed === undefined ? onRead : () => onRead(consumed());
}

/** A source that waits for all parts before it waits for input: their answers may show that the rest of the input is not needed. */
function untilFailure(state: PassState, { index, source, requests }: OpenedInput): RecordSource {
  if (stopOf(state) === undefined) return source;
  const wait = async (into: Uint8Array) => {
    await Promise.all(requests);
    return state.isEnoughOf(index) ? 0 : source.wait(into);
  };
  return { ...source, wait };
}

/** Reads an input until its end, or until the pool has started. */
async function readBeginning(state: PassState, { index, input, source, onRead }: OpenedInput): Promise<Beginning> {
  const { pool } = state;
  if (pool.isStarted()) return { source, isCut: true, position: 0, rest: new Uint8Array() };
  const bytesBefore = state.bytesBegun;
  const beginning: Beginning = beginningOf(source, state.ends, () => {
    state.bytesBegun = bytesBefore + beginning.position;
    if (pool.threadCount > PIPE_THREADS && state.bytesBegun >= pool.settings.worthwhile) pool.start();
    return pool.isStarted();
  });
  const tally = await state.own.scan(beginning.source, { name: nameOf(input), first: true, turn: undefined }, onRead);
  state.tell(index, tally);
  state.turns.records[0] = tally.records;
  state.turns.total[0] = (state.turns.total[0] ?? 0) + tally.records;
  state.turns.selected[0] = selectedIn(tally, stopOf(state)?.selected ?? WANTED.present);
  return beginning;
}

/** The name of an input in the output. */
function nameOf(input: Input): string | undefined {
  if (typeof input === 'string' || 'file' in input) return fileOf(input);
  if ('kept' in input) return input.kept.name;
  return 'records' in input ? input.name : undefined;
}
