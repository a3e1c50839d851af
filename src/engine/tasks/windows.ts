import type { Kernel } from '../../kernel/kernel.ts';
import { windowOf } from '../../sizing/windows.ts';
import { type Digests, firstOf, NO_DIGESTS, restOf } from '../input/digests.ts';
import type { SegmentVisits } from '../store/segment-visits.ts';

/** Windows of a number of records. */
export interface RecordWindows {
  /** Records per window. */
  readonly length: number;
  /** The current window. */
  readonly begun: number;
  /** The number of records before the owner of a digest. */
  recordsBefore(owner: number): number;
  turn(window: number): void;
}

/** Turns a window after its last digest was visited, and before the first digest of the next window is. */
export function windowByWindow(kernel: Kernel, visits: SegmentVisits, windows: RecordWindows): SegmentVisits {
  const { length, begun, recordsBefore, turn } = windows;
  let window = begun;
  const take = (digests: Digests) => {
    for (let rest = digests; ; ) {
      const within = ownedBefore(kernel, rest, (owner) => recordsBefore(owner) < (window + 1) * length);
      visits.take(firstOf(rest, within));
      if (within === rest.count) return;
      visits.takeLast(NO_DIGESTS);
      rest = restOf(rest, within);
      window = windowOf({ length }, recordsBefore(ownerOf(kernel, rest, 0)));
      turn(window);
    }
  };
  return {
    take,
    takeLast(digests) {
      take(digests);
      visits.takeLast(NO_DIGESTS);
    },
  };
}

/** Windows of time. */
export interface TimeWindows {
  isOver(): boolean;
  /** Begins the current window if the last one is over. */
  turn(): void;
}

/** Windows never go back, even if the clock is set back. */
export function timeWindows(
  length: number,
  begun: number,
  clock: () => number,
  turn: (window: number) => void,
): TimeWindows {
  let window = begun;
  const isOver = () => windowOf({ length }, clock()) > window;
  return {
    isOver,
    turn() {
      if (!isOver()) return;
      window = windowOf({ length }, clock());
      turn(window);
    },
  };
}

/** The number of digests before the first one whose owner is not within; no later owner is within. */
function ownedBefore(kernel: Kernel, digests: Digests, isWithin: (owner: number) => boolean): number {
  let [from, to] = [0, digests.count];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (isWithin(ownerOf(kernel, digests, middle))) from = middle + 1;
    else to = middle;
  }
  return from;
}

function ownerOf({ memory }: Kernel, { owners, firstOwner }: Digests, index: number): number {
  if (owners === 0) return firstOwner + index;
  return new Uint32Array(memory.buffer, owners + 4 * index, 1)[0] ?? 0;
}
