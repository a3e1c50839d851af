import type { Pace } from './range-plan.ts';

/** Measures how fast a server answers. */
export interface Pacemaker {
  /** Notes an answer, with the times of the request, of the beginning of the answer and of its end in milliseconds. */
  note(bytes: number, requested: number, answered: number, ended: number): void;
  now(): Pace;
}

/** The pace before it was measured: 200 Mbit/s over a long distance. */
const ASSUMED: Pace = { roundTrip: 0.1, bytesPerSecond: 25e6 };

/** Bytes from which on their time counts. A connection starts slowly. */
const MEASURABLE = 2 ** 20;

export function createPacemaker(): Pacemaker {
  let roundTrip = Number.POSITIVE_INFINITY;
  let [bytes, busy, busyUntil] = [0, 0, 0];
  return {
    note(received, requested, answered, ended) {
      roundTrip = Math.min(roundTrip, (answered - requested) / 1000);
      // Answers overlap. Time that passes for several of them counts once.
      busy += Math.max(0, ended - Math.max(answered, busyUntil)) / 1000;
      busyUntil = Math.max(busyUntil, ended);
      bytes += received;
    },
    now: () => ({
      roundTrip: Number.isFinite(roundTrip) ? roundTrip : ASSUMED.roundTrip,
      bytesPerSecond: bytes >= MEASURABLE && busy > 0 ? bytes / busy : ASSUMED.bytesPerSecond,
    }),
  };
}
