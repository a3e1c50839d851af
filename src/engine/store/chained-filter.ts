import type { FilterKind, Shape } from '../../filters/kind.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type Chain, segmentsOf } from '../../sizing/chain.ts';
import type { Geometry } from '../../sizing/geometry.ts';
import { halved, lastBits } from '../../sizing/scalable.ts';
import { allOf } from '../../sizing/share.ts';
import { NO_DIGESTS, VISIT_LIMIT } from '../input/digests.ts';
import { columnsOf } from './columns.ts';
import { lastSliceOf } from './last-slice.ts';
import { type ChainedFilter, openChained } from './open-chained.ts';
import { requireMemory, resizePayload } from './payload.ts';
import { createSegmentVisits } from './segment-visits.ts';
import { createFilter, sharedSegments } from './shared-segments.ts';

function shapeOf(chain: Chain, segmentBits: number): Shape {
  const segments = segmentsOf(chain);
  return { segments, segmentBits, bits: segments * segmentBits, k: chain.slices[0]?.k ?? 1, chain };
}

/**
 * The same filter with one more slice, or with a smaller last slice. A smaller slice keeps the first segments of the larger one. Throws a
 * `memory` error.
 */
export function withChain(kernel: Kernel, { filter, segments }: ChainedFilter, chain: Chain): ChainedFilter {
  const before = filter.payload.shape;
  const shape = shapeOf(chain, before.segmentBits);
  requireMemory(shape);
  // The other shape has no file to read segments from, so all segments are read first.
  for (let i = 0; i < before.segments; i++) segments.find(i);
  return openChained(kernel, sharedSegments(filter.kind, resizePayload(filter.payload, shape)));
}

/** A filter of one slice that is just large enough for its keys. All digests of the keys are given. */
export function cutToKeys(
  kernel: Kernel,
  kind: FilterKind,
  { chain }: ChainedFilter,
  keys: number,
  digests: BigUint64Array,
): ChainedFilter {
  return madeAnew(kernel, kind, chain, kind.geometry(lastBits(chain, keys), 1), digests).filter;
}

/**
 * Whether a larger slice replaces the only slice of a filter when the slice is full. Each further slice costs time, and nearly as much of
 * the false-positive rate as a large slice. The replacement is at most as large as the first slice of a filter without a given size.
 */
export function mayWiden({ chain, segmentBits }: ChainedFilter, { growing }: FilterKind): boolean {
  return chain.slices.length === 1 && chain.growth * segmentsOf(chain) * segmentBits <= (growing?.firstBits ?? 0);
}

/** A filter of one larger slice with the given digests, and the number of digests that were new to the filter. */
export function widened(
  kernel: Kernel,
  kind: FilterKind,
  { chain, segmentBits }: ChainedFilter,
  digests: BigUint64Array,
): { filter: ChainedFilter; keys: number } {
  return madeAnew(kernel, kind, chain, { segments: chain.growth * segmentsOf(chain), segmentBits }, digests);
}

/** A filter of one slice of such segments with the given digests, and the number of digests that were new to the filter. */
function madeAnew(
  kernel: Kernel,
  kind: FilterKind,
  chain: Chain,
  { segments, segmentBits }: Pick<Geometry, 'segments' | 'segmentBits'>,
  digests: BigUint64Array,
): { filter: ChainedFilter; keys: number } {
  const only = { ...chain, slices: chain.slices.map((slice) => ({ ...slice, segments })) };
  const filter = openChained(kernel, createFilter(kind, shapeOf(only, segmentBits), 1));
  const address = kernel.reserve(8 * VISIT_LIMIT);
  const known = kernel.reserve(VISIT_LIMIT);
  let keys = 0;
  const visits = createSegmentVisits(kernel, allOf(columnsOf(filter.filter.payload)), false, (column, part) => {
    kernel.exports.clear(known, part.count);
    keys += filter.segments.addNew(column, part, known).added;
  });
  for (let start = 0; start < digests.length; start += VISIT_LIMIT) {
    const part = digests.subarray(start, start + VISIT_LIMIT);
    new BigUint64Array(kernel.memory.buffer, address, part.length).set(part);
    visits.take({ ...NO_DIGESTS, address, count: part.length });
  }
  visits.takeLast(NO_DIGESTS);
  return { filter, keys };
}

/** The same filter with a last slice that is no larger than its keys need. Adjacent segments of the slice are ORed. */
export function halvedToKeys(kernel: Kernel, kind: FilterKind, from: ChainedFilter): ChainedFilter {
  const { chain, segmentBits, segments } = from;
  const { limit, keys } = lastSliceOf(kind, from);
  const shorter = halved(chain, segmentBits, limit, keys);
  const [last = 0, kept = 0] = [chain, shorter].map(({ slices }) => slices.at(-1)?.segments ?? 0);
  const first = segmentsOf(chain) - last;
  const group = last / kept;
  const bytes = segmentBits / 8;
  const [whole, part] = [kernel.reserve(bytes), kernel.reserve(bytes)];
  // A target segment has been read before it is overwritten.
  for (let i = 0; i < kept && group > 1; i++) {
    kernel.exports.clear(whole, bytes);
    for (let j = 0; j < group; j++) {
      const source = segments.find(first + i * group + j);
      kernel.bytes(part, bytes).set(source.kernel.bytes(source.address, bytes));
      kernel.exports.orInto(whole, part, bytes);
    }
    const target = segments.find(first + i);
    target.kernel.bytes(target.address, bytes).set(kernel.bytes(whole, bytes));
  }
  return withChain(kernel, from, shorter);
}
