import { BloomError, type ErrorCode, OutdatedCopy } from '../../errors.ts';

/**
 * What threads that read a file at a URL share with the one that asks its server. One of them at a time asks that thread, and
 * sleeps until it has answered: so a file is read at any position in the same way wherever it is.
 */
export interface Channel {
  /** The words of `WORD`. */
  readonly words: Int32Array;
  /** Position and length of what is asked for. */
  readonly range: Float64Array;
  /** The bytes, or the JSON of what went wrong. */
  readonly answer: Uint8Array;
}

/** Whose turn it is, whether a thread is at it, what is asked, the bytes of the answer, and whether there will be no more. */
const WORD = { state: 0, lock: 1, request: 2, length: 3, lost: 4 } as const;
const STATE = { free: 0, asked: 1, answered: 2, failed: 3 } as const;
const REQUEST = { read: 0, keep: 1 } as const;

/** Bytes of an answer: the table of half a million segments. Memory that nobody writes to takes none. */
const ANSWER_LIMIT = 2 ** 24;

/** What is asked of the thread that asks the server. */
export type RemoteRequest =
  | { readonly type: 'read'; readonly position: number; readonly length: number }
  /** All was read that is read of the file each time. */
  | { readonly type: 'keep' };

/** A failure as a message. */
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

/** Fills `into` from a position on; returns the bytes read, fewer only at the end of the file. Throws the errors of reading. */
export function readRemote(channel: Channel, into: Uint8Array, position: number): number {
  for (let done = 0; done < into.length; ) {
    const length = Math.min(into.length - done, ANSWER_LIMIT);
    const bytes = ask(channel, REQUEST.read, position + done, length, (answer) => into.set(answer, done));
    if (bytes === 0) return done;
    done += bytes;
  }
  return into.length;
}

/** Has what was read so far kept for the next time, and from now on no more read than is asked for. */
export function keepRemote(channel: Channel): void {
  ask(channel, REQUEST.keep, 0, 0, () => {});
}

/** Asks for something and waits for the answer, whose bytes `take` copies; returns their number. */
function ask(
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
    tell(words, STATE.asked);
    if (Atomics.load(words, WORD.lost) === 0) Atomics.wait(words, WORD.state, STATE.asked);
    if (Atomics.load(words, WORD.lost) !== 0)
      throw new BloomError('internal', 'the thread that asks the server was lost');
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

/** Answers what is asked through a channel, one request after the other, for as long as the thread lives. */
export async function answerAll(
  { words, range, answer }: Channel,
  answerTo: (request: RemoteRequest) => Promise<Uint8Array>,
): Promise<never> {
  for (;;) {
    for (let state = words[WORD.state] ?? 0; state !== STATE.asked; state = Atomics.load(words, WORD.state))
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

/** Lets nobody wait any more: the thread that answers is at its end. */
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
