import { setImmediate as turn } from 'node:timers/promises';

/** How far some work is, in bytes, those of a file as it lies there; `total` is unknown while a pipe is among the inputs. */
export interface WorkProgress {
  readonly bytes: number;
  readonly total: number | undefined;
  /** Which of several passes over the inputs it is; undefined where there is one, or where that is not known yet. */
  readonly pass?: PassNumber | undefined;
}

/** A pass of so many, counted from 1. */
export interface PassNumber {
  readonly number: number;
  readonly of: number;
}

/** Who hears how far the work is. */
export interface ProgressObserver {
  /** Called now and then; the event loop runs in between, so that timers and signals are handled. */
  onProgress?(progress: WorkProgress): Promise<void> | void;
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
