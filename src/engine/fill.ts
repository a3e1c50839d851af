// Keys are added to a filter: which threads do it, in which order, and what came of it.

import { BloomError } from '../errors.ts';
import { type FilterKind, type Shape, sum } from '../filters/kind.ts';
import type { FlatDraft } from '../formats/flat-draft.ts';
import { heldShare } from '../sizing/share.ts';
import { type KeyCount, noRoom } from './capacity.ts';
import type { Blueprint } from './filter-parameters.ts';
import { countsOf, exactly, type KindOfKeys, keyCount, type Reading, type Threads } from './reading.ts';
import { arrayContents, type Contents, type SegmentContents, segmentContents } from './store/contents.ts';
import {
  createFilter,
  type LoadedArrays,
  type LoadedFilter,
  openSegments,
  type SharedFilter,
  sharedPart,
} from './store/loaded-filter.ts';
import { requireMemory, requireMemoryToBuild } from './store/payload.ts';
import type { Segments } from './store/segments.ts';
import { createArrays, type SharedArrays } from './store/shared-arrays.ts';
import { recordsWithout } from './tasks/tally.ts';
import type { TaskSpec } from './tasks/task.ts';
import type { TaskResult } from './tasks/task-result.ts';
import { type Pass, runPass } from './threads/pass.ts';
import { createWorkerPool } from './threads/worker-pool.ts';

/** A filter in memory, and what went into it. */
export interface Filled<C extends Contents = Contents> {
  readonly shape: Shape;
  readonly contents: C;
  /** Keys that were added, repetitions included. */
  readonly inserted: number;
  /** Records without a key, as they lack the selected field. */
  readonly skipped: number;
  /** Keys of other parts of the filter, which were not added. */
  readonly elsewhere: number;
  /** Distinct keys among those added, where they were counted exactly. */
  readonly distinct: number | undefined;
}

/** A filter that keys can be added to. */
export interface Fillable<C extends Contents = Contents> extends KindOfKeys {
  /** It may grow while keys are added, so that only one thread can add them. */
  readonly growsAlone: boolean;
  /** The task of each thread; with `replay` it begins with the digests that a survey has kept. */
  adding(selection: Reading['selection'], replay: boolean): TaskSpec;
  /** The filter with all keys. Throws a `capacity` error if some of them found no room. */
  completed(reading: Reading, threads: Threads, passes: Passes): Promise<Filled<C>>;
}

/** What the threads have done to fill a filter. */
interface Passes {
  /** The pass that counted the keys. */
  readonly counted: readonly TaskResult[];
  /** The pass that added them. */
  readonly filled: readonly TaskResult[];
}

/** An empty filter for so many threads; with `trims` nobody chose the size with which a growing one begins. */
export function emptyFilter(of: KindOfKeys, blueprint: Blueprint, threadCount: number, trims = false): Fillable {
  if (blueprint.draft !== undefined) return fillableArrays(of, blueprint.draft, threadCount);
  return fillableSegments(of, createFilter(blueprint.kind, blueprint.shape, threadCount), { trims });
}

/** Throws a `memory` error for a new filter that does not fit; the hint names parts if it can be built in parts. */
export function requireMemoryFor(blueprint: Blueprint): void {
  if (blueprint.draft === undefined) requireMemoryToBuild(blueprint.shape, blueprint.kind);
  else requireMemory(blueprint.shape);
}

/** A filter that was loaded to be changed. Throws a `memory` error. */
export function filterToExtend(loaded: LoadedFilter | LoadedArrays, threadCount: number): Fillable {
  if ('draft' in loaded) {
    requireMemory(loaded.description.shape);
    return fillableArrays(loaded.description, loaded.draft, threadCount, loaded.shared);
  }
  const { description } = loaded;
  const { kind, shape, inserted } = description;
  requireMemory(shape, kind);
  const distinct = kind.itemsFromFill(loaded.fills(), shape);
  const held = { keys: inserted ?? Math.round(distinct.count), distinct };
  return fillableSegments(description, sharedPart(loaded), { held });
}

/**
 * Adds the keys of a reading to a filter. With `counted`, the results of a survey that has kept all digests, these are added in
 * place of the inputs. Throws a `capacity` error if some keys found no room.
 */
export async function fill<C extends Contents>(
  filter: Fillable<C>,
  reading: Reading,
  threads: Threads,
  { counted, onTally }: { readonly counted?: readonly TaskResult[]; readonly onTally?: Pass['onTally'] } = {},
): Promise<Filled<C>> {
  const { selection, observer } = reading;
  const results = await runPass({
    context: threads.context,
    pool: filter.growsAlone ? createWorkerPool(1) : threads.pool,
    spec: filter.adding(selection, counted !== undefined),
    inputs: counted === undefined ? reading.inputs : [],
    observer,
    onTally,
  });
  return filter.completed(reading, threads, { counted: counted ?? results, filled: results });
}

