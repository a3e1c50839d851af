import type { FilterKind } from '../../filters/kind.ts';
import { kindWithId } from '../../filters/registry.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Estimate } from '../../sizing/cardinality.ts';
import {
  cameSince,
  type Expected,
  NOTHING,
  takenByFill,
  takenForEach,
  takenForKnown,
  together,
} from '../../sizing/first-sightings.ts';
import { type Digests, VISIT_LIMIT } from '../input/digests.ts';
import { STATE } from './paged-memory.ts';
import type { Segments } from './segments.ts';
import { createFilterInPlace, openSegments, type SharedSegments } from './shared-segments.ts';

/** A filter with the keys that came in a window and were new to it and to those of the windows before it. */
export interface Generation {
  /** The number of the window. */
  readonly window: number;
  readonly filter: SharedSegments;
  /** Keys that were added to it. */
  readonly keys: number;
}

/** Filters of one shape, of which the last takes keys that none has. */
export interface Generations {
  /**
   * Looks digests of a segment up in all filters, and adds those to the last that none has, one after the other: writes 1 at
   * `seen` for each that one had by then, else 0. Returns how many there was room for.
   */
  note(segment: number, digests: Digests, seen: number): number;
  /** Begins a window, and forgets what came in those that are not kept any more. */
  turn(window: number): void;
  /** From the oldest to the last. */
  all(): readonly Generation[];
  /** Keys of the one that has most, or had until it was forgotten. */
  most(): number;
  /** The new keys that were taken for known; none where nobody wants to know. */
  taken(): Expected;
  /** Those that may have come behind the last key that was new; none where nobody wants to know. */
  behind(): Expected;
  /** The share of new keys that are taken for known now. */
  rateNow(): number;
}

/** A generation that is open. */
interface Open extends Generation {
  readonly segments: Segments;
  keys: number;
  /** Those of them that the expectation counts already. */
  counted: number;
  /** Keys that it had when it was opened, by its ones. */
  readonly held: Estimate;
}

/** How filters of windows are used. */
export interface Forgetting {
  /** Windows that have to pass after one before it is forgotten; it never is without it. */
  readonly keep: number | undefined;
  /** How many answers are likely to be wrong is wanted. */
  readonly estimates: boolean;
}

const EMPTY: Estimate = { count: 0, error: 0 };

/** Opens filters of one shape, of which there is one at least. */
export function openGenerations(
  kernel: Kernel,
  threadIndex: number,
  begun: readonly Generation[],
  { keep = 0, estimates }: Forgetting,
): Generations {
  const open = (generation: Generation): Open => {
    const segments = openSegments(generation.filter, kernel, threadIndex);
    const { kind, payload } = generation.filter;
    const isAsked = estimates && generation.keys > 0;
    const held = isAsked ? kindWithId(kind, 'the filter').itemsFromFill(segments.fills(), payload.shape) : EMPTY;
    return { ...generation, segments, counted: generation.keys, held };
  };
  const [first] = begun;
  if (first === undefined) throw new Error('there is no filter');
  const { shape } = first.filter.payload;
  const kind = kindWithId(first.filter.kind, 'the filter');
  let older = begun.slice(0, -1).map(open);
  let last = open(begun.at(-1) ?? first);
  const hits = begun.length > 1 || keep > 0 ? kernel.reserve(VISIT_LIMIT) : 0;
  const rateOf = remembered((keys) => kind.predictedRate(keys, shape));
  let taken = NOTHING;
  let behind = NOTHING;
  let mostForgotten = 0;

  const rateNow = () => rateOfAll([...older, last]);
  /** Keys that an older filter seems to have never come to the last. */
  const count = () => {
    if (!estimates) return;
    // By their bits: keys that older filters took for known when they were too full have set bits, and are in no count.
    const missed = 1 - (older.length === 0 ? 0 : rateOfAll(older));
    const rateAt = (keys: number) => 1 - missed * (1 - rateOf(keys));
    const fills = last.segments.fills();
    const came = cameSince(kind.itemsFromFill(fills, shape), last.held);
    const firsts = last.keys - last.counted;
    const byFill = takenByFill(1 - missed * (1 - kind.rateFromFill(fills, shape)), came, missed, firsts);
    taken = together(taken, byFill ?? takenForKnown(rateAt, last.counted, firsts));
    // The ones tell of all that came to the last, and of none that older filters kept from it.
    behind = together(behind, takenForEach(byFill === undefined ? rateNow() : 1 - missed));
    last.counted = last.keys;
  };
  const emptied = ({ filter, segments }: Open, window: number): Open => {
    filter.payload.states.fill(STATE.missing);
    return { window, filter, segments, keys: 0, counted: 0, held: EMPTY };
  };
  return {
    note(segment, digests, seen) {
      kernel.exports.clear(seen, digests.count);
      for (const { segments } of older) {
        segments.test(segment, digests, hits);
        kernel.exports.orInto(seen, hits, digests.count);
      }
      const { taken, added } = last.segments.addNew(segment, digests, seen);
      last.keys += added;
      return taken;
    },
    turn(window) {
      count();
      const passed = [...older, last].filter((generation) => window - generation.window > keep);
      older = [...older, last].filter((generation) => window - generation.window <= keep);
      mostForgotten = Math.max(mostForgotten, ...passed.map(({ keys }) => keys));
      const [spare] = passed;
      // The memory of what is forgotten is that of what comes: else it would only be given back when V8 finds it.
      last =
        spare === undefined
          ? open({ window, filter: createFilterInPlace(kind, shape, first.filter.payload.scratches.length), keys: 0 })
          : emptied(spare, window);
    },
    all: () => [...older, last].map(({ window, filter, keys }) => ({ window, filter, keys })),
    rateNow,
    most: () => Math.max(mostForgotten, last.keys, ...older.map(({ keys }) => keys)),
    taken() {
      count();
      return taken;
    },
    behind: () => behind,
  };
}

/** A rate from which on it is worth to read all bits. */
const NOTICEABLE = 0.01;

/**
 * The share of new keys that one of some filters of one shape, and one at least, takes for known: by their keys or, where that is many,
 * by their bits, as keys that came when a filter was too full are in no count.
 */
export function rateOfAll(
  generations: readonly (Pick<Generation, 'filter' | 'keys'> & { readonly segments: Segments })[],
): number {
  const together = (rateOf: (generation: (typeof generations)[number], kind: FilterKind) => number) =>
    1 -
    generations.reduce(
      (missed, generation) => missed * (1 - rateOf(generation, kindWithId(generation.filter.kind, 'the filter'))),
      1,
    );
  const predicted = together(({ filter, keys }, kind) => kind.predictedRate(keys, filter.payload.shape));
  if (predicted < NOTICEABLE) return predicted;
  return together(({ filter, segments }, kind) => kind.rateFromFill(segments.fills(), filter.payload.shape));
}

/** Digits of a number of keys that are enough to tell the rate of a filter. */
const DIGITS = 4;

/** The same function of a number, computed once for all that are nearly the same: windows have much the same keys. */
function remembered(of: (value: number) => number): (value: number) => number {
  const known = new Map<number, number>();
  return (value) => {
    const rounded = Number(value.toPrecision(DIGITS));
    const result = known.get(rounded) ?? of(rounded);
    known.set(rounded, result);
    return result;
  };
}
