// Filters of segments, made by the engine.

import type { BuildRequest, BuildResult } from '../../src/engine/build-request.ts';
import { buildWithSizing } from '../../src/engine/build-sized.ts';
import type { Contents } from '../../src/engine/filter/contents.ts';
import { createFilter, type SharedFilter } from '../../src/engine/filter/loaded-filter.ts';
import { requireMemory } from '../../src/engine/filter/payload.ts';
import type { Segments } from '../../src/engine/filter/segments.ts';
import { runPass } from '../../src/engine/threads/pass.ts';
import { segmentVessel } from '../../src/engine/vessel.ts';
import type { Fill, Shape } from '../../src/filters/kind.ts';
import type { SegmentSupply } from '../../src/formats/format.ts';

/** A filter of segments, and what went into it. */
export interface BuiltSegments extends BuildResult {
  readonly segments: Segments;
}

export function segmentsOf(contents: Contents): Segments {
  if (!('segments' in contents)) throw new Error('there are no segments');
  return contents.segments as Segments;
}

/** Adds the keys of all inputs to a filter, or to a new one of a shape. */
export async function buildWithShape(
  request: BuildRequest,
  shape: Shape,
  existing?: SharedFilter,
  trims = false,
): Promise<BuiltSegments & { readonly filter: SharedFilter }> {
  requireMemory(shape, request.kind);
  const begun = existing ?? createFilter(request.kind, shape, request.pool.threadCount);
  const vessel = segmentVessel(request, begun, { trims });
  const results = await runPass({ ...request, pool: vessel.pool, spec: vessel.adding(false) });
  const [filter = begun] = results.flatMap((result) => (result.type === 'add' ? (result.filter ?? []) : []));
  const result = await vessel.completed({ counted: results, filled: results });
  return { ...result, segments: result.contents.segments, filter };
}

/** A filter of the shape that `shapeFor` has for as many keys as its inputs turn out to have. */
export async function buildSized(request: BuildRequest, shapeFor: (items: number) => Shape): Promise<BuiltSegments> {
  const { result } = await buildWithSizing(request, (items) => ({ shape: shapeFor(items) }));
  return { ...result, segments: segmentsOf(result.contents) };
}

/** Supplies the segments of a filter in memory. `fill` says how full they are. */
export function suppliedBy(segments: Segments, fill: readonly Fill[]): SegmentSupply {
  return (index) => {
    const found = fill[index];
    if (found === undefined) throw new Error('nobody knows how full a segment is');
    return { ...segments.find(index), fill: found };
  };
}