/** Removes keys from a filter. Absent keys, and records without a key, are counted. */
export async function removeKeys(
  { kind, rules }: KindOfKeys<FilterKind>,
  filter: SharedFilter,
  reading: Reading,
  threads: Threads,
): Promise<{ contents: SegmentContents; removed: number; absent: number; skipped: number; elsewhere: number }> {
  requireMemory(filter.payload.shape, kind);
  const { inputs, selection, observer } = reading;
  const results = await runPass({ ...threads, spec: { type: 'remove', selection, rules, filter }, inputs, observer });
  const removed = sum(results.map(({ positives }) => positives));
  const counts = countsOf(results);
  const { keys, elsewhere } = counts;
  const segments = await sealDrafts({ kind, rules }, filter, reading, threads);
  return {
    contents: segmentContents(filter, segments),
    removed,
    absent: keys - elsewhere - removed,
    skipped: recordsWithout(counts),
    elsewhere,
  };
}

/** What is known of a filter of segments before keys are added to it. */
interface Known {
  readonly trims?: boolean;
  /** The keys that it has. */
  readonly held?: KeyCount;
}

/** A filter of segments that keys can be added to. */
export function fillableSegments(
  { kind, rules }: KindOfKeys,
  begun: SharedFilter,
  { trims = false, held }: Known = {},
): Fillable<SegmentContents> {
  return {
    kind,
    rules,
    growsAlone: begun.payload.shape.chain !== undefined,
    adding: (selection, replay) => ({ type: 'add', selection, rules, filter: begun, replay, trims }),
    async completed(reading, threads, { counted, filled }) {
      const { context } = threads;
      const [filter = begun] = filled.flatMap((result) => (result.type === 'add' ? (result.filter ?? []) : []));
      const { shape } = filter.payload;
      const counts = countsOf(counted);
      const { keys } = counts;
      const { elsewhere } = countsOf(filled);
      // Only the pass that adds keys to a part knows which keys belong to it.
      const added = shape.share === undefined ? counted : filled;
      const isFull = filled.some((result) => result.type === 'add' && result.refused > 0);
      const segments = isFull
        ? undefined
        : await sealDrafts({ kind, rules }, filter, reading, threads).catch(unlessFull);
      if (segments === undefined)
        throw noRoom(kind, { ...keyCount(context, added), keys: keys - elsewhere }, held, heldShare(shape));
      return {
        shape,
        contents: segmentContents(filter, segments),
        inserted: keys - elsewhere,
        skipped: recordsWithout(counts),
        elsewhere,
        distinct: exactly(context, added),
      };
    },
  };
}

/** The arrays of a draft, empty unless they were loaded, that keys can be added to. */
function fillableArrays(
  { kind, rules }: KindOfKeys,
  draft: FlatDraft,
  threadCount: number,
  loaded?: SharedArrays,
): Fillable {
  const growsAlone = draft.growth !== undefined;
  const begun = loaded ?? createArrays(draft.arrays, growsAlone ? 1 : threadCount);
  return {
    kind,
    rules,
    growsAlone,
    adding: (selection, replay) => ({
      type: 'add to arrays',
      selection,
      rules,
      filter: begun,
      inOrder: draft.countsKeys,
      growth: draft.growth,
      replay,
    }),
    async completed(_, { context }, { counted, filled }) {
      const [filter = begun] = filled.flatMap((result) =>
        result.type === 'add to arrays' ? (result.filter ?? []) : [],
      );
      const changes = filter.arrays.map((_, i) =>
        sum(filled.map((result) => (result.type === 'add to arrays' ? (result.changes[i] ?? 0) : 0))),
      );
      if (draft.room !== undefined && sum(changes) > draft.room) throw noRoom(kind, keyCount(context, counted));
      const contents = arrayContents(context.kernel, filter, (onesIn) =>
        draft.written(changes, (array) => onesIn(array, draft.arrays[array]?.bytes ?? 0)),
      );
      const counts = countsOf(counted);
      const { shape } = contents.described(draft.description);
      return {
        shape,
        contents,
        inserted: counts.keys,
        skipped: recordsWithout(counts),
        elsewhere: 0,
        distinct: exactly(context, counted),
      };
    },
  };
}

/** Nothing for the error of a filter that turns out to be full; throws any other. */
function unlessFull(error: unknown): undefined {
  if (!(error instanceof BloomError && error.code === 'capacity')) throw error;
}

/** The segments of a filter, with no drafts left. */
async function sealDrafts(
  { rules }: KindOfKeys,
  filter: SharedFilter,
  { selection, observer }: Reading,
  { context, pool }: Threads,
): Promise<Segments> {
  const spec: TaskSpec = { type: 'finalize', selection, rules, filter };
  if (filter.payload.drafts) await runPass({ context, pool, spec, inputs: [], observer });
  return openSegments(filter, context.kernel, context.threadIndex);
}
