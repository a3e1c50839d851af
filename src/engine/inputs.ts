import { setImmediate as turn } from 'node:timers/promises';
import { BloomError } from '../errors.ts';
import { lookAt } from '../io/look.ts';
import { type ByteSource, openSource } from '../io/source.ts';

/** How far the reading is, in bytes; `total` is unknown while a pipe is among the inputs. */
export interface ReadProgress {
  readonly bytes: number;
  readonly total: number | undefined;
}

/** What the engine reports while it works; it draws nothing itself. */
export interface Observer {
  /** Called now and then; the event loop runs in between, so that timers and signals are handled. */
  onProgress?(progress: ReadProgress): Promise<void> | void;
  /** An input that could not be read, or not to its end; the others are read all the same. */
  onUnreadable(error: BloomError): void;
}

/** Seconds of work between two turns of the event loop. */
const TURN_INTERVAL = 0.05;

/** All inputs are regular files, so that they can be read twice. */
export function areRegular(inputs: readonly string[]): boolean {
  return inputs.every((name) => name !== '-' && (lookAt(name)?.isFile() ?? true));
}

/**
 * Opens the inputs one after the other and hands each to `read`, with a function to call after every piece. An
 * unreadable one is reported and passed over.
 */
export async function readInputs(
  inputs: readonly string[],
  observer: Observer,
  read: (source: ByteSource, onRead: (bytes: number) => Promise<void> | void) => Promise<void>,
): Promise<void> {
  const sizes = inputs.map(lookAt);
  const total = sizes.every((stat) => stat?.isFile())
    ? sizes.reduce((sum, stat) => sum + (stat?.size ?? 0), 0)
    : undefined;
  let bytes = 0;
  let lastTurn = process.uptime();
  const observe = async () => {
    await observer.onProgress?.({ bytes, total });
    await turn();
  };
  const onRead = (count: number) => {
    bytes += count;
    const now = process.uptime();
    if (now - lastTurn < TURN_INTERVAL) return;
    lastTurn = now;
    return observe();
  };
  for (const name of inputs) {
    try {
      const source = openSource(name);
      try {
        await read(source, onRead);
      } finally {
        source.close();
      }
    } catch (error) {
      if (!(error instanceof BloomError) || error.code !== 'input') throw error;
      observer.onUnreadable(error);
    }
  }
}
