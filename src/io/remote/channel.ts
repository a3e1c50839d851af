import { BloomError, type ErrorCode, OutdatedCopy } from '../../errors.ts';
import type { ByteRange } from './range-plan.ts';

/**
 * Memory that is shared by the thread that talks to a server and the threads that read its file. One reader at a time
 * sends a request and sleeps until the answer. So all readers can read at any position, synchronously, as from a local
 * file.
 */
export interface Channel {
  /** The words that `WORD` names. */
  readonly words: Int32Array;
  /** Position and length of the request, or the number of expected ranges. */
  readonly range: Float64Array;
  /**
   * The bytes of the answer, or an error as JSON; before that, the expected ranges. Not as an array: Deno takes seconds to pass a large
   * array to a thread.
   */
  readonly answer: SharedArrayBuffer;
}

/**
 * state: whose turn it is. lock: whether a reader is in a request. request: one of `REQUEST`. length: bytes of the
 * answer. lost: whether the answering thread has ended. arrivals: the number of expected ranges that arrived, modulo 2^32.
 */
const WORD = { state: 0, lock: 1, request: 2, length: 3, lost: 4, arrivals: 5 } as const;
const STATE = { free: 0, requested: 1, answered: 2, failed: 3 } as const;
const REQUEST = { read: 0, keep: 1, expect: 2 } as const;

/** The most bytes of an answer: the table of half a million segments. Unwritten shared memory takes no space. */
const ANSWER_LIMIT = 2 ** 24;

/** A request to the thread that talks to the server. */
export type RemoteRequest =
  | { readonly type: 'read'; readonly position: number; readonly length: number }
  /** Everything that each run reads of the file was read. */
  | { readonly type: 'keep' }
  /** These ranges will be read. */
  | { readonly type: 'expect'; readonly ranges: readonly ByteRange[] };

/** An error as a message between threads. */
export interface RemoteFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string | undefined;
  readonly isOutdated: boolean;
}

export function createChannel(): Channel {
  const words = new Int32Array(new SharedArrayBuffer(4 * Object.keys(WORD).length));
  return {
    words,
    range: new Float64Array(new SharedArrayBuffer(16)),
    answer: new SharedArrayBuffer(ANSWER_LIMIT),
  };
}

/**
 * Fills `into` from a position. Returns the number of bytes, which is smaller only at the end of the file. Throws the
 * errors of reading.
 */
export function readRemote(channel: Channel, into: Uint8Array, position: number): number {
  for (let done = 0; done < into.length; ) {
    const length = Math.min(into.length - done, ANSWER_LIMIT);
    const bytes = sendRequest(
      channel,
      REQUEST.read,
      () => [position + done, length],
      (answer) => into.set(answer, done),
    );
    if (bytes === 0) return done;
    done += bytes;
  }
  return into.length;
}

/** Keeps a copy of what was read so far, for the next run. From now on the thread does not read ahead. */
export function keepRemote(channel: Channel): void {
  sendRequest(
    channel,
    REQUEST.keep,
    () => [0, 0],
    () => {},
  );
}

/** Bytes of a range in a request. */
const RANGE_BYTES = 16;

/** The most ranges of one request. The first of them are read first. */
const RANGES_LIMIT = ANSWER_LIMIT / RANGE_BYTES;

/**
 * Begins to fetch ranges that will be read. Returns one byte per range: 1 if its read does not wait for the server. `rangesNow` is called
 * while no other reader is in a request.
 */
export function expectRemote(channel: Channel, rangesNow: () => readonly ByteRange[]): Uint8Array {
  let there = new Uint8Array(0);
  const write = (): readonly [number, number] => {
    const ranges = rangesNow().slice(0, RANGES_LIMIT);
    new Float64Array(channel.answer).set(ranges.flatMap(({ from, to }) => [from, to]));
    return [ranges.length, 0];
  };
  sendRequest(channel, REQUEST.expect, write, (answer) => {
    there = answer.slice();
  });
  return there;
}

/** How the thread that opened a channel and the answering thread wake each other. */
interface Waking {
  /** Sends a message to the answering thread. */
  wake(): void;
  /** Readers that wait for an arrival. */
  readonly waiting: Set<() => void>;
}

/** By the words of a channel. Only the thread that opened a channel has its entry. */
const wakings = new WeakMap<Int32Array, Waking>();

/**
 * Lets this thread wake the answering thread with messages. Returns the function to call at each message from there.
 *
 * The atomics that Node needs for this do not always wake the event loop of Deno.
 */
export function wakeByMessages({ words }: Channel, wake: () => void): () => void {
  const waiting = new Set<() => void>();
  wakings.set(words, { wake, waiting });
  return () => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
}

