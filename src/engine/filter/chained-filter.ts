import type { FilterKind, Shape } from '../../filters/kind.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type Chain, segmentsOf } from '../../sizing/chain.ts';
import { halved, lastBits } from '../../sizing/scalable.ts';
import { allOf } from '../../sizing/share.ts';
import { NO_DIGESTS, VISIT_LIMIT } from '../input/digests.ts';
import { createFilter, openSegments, type SharedFilter } from './loaded-filter.ts';
import { requireMemory, resizePayload } from './payload.ts';
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

function shapeOf(chain: Chain, segmentBits: number): Shape {
  const segments = segmentsOf(chain);
  return { segments, segmentBits, bits: segments * segmentBits, k: chain.slices[0]?.k ?? 1, chain };
}

/**
 * The same filter with a slice more, or a smaller last one, which has what is in the first segments of the larger. Throws a
 * `memory` error.
 */
export function withChain(kernel: Kernel, { filter, segments }: ChainedFilter, chain: Chain): ChainedFilter {
  const before = filter.payload.shape;
  const shape = shapeOf(chain, before.segmentBits);
  requireMemory(shape);
  // What a file has is read by now, as more segments are none of it.
  for (let i = 0; i < before.segments; i++) segments.find(i);
  return openChained(kernel, { ...filter, payload: resizePayload(filter.payload, shape), stored: undefined });
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
  const cut = { ...chain, slices: chain.slices.map((slice) => ({ ...slice, segments })) };
  const to = openChained(kernel, createFilter(kind, shapeOf(cut, segmentBits), 1));
  const address = kernel.reserve(8 * VISIT_LIMIT);
  const visits = createSegmentVisits(kernel, allOf(segments), false, to.segments.add);
  for (let start = 0; start < digests.length; start += VISIT_LIMIT) {
    const part = digests.subarray(start, start + VISIT_LIMIT);
    new BigUint64Array(kernel.memory.buffer, address, part.length).set(part);
    visits.take({ ...NO_DIGESTS, address, count: part.length });
  }
  visits.takeLast(NO_DIGESTS);
  return to;
}

/** The same filter with a last slice that is no larger than its keys need: segments of it that are side by side are ORed. */
export function halvedToKeys(kernel: Kernel, from: ChainedFilter, keys: number): ChainedFilter {
  const { chain, segmentBits, segments } = from;
  const shorter = halved(chain, segmentBits, keys);
  const [last = 0, kept = 0] = [chain, shorter].map(({ slices }) => slices.at(-1)?.segments ?? 0);
  const first = segmentsOf(chain) - last;
  const group = last / kept;
  const bytes = segmentBits / 8;
  const [whole, part] = [kernel.reserve(bytes), kernel.reserve(bytes)];
  // A segment takes the place of one that has been read.
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
