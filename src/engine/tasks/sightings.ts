import { BloomError } from '../../errors.ts';
import { sum } from '../../filters/kind.ts';
import { kindWithId } from '../../filters/registry.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type Expected, NOTHING, takenBefore, takenForKnown, together } from '../../sizing/first-sightings.ts';
import { rangeOf } from '../../sizing/share.ts';
import { type Digests, VISIT_LIMIT } from '../input/digests.ts';
import { type Forgetting, type Generation, openGenerations, rateOfAll } from '../store/generations.ts';
import { openGrowingGenerations } from '../store/growing-generations.ts';
import { createGrowth } from '../store/growth.ts';
import { createSegmentVisits, type SegmentVisits } from '../store/segment-visits.ts';
import { openSegments } from '../store/shared-segments.ts';

/** Tells whether keys were seen before. Keys with the same digest are handled in their order. */
export interface Sightings extends SegmentVisits {
  /** Begins a window, and drops the filters that are no longer kept. No digests may wait meanwhile. */
  turn(window: number): void;
  /** The filters with all keys that were seen so far. */
  soFar(): readonly Generation[];
  /** The final content. */
  result(): Sighted;
}

/** The keys that were seen. */
export interface Sighted {
  readonly generations: readonly Generation[];
  /** Keys that were seen for the first time. */
  readonly firsts: number;
  /** The largest number of keys that any filter has or, if it was dropped, had; 0 for filters that grow. */
  readonly most: number;
  /** The share of new keys that would be mistaken for known ones now; 0 for filters that grow. */
  readonly rate: number;
  /** The expected number of new keys that were mistaken for known ones; `NOTHING` without estimates. */
  readonly taken: Expected;
  /** The expected number of such keys after the last new key; `NOTHING` for filters that grow. */
  readonly behind: Expected;
  /** An upper bound of the keys that were mistaken for known ones before this run; `NOTHING` without estimates. */
  readonly before: Expected;
}

/** Receives digests, and the address of one byte per digest: 1 if the digest seems to have been seen before, else 0. */
export type OnSeen = (digests: Digests, seen: number) => void;

/** Looks up keys in filters, and adds absent keys to the last filter. `threadIndex` is the thread's number. */
export function openSightings(
  kernel: Kernel,
  threadIndex: number,
  begun: readonly Generation[],
  forgetting: Forgetting,
  onSeen: OnSeen,
): Sightings {
  let firsts = 0;
  const note: OnSeen = (digests, seen) => {
    firsts += digests.count - kernel.exports.countMatches(seen, digests.count);
    onSeen(digests, seen);
  };
  const [first] = begun;
  if (first === undefined) throw new Error('there is no filter');
  const before = forgetting.estimates ? takenWhileHeld(kernel, threadIndex, begun) : NOTHING;
  if (first.filter.payload.shape.chain !== undefined) {
    if (forgetting.keep === undefined)
      return openGrowing(kernel, first, forgetting.estimates, before, note, () => firsts);
    const { take, takeLast, turn, all, final, taken } = openGrowingGenerations(kernel, begun, forgetting, note);
    const result = () => ({ taken: taken(), generations: final(), firsts, most: 0, rate: 0, behind: NOTHING, before });
    return { take, takeLast, turn, soFar: all, result };
  }
  const generations = openGenerations(kernel, threadIndex, begun, forgetting);
  const seen = kernel.reserve(VISIT_LIMIT);
  const visits = createSegmentVisits(kernel, rangeOf(first.filter.payload.shape), true, (segment, digests) => {
    if (generations.note(segment, digests, seen) < digests.count) throw full();
    note(digests, seen);
  });
  return {
    ...visits,
    turn: generations.turn,
    soFar: generations.all,
    result: () => ({
      generations: generations.all(),
      firsts,
      most: generations.most(),
      rate: generations.rateNow(),
      taken: generations.taken(),
      behind: generations.behind(),
      before,
    }),
  };
}

/** An upper bound of the keys that the filters have mistaken for known ones. */
function takenWhileHeld(kernel: Kernel, threadIndex: number, begun: readonly Generation[]): Expected {
  const keys = sum(begun.map((generation) => generation.keys));
  if (keys === 0) return NOTHING;
  const open = begun.map((generation) => ({
    ...generation,
    segments: openSegments(generation.filter, kernel, threadIndex),
  }));
  return takenBefore(rateOfAll(open), keys);
}

/** A single filter that grows. */
function openGrowing(
  kernel: Kernel,
  begun: Generation,
  estimates: boolean,
  before: Expected,
  note: OnSeen,
  firsts: () => number,
): Sightings {
  const kind = kindWithId(begun.filter.kind, 'the filter');
  let counted = 0;
  let taken = NOTHING;
  const count = ({ payload }: Generation['filter']) => {
    const rateAt = (keys: number) => kind.predictedRate(keys, payload.shape);
    if (estimates) taken = together(taken, takenForKnown(rateAt, begun.keys + counted, firsts() - counted));
    counted = firsts();
  };
  const growth = createGrowth(kernel, begun.filter, { answer: note, onWiden: count });
  const generation = (filter: Generation['filter']) => [{ ...begun, filter, keys: begun.keys + firsts() }];
  return {
    take: growth.take,
    takeLast: growth.takeLast,
    turn() {
      throw new Error('a filter that grows has no windows');
    },
    soFar: () => generation(growth.soFar()),
    result() {
      // Counted before the last slice is cut, because the keys came to the slice in its full size.
      count(growth.soFar());
      return {
        generations: generation(growth.filter()),
        firsts: firsts(),
        most: 0,
        rate: 0,
        taken,
        behind: NOTHING,
        before,
      };
    },
  };
}

/** The error for a key that does not fit in the filter: a later sighting of the key would not be recognised. */
function full(): BloomError {
  return new BloomError('capacity', 'the filter is full', 'state a larger -n, or leave it out for one that grows');
}
