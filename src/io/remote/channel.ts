import { BloomError, type ErrorCode, OutdatedCopy } from '../../errors.ts';

/**
 * Memory that is shared by the thread that talks to a server and the threads that read its file. One reader at a time
 * sends a request and sleeps until the answer. So all readers can read at any position, synchronously, as from a local
 * file.
 */
export interface Channel {
  /** The words that `WORD` names. */
  readonly words: Int32Array;
  /** Position and length of the request. */
  readonly range: Float64Array;
  /** The bytes of the answer, or an error as JSON. */
  readonly answer: Uint8Array;
}

/**
 * state: whose turn it is. lock: whether a reader is in a request. request: one of `REQUEST`. length: bytes of the
 * answer. lost: whether the answering thread has ended.
 */
const WORD = { state: 0, lock: 1, request: 2, length: 3, lost: 4 } as const;
const STATE = { free: 0, requested: 1, answered: 2, failed: 3 } as const;
const REQUEST = { read: 0, keep: 1 } as const;

/** The most bytes of an answer: the table of half a million segments. Unwritten shared memory takes no space. */
const ANSWER_LIMIT = 2 ** 24;

/** A request to the thread that talks to the server. */
export type RemoteRequest =
  | { readonly type: 'read'; readonly position: number; readonly length: number }
  /** Everything that each run reads of the file was read. */
  | { readonly type: 'keep' };

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
    answer: new Uint8Array(new SharedArrayBuffer(ANSWER_LIMIT)),
  };
}

/**
 * Fills `into` from a position. Returns the number of bytes, which is smaller only at the end of the file. Throws the
 * errors of reading.
 */
export function readRemote(channel: Channel, into: Uint8Array, position: number): number {
  for (let done = 0; done < into.length; ) {
    const length = Math.min(into.length - done, ANSWER_LIMIT);
    const bytes = sendRequest(channel, REQUEST.read, position + done, length, (answer) => into.set(answer, done));
    if (bytes === 0) return done;
    done += bytes;
  }
  return into.length;
}

/** Keeps a copy of what was read so far, for the next run. From now on the thread does not read ahead. */
export function keepRemote(channel: Channel): void {
  sendRequest(channel, REQUEST.keep, 0, 0, () => {});
}

/** Sends a request and waits for the answer. `take` copies the bytes of the answer. Returns their number. */
function sendRequest(
  { words, range, answer }: Channel,
  request: number,
  position: number,
  length: number,
  take: (bytes: Uint8Array) => void,
): number {
  while (Atomics.compareExchange(words, WORD.lock, 0, 1) !== 0) Atomics.wait(words, WORD.lock, 1);
  try {
    range[0] = position;
    range[1] = length;
    words[WORD.request] = request;
    tell(words, STATE.requested);
    if (Atomics.load(words, WORD.lost) === 0) Atomics.wait(words, WORD.state, STATE.requested);
    if (Atomics.load(words, WORD.lost) !== 0)
      throw new BloomError('internal', 'the thread that reads from the server has ended');
    const bytes = answer.subarray(0, words[WORD.length]);
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

/** Answers the requests of a channel one by one, until the thread ends. */
export async function answerAll(
  { words, range, answer }: Channel,
  answerTo: (request: RemoteRequest) => Promise<Uint8Array>,
): Promise<never> {
  for (;;) {
    for (let state = words[WORD.state] ?? 0; state !== STATE.requested; state = Atomics.load(words, WORD.state))
      await Atomics.waitAsync(words, WORD.state, state).value;
    const [position = 0, length = 0] = range;
    const request: RemoteRequest =
      words[WORD.request] === REQUEST.keep ? { type: 'keep' } : { type: 'read', position, length };
    let state: number = STATE.answered;
    const bytes = await answerTo(request).catch((error: unknown) => {
      state = STATE.failed;
      return Buffer.from(JSON.stringify(toRemoteFailure(error)));
    });
    answer.set(bytes);
    words[WORD.length] = bytes.length;
    tell(words, state);
  }
}

/** Wakes all waiting readers with an error, because the answering thread ends. */
export function abandonAll({ words }: Channel): void {
  Atomics.store(words, WORD.lost, 1);
  tell(words, STATE.failed);
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
