import type { FilterKind, Shape } from '../filters/kind.ts';
import { countsOf } from './build-request.ts';
import { createFilterInPlace, type SharedFilter } from './filter/loaded-filter.ts';
import { requireMemory } from './filter/payload.ts';
import type { Sighted } from './tasks/sightings.ts';
import type { DedupSpec, Tally } from './tasks/task.ts';
import { type Pass, runPass } from './threads/pass.ts';

/** What is to be told of which records, and what was seen before. */
export type DedupRequest = Omit<Pass, 'spec'> & Omit<DedupSpec, 'type'>;

/** Records, and those that were selected as `positives`. */
export interface Deduplicated extends Tally {
  /** What each list of filters knows now. */
  readonly levels: readonly Sighted[];
}

/** A filter that has seen nothing, of so many that there will be. Throws a `memory` error. */
export function createUnseen(kind: FilterKind, shape: Shape, filters: number): SharedFilter {
  requireMemory({ ...shape, segments: filters * shape.segments });
  return createFilterInPlace(kind, shape, 1);
}

/** Prints, or counts, the records of all inputs that are selected, and notes in filters what was seen, as a `DedupSpec` says. */
export async function dedup({ context, pool, inputs, observer, ...spec }: DedupRequest): Promise<Deduplicated> {
  const results = await runPass({ context, pool, inputs, observer, spec: { type: 'dedup', ...spec } });
  const [own] = results.flatMap((result) => (result.type === 'dedup' ? [result] : []));
  return { ...countsOf(results), levels: own?.levels ?? [] };
}
