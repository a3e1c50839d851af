import { BloomError } from '../errors.ts';
import { sum } from '../filters/kind.ts';
import type { FlatDraft } from '../formats/flat-draft.ts';
import { heldShare } from '../sizing/share.ts';
import {
  type Blueprint,
  type BuildRequest,
  type BuildResult,
  countsOf,
  exactly,
  keyCount,
  keysOf,
  read,
} from './build-request.ts';
import { type KeyCount, noRoom } from './capacity.ts';
import { arrayContents, type Contents, type SegmentContents, segmentContents } from './filter/contents.ts';
import { createFilter, openSegments, type SharedFilter } from './filter/loaded-filter.ts';
import type { Segments } from './filter/segments.ts';
import { createArrays, type SharedArrays } from './filter/shared-arrays.ts';
import { recordsWithout } from './tasks/tally.ts';
import type { TaskSpec } from './tasks/task.ts';
import type { TaskResult } from './tasks/task-result.ts';
import { createWorkerPool, type WorkerPool } from './threads/worker-pool.ts';

/** A filter that the keys of a request are added to. */
export interface Vessel<C extends Contents = Contents> {
  /** The threads that add them. */
  readonly pool: WorkerPool;
  /** What they do; with `replay` they begin with the digests that wait since a survey. */
  adding(replay: boolean): TaskSpec;
  /** The filter with all keys. Throws a `capacity` error if some of them found no room. */
  completed(filling: Filling): Promise<BuildResult<C>>;
}

/** What threads did to fill a filter. */
export interface Filling {
  /** By those that have counted the keys. */
  readonly counted: readonly TaskResult[];
  /** By those that have added them. */
  readonly filled: readonly TaskResult[];
}

/** An empty filter; with `trims` nobody asked for the size that one that grows begins with. */
export function newVessel(request: BuildRequest, { shape, draft }: Blueprint, trims = false): Vessel {
  if (draft !== undefined) return arrayVessel(request, draft);
  return segmentVessel(request, createFilter(request.kind, shape, request.pool.threadCount), { trims });
}

/** What is known of a filter before keys are added to it. */
interface Begun {
  readonly trims?: boolean;
  /** What it has already. */
  readonly held?: KeyCount;
}

/** A filter of segments. One thread lets it grow: what would the others do meanwhile? */
export function segmentVessel(
  request: BuildRequest,
  begun: SharedFilter,
  { trims = false, held }: Begun = {},
): Vessel<SegmentContents> {
  const { context, kind } = request;
  return {
    pool: begun.payload.shape.chain === undefined ? request.pool : createWorkerPool(1),
    adding: (replay) => ({ type: 'add', ...keysOf(request), filter: begun, replay, trims }),
    async completed({ counted, filled }) {
      const [filter = begun] = filled.flatMap((result) => (result.type === 'add' ? (result.filter ?? []) : []));
      const { shape } = filter.payload;
      const counts = countsOf(counted);
      const { keys } = counts;
      const { elsewhere } = countsOf(filled);
      // Only who adds keys to a part knows which are its own.
      const added = shape.share === undefined ? counted : filled;
      const isFull = filled.some((result) => result.type === 'add' && result.refused > 0);
      const segments = isFull ? undefined : await sealDrafts(request, filter).catch(unlessFull);
      if (segments === undefined)
        throw noRoom(kind, { ...keyCount(context, added), keys: keys - elsewhere }, held, heldShare(shape));
      return {
        shape,
        contents: segmentContents(filter, segments),
        inserted: keys - elsewhere,
        skipped: recordsWithout(counts),
        elsewhere,
        late: 0,
        distinct: exactly(context, added),
      };
    },
  };
}

/** A filter of arrays: those of a draft, empty unless they were loaded. */
export function arrayVessel(request: BuildRequest, draft: FlatDraft, loaded?: SharedArrays): Vessel {
  const { context, kind } = request;
  const pool = draft.growth === undefined ? request.pool : createWorkerPool(1);
  const begun = loaded ?? createArrays(draft.arrays, pool.threadCount);
  return {
    pool,
    adding: (replay) => ({
      type: 'add to arrays',
      ...keysOf(request),
      filter: begun,
      inOrder: draft.countsKeys,
      growth: draft.growth,
      replay,
    }),
    async completed({ counted, filled }) {
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
      const { keys } = counts;
      const { shape } = contents.described(draft.description);
      return {
        shape,
        contents,
        inserted: keys,
        skipped: recordsWithout(counts),
        elsewhere: 0,
        late: 0,
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
export async function sealDrafts(request: BuildRequest, filter: SharedFilter): Promise<Segments> {
  if (filter.payload.drafts) await read({ ...request, inputs: [] }, { type: 'finalize', ...keysOf(request), filter });
  return openSegments(filter, request.context.kernel, request.context.threadIndex);
}
