// Makes filters of segments with the engine.

import { buildCounted } from '../../src/engine/build-counted.ts';
import type { Design } from '../../src/engine/design.ts';
import { type Filled, fill } from '../../src/engine/fill.ts';
import type { KindOfKeys, Reading, Threads } from '../../src/engine/reading.ts';
import type { Contents } from '../../src/engine/store/contents.ts';
import { fillableSegments } from '../../src/engine/store/fillable.ts';
import { requireMemory } from '../../src/engine/store/payload.ts';
import type { Segments } from '../../src/engine/store/segments.ts';
import { createFilter, type SharedSegments } from '../../src/engine/store/shared-segments.ts';
import type { Fill, FilterKind, Shape, Structure } from '../../src/filters/kind.ts';
import type { SegmentSupply } from '../../src/formats/format.ts';

/** What to build, from which inputs, and with which threads. */
export type BuildRequest<K extends Structure = FilterKind> = Reading &
  Threads &
  KindOfKeys<K> &
  Pick<Design, 'inOrder'>;

/** A filter of segments, and facts about its keys. */
export interface BuiltSegments extends Filled {
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
  existing?: SharedSegments,
  trims = false,
): Promise<BuiltSegments & { readonly filter: SharedSegments }> {
  requireMemory(shape, request.kind);
  const begun = existing ?? createFilter(request.kind, shape, request.pool.threadCount);
  const result = await fill(request, fillableSegments(request.kind, begun, trims), request, request);
  return { ...result, segments: result.contents.segments, filter: result.contents.filter };
}

/** A filter whose shape `shapeFor` computes from the number of keys in its inputs. */
export async function buildSized(
  request: BuildRequest,
  shapeFor: (items: number) => Shape,
): Promise<BuiltSegments & { readonly late: number }> {
  const { filled, unplanned: late } = await buildCounted(
    request,
    (items) => ({ shape: shapeFor(items), kind: request.kind }),
    request,
    request,
  );
  return { ...filled, late, segments: segmentsOf(filled.contents) };
}

/** Supplies the segments of a filter in memory. `fill` states how full they are. */
export function suppliedBy(segments: Segments, fill: readonly Fill[]): SegmentSupply {
  return (index) => {
    const found = fill[index];
    if (found === undefined) throw new Error('nobody knows how full a segment is');
    return { ...segments.find(index), fill: found };
  };
}
