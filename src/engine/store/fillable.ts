// Filters in memory that keys are added to, whatever they are made of.

import { type FilterKind, type Shape, sum } from '../../filters/kind.ts';
import type { FlatDraft } from '../../formats/flat-draft.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { arrayContents, type Contents, type SegmentContents, segmentContents } from './contents.ts';
import { requireMemory, requireMemoryToBuild } from './payload.ts';
import { createArrays, type SharedArrays } from './shared-arrays.ts';
import { createFilter, openSegments, type SharedSegments } from './shared-segments.ts';
import type { SharedStore } from './store.ts';
import type { GrowthOptions } from './store-access.ts';

/** What a new filter is made of: segments of a kind, or arrays, as other systems have them. */
export type Blueprint =
  | { readonly shape: Shape; readonly kind: FilterKind; readonly draft?: undefined }
  | { readonly shape: Shape; readonly draft: FlatDraft };

/** What the threads that added keys say together. */
export interface AddedTogether {
  /** Keys for which there was no room. */
  readonly refused: number;
  /** Keys that have set a bit, of each array. */
  readonly changes: readonly number[];
  /** What has become of a filter that grew. */
  readonly grown: SharedStore | undefined;
}

/** A filter that keys are added to: a new one, or one that was loaded. */
export interface Fillable<C extends Contents = Contents> {
  readonly store: SharedStore;
  /** It may grow while keys are added, so that only one thread can add them. */
  readonly growsAlone: boolean;
  /** Keys are added in the order of their records. */
  readonly inOrder: boolean;
  readonly growth: GrowthOptions;
  /** It gets full, so that it is worth counting keys that are too many. */
  readonly refuses: boolean;
  /** Its drafts, which have to be sealed once all keys are in. */
  readonly drafts: SharedSegments | undefined;
  isFull(added: AddedTogether): boolean;
  /** The filter with all keys, and its shape then. */
  completed(kernel: Kernel, added: AddedTogether): { readonly shape: Shape; readonly contents: C };
}

/** An empty filter for so many threads; with `trims` nobody chose the size with which a growing one begins. */
export function emptyFilter(blueprint: Blueprint, threadCount: number, trims = false): Fillable {
  if (blueprint.draft !== undefined) return fillableArrays(blueprint.draft, threadCount);
  const { kind, shape } = blueprint;
  return fillableSegments(kind, createFilter(kind, shape, threadCount), trims);
}

/** Throws a `memory` error for a new filter that does not fit; the hint names parts if it can be built in parts. */
export function requireMemoryFor(blueprint: Blueprint): void {
  if (blueprint.draft === undefined) requireMemoryToBuild(blueprint.shape, blueprint.kind);
  else requireMemory(blueprint.shape);
}

/** Segments that keys can be added to. */
export function fillableSegments(
  { refuses }: FilterKind,
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
      return { shape: grown.payload.shape, contents: segmentContents(grown, openSegments(grown, kernel, 0)) };
    },
  };
}

/** The arrays of a draft, empty unless they were loaded, that keys can be added to. */
export function fillableArrays(draft: FlatDraft, threadCount: number, loaded?: SharedArrays): Fillable {
  const { growth, room } = draft;
  const growsAlone = growth !== undefined;
  const begun = loaded ?? createArrays(draft.arrays, growsAlone ? 1 : threadCount);
  return {
    store: begun,
    growsAlone,
    inOrder: draft.countsKeys,
    growth: { growth },
    refuses: room !== undefined,
    drafts: undefined,
    isFull: ({ changes }) => room !== undefined && sum(changes) > room,
    completed(kernel, { grown = begun, changes }) {
      if (grown.type !== 'arrays') throw new Error('arrays grow by arrays');
      const contents = arrayContents(kernel, grown, (onesIn) =>
        draft.written(changes, (array) => onesIn(array, draft.arrays[array]?.bytes ?? 0)),
      );
      return { shape: contents.described(draft.description).shape, contents };
    },
  };
}
