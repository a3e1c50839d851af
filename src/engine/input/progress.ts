import { setImmediate as turn } from 'node:timers/promises';

/**
 * The progress of some work in bytes. The compressed bytes of a compressed file count. `total` is undefined if a pipe is among the inputs.
 */
export interface WorkProgress {
  readonly bytes: number;
  readonly total: number | undefined;
  /** The number of the pass over the inputs; undefined if there is only one pass, or if the number of passes is not known yet. */
  readonly pass?: PassNumber | undefined;
}

/** One of several passes, counted from 1. */
export interface PassNumber {
  readonly number: number;
  readonly of: number;
}

/** Receives the progress of the work. */
export interface ProgressObserver {
  /** Called from time to time. The event loop runs in between, so that timers and signals are handled. */
  onProgress?(progress: WorkProgress): Promise<void> | void;
}

/** Seconds of work between two turns of the event loop. */
const TURN_INTERVAL = 0.05;

/** To be called after every piece of work. A returned promise must be awaited. */
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
