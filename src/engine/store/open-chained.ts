import type { Kernel } from '../../kernel/kernel.ts';
import type { Chain } from '../../sizing/chain.ts';
import type { Segments } from './segments.ts';
import { openSegments, type SharedSegments } from './shared-segments.ts';

/** A filter with slices, as the only thread that works on it sees it. */
export interface ChainedFilter {
  readonly filter: SharedSegments;
  readonly segments: Segments;
  readonly chain: Chain;
  readonly segmentBits: number;
}

export function openChained(kernel: Kernel, filter: SharedSegments): ChainedFilter {
  const { chain, segmentBits } = filter.payload.shape;
  if (chain === undefined) throw new Error('the filter has no slices');
  return { filter, segments: openSegments(filter, kernel, 0), chain, segmentBits };
}
