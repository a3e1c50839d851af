// Filters in memory that get keys: segments or arrays.

import { type FilterKind, type Shape, sum } from '../../filters/kind.ts';
import type { ArrayBlueprint } from '../../formats/array-blueprint.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { arrayContents, type Contents, type SegmentContents, segmentContents } from './contents.ts';
import { requireMemory, requireMemoryToBuild } from './payload.ts';
import { createArrays, type SharedArrays } from './shared-arrays.ts';
import { createFilter, openSegments, type SharedSegments } from './shared-segments.ts';
import type { SharedStore } from './store.ts';
import type { GrowthOptions } from './store-access.ts';

/** The parts of a new filter: segments of a kind, or arrays as in the formats of other systems. */
export type Blueprint =
  | { readonly shape: Shape; readonly kind: FilterKind; readonly arrays?: undefined }
  | { readonly shape: Shape; readonly arrays: ArrayBlueprint };

/** The results of all threads that added keys. */
export interface AddedTogether {
  /** Keys that were refused because the filter was full. */
  readonly refused: number;
  /** Per array, the keys that set a bit. */
  readonly changes: readonly number[];
  /** The filter after growth; undefined if the filter does not grow. */
  readonly grown: SharedStore | undefined;
}

/** A filter that gets keys: a new filter, or a loaded one. */
export interface Fillable<C extends Contents = Contents> {
  readonly store: SharedStore;
  /** The filter may grow while keys are added, so only one thread can add keys. */
  readonly growsAlone: boolean;
  /** Keys are added in the order of their records. */
  readonly inOrder: boolean;
  readonly growth: GrowthOptions;
  /** The filter refuses keys when it is full, so the refused keys are worth counting. */
  readonly refuses: boolean;
  /** The drafts, which must be sealed once all keys are in. */
  readonly drafts: SharedSegments | undefined;
  isFull(added: AddedTogether): boolean;
  /** The filter with all keys, and its final shape. */
  completed(kernel: Kernel, added: AddedTogether): { readonly shape: Shape; readonly contents: C };
}

/** An empty filter for `threadCount` threads. `trims`: the user did not choose the first size of a growing filter. */
export function emptyFilter(blueprint: Blueprint, threadCount: number, trims = false): Fillable {
  if (blueprint.arrays !== undefined) return fillableArrays(blueprint.arrays, threadCount);
  const { kind, shape } = blueprint;
  return fillableSegments(kind, createFilter(kind, shape, threadCount), trims);
}

/** Throws a `memory` error if a new filter does not fit. The hint suggests parts if the filter can be built in parts. */
export function requireMemoryFor(blueprint: Blueprint): void {
  if (blueprint.arrays === undefined) requireMemoryToBuild(blueprint.shape, blueprint.kind);
  else requireMemory(blueprint.shape);
}

/** Segments that get keys. */
export function fillableSegments(
  { refuses, fitted }: FilterKind,
  begun: SharedSegments,
  trims = false,
): Fillable<SegmentContents> {
  const { shape, drafts } = begun.payload;
  return {
    store: begun,
    growsAlone: shape.chain !== undefined,
    inOrder: false,
    growth: { trims },
    refuses,
    drafts: drafts ? begun : undefined,
    isFull: ({ refused }) => refused > 0,
    completed(kernel, { grown = begun }) {
      if (grown.type !== 'segments') throw new Error('segments grow by segments');
      const contents = segmentContents(grown, openSegments(grown, kernel, 0));
      const planned = grown.payload.shape;
      return { shape: fitted === undefined ? planned : fitted(planned, contents.fills()), contents };
    },
  };
}

/** The arrays that get keys; empty unless they were loaded. */
export function fillableArrays(arrays: ArrayBlueprint, threadCount: number, loaded?: SharedArrays): Fillable {
  const { growth, remaining } = arrays;
  const growsAlone = growth !== undefined;
  const begun = loaded ?? createArrays(arrays.arrays, growsAlone ? 1 : threadCount);
  return {
    store: begun,
    growsAlone,
    inOrder: arrays.countsKeys,
    growth: { growth },
    refuses: remaining !== undefined,
    drafts: undefined,
    isFull: ({ changes }) => remaining !== undefined && sum(changes) > remaining,
    completed(kernel, { grown = begun, changes }) {
      if (grown.type !== 'arrays') throw new Error('arrays grow by arrays');
      const contents = arrayContents(kernel, grown, (onesIn) =>
        arrays.written(changes, (array) => onesIn(array, arrays.arrays[array]?.bytes ?? 0)),
      );
      return { shape: contents.described(arrays.description).shape, contents };
    },
  };
}