/** The number of ranges that have arrived; `awaitArrival` waits for the next one. */
export function arrivals({ words }: Channel): number {
  return Atomics.load(words, WORD.arrivals);
}

/** Resolves once more ranges have arrived than `seen`. Only the thread that opened the channel can wait so. */
export async function awaitArrival(channel: Channel, seen: number): Promise<void> {
  const waiting = wakings.get(channel.words)?.waiting;
  if (waiting === undefined) throw new Error('another thread opened the channel');
  // The thread of a channel does not keep the program running.
  const running = setInterval(() => {}, 2 ** 30);
  try {
    while (arrivals(channel) === seen) await new Promise<void>((resolve) => waiting.add(resolve));
  } finally {
    clearInterval(running);
  }
}

/** Counts an expected range that has arrived. A message must follow. */
export function countArrival({ words }: Channel): void {
  Atomics.add(words, WORD.arrivals, 1);
}

/**
 * Sends a request and waits for the answer. `write` writes the request and returns its two numbers; `take` copies the bytes of the answer.
 * Returns the number of these bytes.
 */
function sendRequest(
  { words, range, answer }: Channel,
  request: number,
  write: () => readonly [number, number],
  take: (bytes: Uint8Array) => void,
): number {
  while (Atomics.compareExchange(words, WORD.lock, 0, 1) !== 0) Atomics.wait(words, WORD.lock, 1);
  try {
    range.set(write());
    words[WORD.request] = request;
    tell(words, STATE.requested);
    wakings.get(words)?.wake();
    if (Atomics.load(words, WORD.lost) === 0) Atomics.wait(words, WORD.state, STATE.requested);
    if (Atomics.load(words, WORD.lost) !== 0)
      throw new BloomError('internal', 'the thread that reads from the server has ended');
    const bytes = new Uint8Array(answer, 0, words[WORD.length]);
    if (Atomics.load(words, WORD.state) === STATE.failed)
      throw fromRemoteFailure(JSON.parse(Buffer.from(bytes).toString()));
    take(bytes);
    return bytes.length;
  } finally {
    Atomics.store(words, WORD.lock, 0);
    Atomics.notify(words, WORD.lock, 1);
  }
}

function tell(words: Int32Array, state: number): void {
  Atomics.store(words, WORD.state, state);
  Atomics.notify(words, WORD.state);
}

/** Answers the requests of a channel one by one, until the thread ends. `nextMessage` resolves at the next message. */
export async function answerAll(
  { words, range, answer }: Channel,
  answerTo: (request: RemoteRequest) => Promise<Uint8Array>,
  nextMessage: () => Promise<unknown>,
): Promise<never> {
  for (;;) {
    for (let state = words[WORD.state] ?? 0; state !== STATE.requested; state = Atomics.load(words, WORD.state))
      // Threads that did not open the channel send no messages.
      await Promise.race([Atomics.waitAsync(words, WORD.state, state).value, nextMessage()]);
    const request = requestIn({ words, range, answer });
    let state: number = STATE.answered;
    const bytes = await answerTo(request).catch((error: unknown) => {
      state = STATE.failed;
      return Buffer.from(JSON.stringify(toRemoteFailure(error)));
    });
    new Uint8Array(answer).set(bytes);
    words[WORD.length] = bytes.length;
    tell(words, state);
  }
}

/** The request in a channel. */
function requestIn({ words, range: [first = 0, second = 0], answer }: Channel): RemoteRequest {
  if (words[WORD.request] === REQUEST.keep) return { type: 'keep' };
  if (words[WORD.request] === REQUEST.read) return { type: 'read', position: first, length: second };
  const numbers = new Float64Array(answer, 0, 2 * first);
  const ranges = Array.from({ length: first }, (_, i) => ({ from: numbers[2 * i] ?? 0, to: numbers[2 * i + 1] ?? 0 }));
  return { type: 'expect', ranges };
}

/** Wakes all waiting readers with an error, because the answering thread ends. */
export function abandonAll(channel: Channel): void {
  const { words } = channel;
  Atomics.store(words, WORD.lost, 1);
  tell(words, STATE.failed);
  countArrival(channel);
}

export function toRemoteFailure(error: unknown): RemoteFailure {
  if (!(error instanceof BloomError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { code: 'internal', message, hint: undefined, isOutdated: false };
  }
  const { code, message, hint } = error;
  return { code, message, hint, isOutdated: error instanceof OutdatedCopy };
}

export function fromRemoteFailure({ code, message, hint, isOutdated }: RemoteFailure): BloomError {
  return isOutdated ? new OutdatedCopy(message, hint) : new BloomError(code, message, hint);
}
