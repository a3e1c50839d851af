import { BloomError, ClosedPipe } from '../errors.ts';
import type { Chunk } from './chunks.ts';
import type { Part, Share, Tally, TaskSpec } from './task.ts';

/** What the main thread asks of another, one at a time. */
export type Request =
  | { readonly type: 'open'; readonly spec: TaskSpec }
  | { readonly type: 'scan'; readonly chunk: Chunk; readonly part: Part }
  | { readonly type: 'finish' };

/** The answer to a request. */
export type Reply =
  | { readonly type: 'opened' }
  | { readonly type: 'scanned'; readonly tally: Tally }
  | { readonly type: 'finished'; readonly share: Share }
  | { readonly type: 'failed'; readonly failure: Failure };

/** An error on its way between threads: a message keeps no classes. */
export interface Failure {
  readonly closedPipe: boolean;
  readonly code: BloomError['code'] | undefined;
  readonly message: string;
  readonly hint: string | undefined;
}

/** An error as a message: what a thread throws loses its class on the way. */
export function toFailure(error: unknown): Failure {
  return {
    closedPipe: error instanceof ClosedPipe,
    code: error instanceof BloomError ? error.code : undefined,
    message: error instanceof Error ? error.message : String(error),
    hint: error instanceof BloomError ? error.hint : undefined,
  };
}

/** The error that such a message was made from. */
export function fromFailure({ closedPipe, code, message, hint }: Failure): Error {
  if (closedPipe) return new ClosedPipe(false);
  return code === undefined ? new Error(message) : new BloomError(code, message, hint);
}

/** What a thread is started with. */
export interface Start {
  readonly seat: number;
}
