import type { Kernel } from '../../kernel/kernel.ts';
import { windowOf } from '../../sizing/windows.ts';
import { type Digests, firstOf, NO_DIGESTS, restOf } from '../input/digests.ts';
import type { SegmentVisits } from '../store/segment-visits.ts';

/** Where digests come in windows of so many records. */
export interface RecordWindows {
  /** Records of a window. */
  readonly length: number;
  /** The window that goes on. */
  readonly begun: number;
  /** Records before that whose number is the owner of a digest. */
  recordsBefore(owner: number): number;
  turn(window: number): void;
}

/** Lets a window turn when its last digest was visited, and before the first of the next is. */
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

/** Windows of time, of which one is over when its time is. */
export interface TimeWindows {
  isOver(): boolean;
  /** Begins the one that it is time for, if another is over. */
  turn(): void;
}

/** A clock that is set back takes no window back. */
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

/** Digests before the first whose owner is not within; none behind that is. */
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
