import { asBloomError, BloomError, ClosedPipe, type ErrorCode, errno, UnreadableInput } from '../../errors.ts';
import type { Chunk } from '../input/chunks.ts';
import type { KeySelection } from '../input/key-selection.ts';
import type { FileToScan } from '../tasks/scan-file.ts';
import type { Tally } from '../tasks/tally.ts';
import type { SourcePart, TaskSpec } from '../tasks/task.ts';
import type { TaskResult } from '../tasks/task-result.ts';

/** A request of the main thread to a worker; a worker handles one request at a time. */
export type WorkerRequest =
  | { readonly type: 'open'; readonly spec: TaskSpec }
  | { readonly type: 'scan'; readonly chunk: Chunk; readonly part: SourcePart }
  /** Reads whole files, which the worker opens itself. */
  | { readonly type: 'read'; readonly files: readonly FileToScan[]; readonly selection: KeySelection }
  | { readonly type: 'finish' };

/** The answer to a request. */
export type Reply =
  | { readonly type: 'opened' }
  | Scanned
  | { readonly type: 'read'; readonly files: readonly (Scanned | Skipped | Failed)[] }
  /** `code` is what V8 compiled of the program, if the worker shall give it. */
  | { readonly type: 'finished'; readonly result: TaskResult; readonly code: Uint8Array | undefined }
  | Failed;

interface Scanned {
  readonly type: 'scanned';
  readonly tally: Tally;
}

interface Skipped {
  readonly type: 'skipped';
}

interface Failed {
  readonly type: 'failed';
  readonly failure: ErrorMessage;
}

/** A message before the answer: only the printing of the part is left, which waits for its turn. */
export type Notice = { readonly type: 'printing' };

/** An error as a message between threads: messages do not keep classes. */
export type ErrorMessage =
  | { readonly type: 'closed pipe' }
  | {
      readonly type: 'unreadable input';
      readonly message: string;
      readonly hint: string | undefined;
      readonly missing: string | undefined;
    }
  | {
      readonly type: 'refusal';
      readonly code: ErrorCode;
      readonly message: string;
      readonly hint: string | undefined;
    }
  | { readonly type: 'mistake'; readonly message: string };

/** Turns an error into a message. */
export function toFailure(error: unknown): ErrorMessage {
  if (error instanceof ClosedPipe) return { type: 'closed pipe' };
  if (!(error instanceof BloomError) && errno(error) === undefined)
    return { type: 'mistake', message: error instanceof Error ? error.message : String(error) };
  const { code, message, hint } = asBloomError(error);
  return error instanceof UnreadableInput
    ? { type: 'unreadable input', message, hint, missing: error.missing }
    : { type: 'refusal', code, message, hint };
}

/** Turns a message into an error. */
export function fromFailure(failure: ErrorMessage): Error {
  switch (failure.type) {
    case 'closed pipe':
      return new ClosedPipe(false);
    case 'unreadable input':
      return new UnreadableInput(failure.message, failure.hint, failure.missing);
    case 'refusal':
      return new BloomError(failure.code, failure.message, failure.hint);
    case 'mistake':
      return new Error(failure.message);
  }
}

/** The data that a thread is started with. */
export interface Start {
  readonly threadIndex: number;
  readonly kernelCode: WebAssembly.Module;
  /** What V8 compiled of the program in an earlier run. */
  readonly code: Uint8Array | undefined;
  /** Whether the worker gives such code after its work, if it had none that V8 accepts. */
  readonly keepsCode: boolean;
}
