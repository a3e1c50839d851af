import { type FilterKind, type Shape, sum } from '../filters/kind.ts';
import { kindWithId } from '../filters/registry.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { cameSince, mistakenByFill, mistakenForEach, mistakenForKnown, NOTHING } from '../sizing/first-sightings.ts';
import { countsOf } from './reading.ts';
import { requireMemory } from './store/payload.ts';
import { createFilterInPlace, openSegments, type SharedSegments } from './store/shared-segments.ts';
import { rateOfAll } from './store/window-filters.ts';
import type { Sighted } from './tasks/sightings.ts';
import type { Tally } from './tasks/tally.ts';
import type { DedupSpec } from './tasks/task.ts';
import { type Pass, runPass } from './threads/pass.ts';

/** The records, what to select, and what was seen before. */
export type DedupRequest = Omit<Pass, 'spec'> & Omit<DedupSpec, 'type'>;

/** The records, and the selected records as `positives`. */
export interface Deduplicated extends Tally {
  /** Records of this run and of earlier runs. */
  readonly recordsSoFar: number;
  /** The content of each list of filters after the run. */
  readonly levels: readonly Sighted[];
}

/** An empty filter for dedup, for `threadCount` threads. Memory must suffice for `filters` of them. Throws a `memory` error. */
export function createUnseen(kind: FilterKind, shape: Shape, filters: number, threadCount = 1): SharedSegments {
  requireMemory({ ...shape, segments: filters * shape.segments });
  return createFilterInPlace(kind, shape, threadCount);
}

/** Prints or counts the selected records of all inputs, and adds their keys to the filters, as a `DedupSpec` says. */
export async function dedup({ context, pool, inputs, observer, ...spec }: DedupRequest): Promise<Deduplicated> {
  const results = await runPass({ context, pool, inputs, observer, spec: { type: 'dedup', ...spec } });
  const each = results.flatMap((result) => (result.type === 'dedup' ? [result] : []));
  const [own = [], ...others] = each.map(({ levels }) => levels);
  const levels = own.flatMap(
    (level, i) =>
      sightedTogether(context.kernel, [level, ...others.flatMap((levels) => levels[i] ?? [])], spec.estimates) ?? [],
  );
  const recordsSoFar = spec.recordsBefore + sum(each.map(({ answered }) => answered));
  return { ...countsOf(results), recordsSoFar, levels };
}

/** The union of what several threads have seen. The threads share a filter, and each knows which keys were new. */
function sightedTogether(kernel: Kernel, threads: readonly Sighted[], estimates: boolean): Sighted | undefined {
  const [own, ...others] = threads;
  const [windowFilter] = own?.windowFilters ?? [];
  if (own === undefined || windowFilter === undefined || others.length === 0) return own;
  const { kind, payload } = windowFilter.filter;
  const before = windowFilter.keys - own.firsts;
  const firsts = sum(threads.map((thread) => thread.firsts));
  const most = before + firsts;
  const segments = openSegments(windowFilter.filter, kernel, 0);
  const rate = rateOfAll([{ ...windowFilter, keys: most, segments }]);
  const { itemsFromFill, predictedRate } = kindWithId(kind, 'the filter');
  const rateAt = (keys: number) => predictedRate(keys, payload.shape);
  const byFill = () =>
    before > 0
      ? undefined
      : mistakenByFill(
          rate,
          cameSince(itemsFromFill(segments.fills(), payload.shape), { count: 0, error: 0 }),
          1,
          firsts,
        );
  const mistaken = estimates ? (byFill() ?? mistakenForKnown(rateAt, before, firsts)) : NOTHING;
  return {
    windowFilters: [{ ...windowFilter, keys: most }],
    firsts,
    most,
    rate,
    mistaken,
    trailing: estimates ? mistakenForEach(rate) : NOTHING,
    before: own.before,
  };
}
