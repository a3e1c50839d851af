import type { Geometry } from './geometry.ts';

/** How many times as large as the one before a slice can be. */
export const GROWTHS = [2, 4, 8, 16] as const;

/** Slices that a header has room for. */
export const SLICES_LIMIT = 18;

/** A part of a filter that grows: segments of a size that is the same for all slices, and the probes of a key in it. */
export interface Slice {
  readonly segments: number;
  readonly k: number;
}

/** A filter that grows by slices, each larger than the one before and of a lower rate. */
export interface Chain {
  /** Rate that all slices together stay below. */
  readonly fpr: number;
  /** How many times as large as the one before a slice is. */
  readonly growth: number;
  /** Rate of a slice, in rates of the one before, below 1. */
  readonly tightening: number;
  readonly slices: readonly Slice[];
}

/** Segments of all slices. */
export function segmentsOf({ slices }: Pick<Chain, 'slices'>): number {
  return slices.reduce((sum, { segments }) => sum + segments, 0);
}

/** What has segments, and perhaps slices of them. */
interface Sliced extends Geometry {
  readonly k: number;
  readonly chain?: Chain | undefined;
}

/** The slices of a filter, in the order of their segments; most have one. */
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
