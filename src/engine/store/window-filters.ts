import type { FilterKind } from '../../filters/kind.ts';
import { kindWithId } from '../../filters/registry.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Estimate } from '../../sizing/cardinality.ts';
import {
  cameSince,
  type Expected,
  mistakenByFill,
  mistakenForEach,
  mistakenForKnown,
  NOTHING,
  together,
} from '../../sizing/first-sightings.ts';
import { type Digests, VISIT_LIMIT } from '../input/digests.ts';
import { STATE } from './paged-memory.ts';
import type { Segments } from './segments.ts';
import { createFilterInPlace, openSegments, type SharedSegments } from './shared-segments.ts';

/** A filter with the keys that came in a window and that neither it nor the filters of earlier windows had. */
export interface WindowFilter {
  /** The number of the window. */
  readonly window: number;
  readonly filter: SharedSegments;
  /** Keys that were added to the filter. */
  readonly keys: number;
}

/** Filters of one shape. The last filter gets the keys that no filter has. */
export interface WindowFilters {
  /**
   * Looks up digests of a segment in all filters, and adds the absent ones to the last filter, one after the other. Writes 1 at `seen` for
   * each digest that a filter had before it, else 0. Returns the number of digests until the filter was full.
   */
  note(segment: number, digests: Digests, seen: number): number;
  /** Begins a window, and drops the filters that are no longer kept. */
  turn(window: number): void;
  /** From the oldest filter to the last. */
  all(): readonly WindowFilter[];
  /** The largest number of keys that any filter has or, if it was dropped, had. */
  most(): number;
  /** The expected number of new keys that were mistaken for known ones; `NOTHING` without `estimates`. */
  mistaken(): Expected;
  /** The expected number of such keys after the last new key; `NOTHING` without `estimates`. */
  trailing(): Expected;
  /** The share of new keys that would be mistaken for known ones now. */
  rateNow(): number;
}

/** A window filter that is open. */
interface Open extends WindowFilter {
  readonly segments: Segments;
  keys: number;
  /** The keys that the expectation already includes. */
  counted: number;
  /** Keys that the filter had when it was opened, estimated from its ones. */
  readonly held: Estimate;
}

/** How many windows are kept, and whether errors are estimated. */
export interface WindowOptions {
  /** The number of later windows in which a filter is still kept; by default 0. */
  readonly keep: number | undefined;
  /** Whether to estimate the number of wrong answers. */
  readonly estimates: boolean;
}

const EMPTY: Estimate = { count: 0, error: 0 };

/** Opens filters of one shape; there is at least one. */
export function openWindowFilters(
  kernel: Kernel,
  threadIndex: number,
  begun: readonly WindowFilter[],
  { keep = 0, estimates }: WindowOptions,
): WindowFilters {
  const open = (windowFilter: WindowFilter): Open => {
    const segments = openSegments(windowFilter.filter, kernel, threadIndex);
    const { kind, payload } = windowFilter.filter;
    const isEstimated = estimates && windowFilter.keys > 0;
    const held = isEstimated ? kindWithId(kind, 'the filter').itemsFromFill(segments.fills(), payload.shape) : EMPTY;
    return { ...windowFilter, segments, counted: windowFilter.keys, held };
  };
  const [first] = begun;
  if (first === undefined) throw new Error('there is no filter');
  const { shape } = first.filter.payload;
  const kind = kindWithId(first.filter.kind, 'the filter');
  let older = begun.slice(0, -1).map(open);
  let last = open(begun.at(-1) ?? first);
  const hits = begun.length > 1 || keep > 0 ? kernel.reserve(VISIT_LIMIT) : 0;
  const rateOf = remembered((keys) => kind.predictedRate(keys, shape));
  let mistaken = NOTHING;
  let trailing = NOTHING;
  let mostDropped = 0;

  const rateNow = () => rateOfAll([...older, last]);
  /**
   * Adds the estimate for the last filter's keys to the expectation. Keys that an older filter seems to have never reach the last filter.
   */
  const updateEstimate = () => {
    if (!estimates) return;
    // The estimate uses the bits of older filters: keys that a too full filter mistook for known ones set bits, but no count includes them.
    const missed = 1 - (older.length === 0 ? 0 : rateOfAll(older));
    const rateAt = (keys: number) => 1 - missed * (1 - rateOf(keys));
    const fills = last.segments.fills();
    const came = cameSince(kind.itemsFromFill(fills, shape), last.held);
    const firsts = last.keys - last.counted;
    const byFill = mistakenByFill(1 - missed * (1 - kind.rateFromFill(fills, shape)), came, missed, firsts);
    mistaken = together(mistaken, byFill ?? mistakenForKnown(rateAt, last.counted, firsts));
    // The ones of the last filter account for all keys that reached it, but for no key that older filters withheld from it.
    trailing = together(trailing, mistakenForEach(byFill === undefined ? rateNow() : 1 - missed));
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
      const { handled, added } = last.segments.addNew(segment, digests, seen);
      last.keys += added;
      return handled;
    },
    turn(window) {
      updateEstimate();
      const passed = [...older, last].filter((windowFilter) => window - windowFilter.window > keep);
      older = [...older, last].filter((windowFilter) => window - windowFilter.window <= keep);
      mostDropped = Math.max(mostDropped, ...passed.map(({ keys }) => keys));
      const [spare] = passed;
      // A new filter reuses the memory of a dropped filter. Otherwise memory is released only when V8 collects it.
      last =
        spare === undefined
          ? open({ window, filter: createFilterInPlace(kind, shape, first.filter.payload.scratches.length), keys: 0 })
          : emptied(spare, window);
    },
    all: () => [...older, last].map(({ window, filter, keys }) => ({ window, filter, keys })),
    rateNow,
    most: () => Math.max(mostDropped, last.keys, ...older.map(({ keys }) => keys)),
    mistaken() {
      updateEstimate();
      return mistaken;
    },
    trailing: () => trailing,
  };
}

/** From this rate on, it is worth reading all bits. */
const NOTICEABLE = 0.01;

/**
 * The share of new keys that at least one of these filters mistakes for known ones; there is at least one filter. A low share follows from
 * the numbers of keys. A noticeable share follows from the bits, because no count includes the keys that came when a filter was too full.
 */
export function rateOfAll(
  windowFilters: readonly (Pick<WindowFilter, 'filter' | 'keys'> & { readonly segments: Segments })[],
): number {
  const together = (rateOf: (windowFilter: (typeof windowFilters)[number], kind: FilterKind) => number) =>
    1 -
    windowFilters.reduce(
      (missed, windowFilter) => missed * (1 - rateOf(windowFilter, kindWithId(windowFilter.filter.kind, 'the filter'))),
      1,
    );
  const predicted = together(({ filter, keys }, kind) => kind.predictedRate(keys, filter.payload.shape));
  if (predicted < NOTICEABLE) return predicted;
  return together(({ filter, segments }, kind) => kind.rateFromFill(segments.fills(), filter.payload.shape));
}

/** Significant digits of a number of keys that determine the rate of a filter well enough. */
const DIGITS = 4;

/** The same function, computed once for all values that agree in these digits: windows have similar numbers of keys. */
function remembered(of: (value: number) => number): (value: number) => number {
  const known = new Map<number, number>();
  return (value) => {
    const rounded = Number(value.toPrecision(DIGITS));
    const result = known.get(rounded) ?? of(rounded);
    known.set(rounded, result);
    return result;
  };
}
