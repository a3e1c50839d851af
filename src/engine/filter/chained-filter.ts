import type { FilterKind, Shape } from '../../filters/kind.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type Chain, segmentsOf } from '../../sizing/chain.ts';
import { segmentBytes } from '../../sizing/geometry.ts';
import { halved, lastBits } from '../../sizing/scalable.ts';
import { NO_DIGESTS, VISIT_LIMIT } from '../input/digests.ts';
import { createFilter, openSegments, type SharedFilter } from './loaded-filter.ts';
import { requireMemory } from './payload.ts';
import { createSegmentVisits } from './segment-visits.ts';
import type { Segments } from './segments.ts';

/** A filter that has slices, as the one thread sees it that works on it. */
export interface ChainedFilter {
  readonly filter: SharedFilter;
  readonly segments: Segments;
  readonly chain: Chain;
  readonly segmentBits: number;
}

export function openChained(kernel: Kernel, filter: SharedFilter): ChainedFilter {
  const { chain, segmentBits } = filter.payload.shape;
  if (chain === undefined) throw new Error('the filter has no slices');
  return { filter, segments: openSegments(filter, kernel, 0), chain, segmentBits };
}

/** An empty filter of a chain. Throws a `memory` error. */
function createChained(kernel: Kernel, kind: FilterKind, chain: Chain, segmentBits: number): ChainedFilter {
  const segments = segmentsOf(chain);
  const shape: Shape = { segments, segmentBits, bits: segments * segmentBits, k: chain.slices[0]?.k ?? 1, chain };
  requireMemory(shape);
  return openChained(kernel, createFilter(kind, shape, 1));
}

/** The same filter with slices behind those that it has. */
export function withSlices(kernel: Kernel, kind: FilterKind, from: ChainedFilter, longer: Chain): ChainedFilter {
  const to = createChained(kernel, kind, longer, from.segmentBits);
  copySegments(from, to, segmentsOf(from.chain));
  return to;
}

/** A filter of one slice that is just large enough for its keys, of which all digests are given. */
export function cutToKeys(
  kernel: Kernel,
  kind: FilterKind,
  { chain }: ChainedFilter,
  keys: number,
  digests: BigUint64Array,
): ChainedFilter {
  const { segments, segmentBits } = kind.geometry(lastBits(chain, keys), 1);
  const to = createChained(
    kernel,
    kind,
    { ...chain, slices: chain.slices.map((slice) => ({ ...slice, segments })) },
    segmentBits,
  );
  const address = kernel.reserve(8 * VISIT_LIMIT);
  const visits = createSegmentVisits(kernel, segments, false, to.segments.add);
  for (let start = 0; start < digests.length; start += VISIT_LIMIT) {
    const part = digests.subarray(start, start + VISIT_LIMIT);
    new BigUint64Array(kernel.memory.buffer, address, part.length).set(part);
    visits.take({ ...NO_DIGESTS, address, count: part.length });
  }
  visits.takeLast(NO_DIGESTS);
  return to;
}

/** The same filter with a last slice that is no larger than its keys need: segments of it that are side by side are ORed. */
export function halvedToKeys(kernel: Kernel, kind: FilterKind, from: ChainedFilter, keys: number): ChainedFilter {
  const { chain, segmentBits } = from;
  const to = createChained(kernel, kind, halved(chain, segmentBits, keys), segmentBits);
  const last = chain.slices.at(-1)?.segments ?? 0;
  const first = segmentsOf(chain) - last;
  copySegments(from, to, first);
  const { shape } = to.filter.payload;
  const bytes = segmentBytes(shape);
  const [whole, part] = [kernel.reserve(bytes), kernel.reserve(bytes)];
  const group = last / (shape.segments - first);
  for (let i = first; i < shape.segments; i++) {
    kernel.exports.clear(whole, bytes);
    for (let j = 0; j < group; j++) {
      const source = from.segments.find(first + (i - first) * group + j);
      kernel.bytes(part, bytes).set(source.kernel.bytes(source.address, bytes));
      kernel.exports.orInto(whole, part, bytes);
    }
    const target = to.segments.find(i);
    target.kernel.bytes(target.address, bytes).set(kernel.bytes(whole, bytes));
  }
  return to;
}

/** Copies the first segments of a filter into another. */
function copySegments(from: ChainedFilter, to: ChainedFilter, count: number): void {
  const bytes = from.segmentBits / 8;
  for (let i = 0; i < count; i++) {
    const [source, target] = [from.segments.find(i), to.segments.find(i)];
    target.kernel.bytes(target.address, bytes).set(source.kernel.bytes(source.address, bytes));
  }
}
