import { setImmediate as turn } from 'node:timers/promises';
import type { UnreadableInput } from '../../errors.ts';
import { lookAt } from '../../io/look.ts';
import { type ByteSource, memorySource } from '../../io/source.ts';
import type { KeySelection } from './key-selection.ts';
import { openRecords } from './open-records.ts';
import { RANDOM_KEY_BYTES, randomKeys } from './random-keys.ts';

/** What is read: a file, '-' being the standard input; records that are in memory, and
 * what they are called where they are printed; or so many random keys. */
export type Input =
  | string
  | { readonly records: Uint8Array; readonly name?: string | undefined }
  | { readonly randomKeys: number };

/** The bytes of an input, as `openRecords` gives them, and with its errors. */
export async function openInput(input: Input, selection: KeySelection): Promise<ByteSource> {
  if (typeof input === 'string') return openRecords(input, selection);
  return 'records' in input ? memorySource('the command line', input.records) : randomKeys(input.randomKeys);
}

/** How far some work is, in bytes, those of a file as it lies there; `total` is unknown while a pipe is among the inputs. */
export interface WorkProgress {
  readonly bytes: number;
  readonly total: number | undefined;
  /** Which of two passes over the inputs it is; undefined where there is one, or where that is not known yet. */
  readonly pass?: 1 | 2 | undefined;
}

/** Who hears how far the work is. */
export interface ProgressObserver {
  /** Called now and then; the event loop runs in between, so that timers and signals are handled. */
  onProgress?(progress: WorkProgress): Promise<void> | void;
}

/** What the engine reports while it works; it draws nothing itself. */
export interface Observer extends ProgressObserver {
  /** An input that could not be read or, where it was begun, not to its end; the others are read all the same. */
  onUnreadable(error: UnreadableInput, isBegun: boolean): void;
}

/** All inputs are regular files, so that they can be read twice. */
export function areRegular(inputs: readonly string[]): boolean {
  return inputs.every((name) => name !== '-' && (lookAt(name)?.isFile() ?? true));
}

/** Bytes of all inputs; undefined while a pipe is among them. */
export function totalBytes(inputs: readonly Input[]): number | undefined {
  let sum = 0;
  for (const input of inputs) {
    if (typeof input === 'string') {
      const stat = lookAt(input);
      if (!stat?.isFile()) return undefined;
      sum += stat.size;
    } else sum += 'records' in input ? input.records.length : input.randomKeys * RANDOM_KEY_BYTES;
  }
  return sum;
}

/** Seconds of work between two turns of the event loop. */
const TURN_INTERVAL = 0.05;

/** To be called after every piece of some work, and awaited where it returns a promise. */
export type Meter = (bytes: number) => Promise<void> | void;

/** Measures some work and reports it. */
export function createMeter(total: number | undefined, observer: ProgressObserver): Meter {
  let bytes = 0;
  let lastTurn = process.uptime();
  const observe = async () => {
    await observer.onProgress?.({ bytes, total });
    await turn();
  };
  return (count) => {
    bytes += count;
    const now = process.uptime();
    if (now - lastTurn < TURN_INTERVAL) return;
    lastTurn = now;
    return observe();
  };
}
