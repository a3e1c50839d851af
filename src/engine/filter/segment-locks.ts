import { STATE, type State } from './payload.ts';

/** Lets one thread at a time work on a segment. */
export interface SegmentLocks {
  /** The segment is there, and nobody changes it. */
  isThere(segment: number): boolean;
  /** Waits until the segment is nobody's, takes it, and returns the state that it was in. */
  take(segment: number): State;
  release(segment: number, state: State): void;
}

/** Locks that are the states of segments, which all threads see. */
export function createSegmentLocks(states: Int32Array): SegmentLocks {
  return {
    isThere: (segment) => Atomics.load(states, segment) === STATE.there,
    take(segment) {
      for (;;) {
        for (const state of [STATE.there, STATE.draft, STATE.missing]) {
          if (Atomics.compareExchange(states, segment, state, STATE.taken) === state) return state;
        }
        Atomics.wait(states, segment, STATE.taken);
      }
    },
    release(segment, state) {
      Atomics.store(states, segment, state);
      Atomics.notify(states, segment);
    },
  };
}
