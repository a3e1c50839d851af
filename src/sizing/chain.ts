import type { Geometry } from './geometry.ts';

/** The ratios of the size of a slice to that of the slice before. */
export const GROWTHS = [2, 4, 8, 16] as const;

/** The most slices that a header can describe. */
export const SLICES_LIMIT = 18;

/** A slice of a filter that grows, with its segments and its hash functions. All slices have the same segment size. */
export interface Slice {
  readonly segments: number;
  readonly k: number;
}

/** A filter that grows by slices. Each slice is larger than the slice before and has a lower rate. */
export interface Chain {
  /** The upper bound of the rate of all slices together. */
  readonly fpr: number;
  /** The ratio of the size of a slice to that of the slice before. */
  readonly growth: number;
  /** The ratio of the rate of a slice to that of the slice before; below 1. */
  readonly tightening: number;
  readonly slices: readonly Slice[];
}

/** The number of segments in all slices. */
export function segmentsOf({ slices }: Pick<Chain, 'slices'>): number {
  return slices.reduce((sum, { segments }) => sum + segments, 0);
}

/** A filter with segments, and perhaps slices. */
interface Sliced extends Geometry {
  readonly k: number;
  readonly chain?: Chain | undefined;
}

/** The slices of a filter, in the order of their segments. Most filters have one slice. */
export function slicesOf({ segments, k, chain }: Sliced): readonly Slice[] {
  return chain?.slices ?? [{ segments, k }];
}

/** The number of the first segment of each slice. */
export function firstsOf(slices: readonly Slice[]): number[] {
  let next = 0;
  return slices.map(({ segments }) => {
    next += segments;
    return next - segments;
  });
}
