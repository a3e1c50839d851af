import { BloomError } from '../errors.ts';
import { type FilterKind, type Shape, sum } from '../filters/kind.ts';
import type { KeyRules } from '../formats/description.ts';
import { type KeyCount, noRoom } from './capacity.ts';
import {
  createFilter,
  type LoadedFilter,
  openSegments,
  type SharedFilter,
  sharedPart,
} from './filter/loaded-filter.ts';
import { requireMemory } from './filter/payload.ts';
import type { Segments } from './filter/segments.ts';
import type { Observer } from './input/input.ts';
import type { KeySelection } from './input/key-selection.ts';
import { countTogether, estimateTogether } from './tasks/distinct-keys.ts';
import type { TaskResult, TaskSpec, ThreadContext } from './tasks/task.ts';
import { type Pass, runPass } from './threads/pass.ts';
import { createWorkerPool, type WorkerPool } from './threads/worker-pool.ts';

export interface BuildRequest {
  /** The main thread's. */
  readonly context: ThreadContext;
  readonly pool: WorkerPool;
  readonly kind: FilterKind;
  readonly inputs: readonly string[];
  readonly selection: KeySelection;
  readonly rules: KeyRules;
  readonly observer: Observer;
}

/** A filter in memory and what went into it. */
export interface BuildResult {
  readonly filter: SharedFilter;
  readonly shape: Shape;
  readonly segments: Segments;
  /** Keys that were added, repetitions included. */
  readonly inserted: number;
  /** Records that had no key, for want of the selected field. */
  readonly skipped: number;
  /** Keys that a second pass saw, and the first, for which it was sized, did not. */
  readonly late: number;
  /** Distinct keys among those added, where they were counted exactly. */
  readonly distinct: number | undefined;
}

/**
 * Adds the keys of all inputs to a filter, or to a new one of a given shape; with `trims` nobody asked for the size
 * that a filter that grows begins with. `held` is what the filter has already.
 */
export async function buildWithShape(
  request: BuildRequest,
  shape: Shape,
  existing?: SharedFilter,
  trims = false,
  held?: KeyCount,
): Promise<BuildResult> {
  requireMemory(shape, request.kind);
  const begun = existing ?? newFilter(request, shape);
  // One thread lets a filter grow: what would the others do meanwhile?
  const pool = shape.chain === undefined ? request.pool : createWorkerPool(1);
  const results = await read(
    { ...request, pool },
    { type: 'add', ...keysOf(request), filter: begun, replay: false, trims },
  );
  const [filter = begun] = results.flatMap((result) => (result.type === 'add' ? (result.filter ?? []) : []));
  return completed(request, filter, { counted: results, filled: results, held });
}

/** Adds the keys of all inputs to a filter that was loaded. */
export function addToFilter(request: BuildRequest, loaded: LoadedFilter): Promise<BuildResult> {
  const { shape, inserted } = loaded.description;
  const distinct = request.kind.itemsFromFill(loaded.fills(), shape);
  const held = { keys: inserted ?? Math.round(distinct.count), distinct };
  return buildWithShape(request, shape, sharedPart(loaded), false, held);
}

/**
 * Removes the keys of all inputs from a filter; those that are absent, and records that have none, are only counted.
 */
export async function removeFrom(
  request: BuildRequest,
  filter: SharedFilter,
): Promise<{ segments: Segments; removed: number; absent: number; skipped: number }> {
  requireMemory(filter.payload.shape, request.kind);
  const results = await read(request, { type: 'remove', ...keysOf(request), filter });
  const removed = results.reduce((all, { positives }) => all + positives, 0);
  const { records, keys } = countsOf(results);
  const segments = await sealDrafts(request, filter);
  return { segments, removed, absent: keys - removed, skipped: records - keys };
}

/** What the tasks of a request have in common. */
export function keysOf({ selection, rules }: BuildRequest): Pick<BuildRequest, 'selection' | 'rules'> {
  return { selection, rules };
}

/** An empty filter for the threads of a request. */
export function newFilter({ kind, pool }: BuildRequest, shape: Shape): SharedFilter {
  return createFilter(kind, shape, pool.threadCount);
}

/** Lets all threads do a task to the inputs of a request, and returns what each of them did. */
export function read(
  { context, pool, inputs, observer }: BuildRequest,
  spec: TaskSpec,
  onTally?: Pass['onTally'],
): Promise<TaskResult[]> {
  return runPass({ context, pool, spec, inputs, observer, onTally });
}

/** What threads read together. */
export function countsOf(results: readonly TaskResult[]): { records: number; keys: number } {
  return { records: sum(results.map(({ records }) => records)), keys: sum(results.map(({ keys }) => keys)) };
}

/** The distinct keys of all threads; undefined if they are too many to be counted. */
function exactly({ kernel }: ThreadContext, results: readonly TaskResult[]): number | undefined {
  return countTogether(
    kernel,
    results.map((result) => (result.type === 'tally' ? undefined : result.distinct)),
  );
}

/** The keys of all threads. */
export function keyCount(context: ThreadContext, results: readonly TaskResult[]): KeyCount {
  const distinct = exactly(context, results);
  const sketches = results.flatMap((result) => (result.type === 'tally' ? [] : (result.sketch ?? [])));
  return {
    keys: countsOf(results).keys,
    distinct: distinct === undefined ? estimateTogether(sketches) : { count: distinct, error: 0 },
  };
}

/** What threads did to fill a filter. */
interface Filling {
  /** By those that have counted the keys. */
  readonly counted: readonly TaskResult[];
  /** By those that have added them. */
  readonly filled: readonly TaskResult[];
  /** What was in it before. */
  readonly held?: KeyCount | undefined;
}

/** A filter all of whose keys are in. Throws a `capacity` error if some of them found no room. */
export async function completed(request: BuildRequest, filter: SharedFilter, filling: Filling): Promise<BuildResult> {
  const { context, kind } = request;
  const { counted, filled, held } = filling;
  const { records, keys } = countsOf(counted);
  const isFull = filled.some((result) => result.type === 'add' && result.refused > 0);
  const segments = isFull ? undefined : await sealDrafts(request, filter).catch(unlessFull);
  if (segments === undefined) throw noRoom(kind, keyCount(context, counted), held);
  const distinct = exactly(context, counted);
  return { filter, shape: filter.payload.shape, segments, inserted: keys, skipped: records - keys, late: 0, distinct };
}

/** Nothing for the error of a filter that turns out to be full; throws any other. */
function unlessFull(error: unknown): undefined {
  if (!(error instanceof BloomError && error.code === 'capacity')) throw error;
}

/** The segments of a filter, with no drafts left. */
async function sealDrafts(request: BuildRequest, filter: SharedFilter): Promise<Segments> {
  if (filter.payload.drafts) await read({ ...request, inputs: [] }, { type: 'finalize', ...keysOf(request), filter });
  return openSegments(filter, request.context.kernel, request.context.threadIndex);
}
