// Adds keys to a filter: chooses the threads and the order, and collects the results.

import { BloomError } from '../errors.ts';
import { type Shape, sum } from '../filters/kind.ts';
import { kindWithId } from '../filters/registry.ts';
import type { KeyRules } from '../formats/description.ts';
import { isPart } from '../sizing/share.ts';
import { countsOf, exactly, type KindOfKeys, keyCount, type Reading, type Threads } from './reading.ts';
import { type KeyCount, tooManyKeys } from './store/capacity.ts';
import { type Contents, type SegmentContents, segmentContents } from './store/contents.ts';
import type { AddedTogether, Fillable } from './store/fillable.ts';
import { requireMemory } from './store/payload.ts';
import { openSegments, type SharedSegments } from './store/shared-segments.ts';
import { recordsWithout } from './tasks/tally.ts';
import type { TaskSpec } from './tasks/task.ts';
import type { TaskResult } from './tasks/task-result.ts';
import { type Pass, runPass } from './threads/pass.ts';
import { createWorkerPool } from './threads/worker-pool.ts';

/** A filter in memory, and the counts of its keys. */
export interface Filled<C extends Contents = Contents> {
  readonly shape: Shape;
  readonly contents: C;
  /** Keys that were added, repetitions included. */
  readonly inserted: number;
  /** Records without a key: they lack the selected field. */
  readonly skipped: number;
  /** Keys of zero bytes among the added keys. */
  readonly empty: number;
  /** Keys of other parts of the filter, which were not added. */
  readonly elsewhere: number;
  /** The number of distinct keys among the added keys, if they were counted exactly. */
  readonly distinct: number | undefined;
  /** The lengths of the added blocks, if the keys are networks. */
  readonly lengths: bigint | undefined;
  /** Keys that are both members and protected. */
  readonly clashes: number;
}

/** Optional facts about the pass that adds keys. */
interface Filling {
  /** The results of a survey that has kept all digests, which are added instead of the inputs. */
  readonly counted?: readonly TaskResult[];
  readonly onTally?: Pass['onTally'];
  /** The keys that the filter already has. */
  readonly held?: () => KeyCount;
}

/** Adds the keys of a reading to a filter. Throws a `capacity` error if the filter refused a key. */
export async function fill<C extends Contents>(
  of: KindOfKeys,
  filter: Fillable<C>,
  reading: Reading,
  threads: Threads,
  { counted, onTally, held }: Filling = {},
): Promise<Filled<C>> {
  const { selection, observer } = reading;
  const { context } = threads;
  const { store, inOrder, growth, refuses } = filter;
  const filled = await runPass({
    context,
    pool: filter.growsAlone ? createWorkerPool(1) : threads.pool,
    spec: {
      ...{ type: 'add', selection, rules: of.rules, filter: store, ...growth },
      ...{ replay: counted !== undefined, inOrder, sketches: refuses },
    },
    inputs: counted === undefined ? reading.inputs : [],
    observer,
    onTally,
  });
  const added = addedTogether(filled);
  // Only the pass that adds keys to a part knows which keys belong to it.
  const known = isPart(store.range) || counted === undefined ? filled : counted;
  const counts = countsOf(counted ?? filled);
  const { elsewhere } = countsOf(filled);
  const inserted = counts.keys - elsewhere;
  let clashes = 0;
  const sealAll = async (drafts: SharedSegments) => {
    const { protectedInputs } = reading;
    if (protectedInputs !== undefined) {
      const { protect } = await import('./protect.ts');
      clashes = await protect(of, drafts, protectedInputs, reading, threads);
    }
    await seal(of.rules, drafts, reading, threads);
  };
  const isFull = filter.isFull(added) || !(await areSealed(filter.drafts, sealAll));
  const share = store.range.count / store.range.of;
  if (isFull) throw tooManyKeys(of.kind, { ...keyCount(context, known), keys: inserted }, held?.(), share);
  const { shape, contents } = filter.completed(context.kernel, added);
  const skipped = recordsWithout(counts);
  // Of dropped members, only the number is known.
  const distinct = reading.protectedInputs?.drops === 'members' ? undefined : exactly(context, known);
  const { empty = 0, lengths } = counts;
  return { shape, contents, inserted, skipped, empty, elsewhere, distinct, lengths, clashes };
}

/** The results of all threads together. */
function addedTogether(filled: readonly TaskResult[]): AddedTogether {
  const results = filled.flatMap((result) => (result.type === 'add' ? [result] : []));
  const [{ changes, grown } = { changes: [], grown: undefined }] = results;
  return {
    refused: sum(results.map(({ refused }) => refused)),
    changes: changes.map((_, array) => sum(results.map((result) => result.changes[array] ?? 0))),
    grown,
  };
}

/** Seals drafts; returns false if a draft proves to be full. */
function areSealed(drafts: SharedSegments | undefined, sealAll: (drafts: SharedSegments) => Promise<void>) {
  if (drafts === undefined) return true;
  return sealAll(drafts).then(
    () => true,
    (error) => {
      if (error instanceof BloomError && error.code === 'capacity') return false;
      throw error;
    },
  );
}

/** Removes keys from a filter. Absent keys, and records without a key, are counted. */
export async function removeKeys(
  { rules }: Pick<KindOfKeys, 'rules'>,
  filter: SharedSegments,
  reading: Reading,
  threads: Threads,
): Promise<{ contents: SegmentContents; removed: number; absent: number; skipped: number; elsewhere: number }> {
  requireMemory(filter.payload.shape, kindWithId(filter.kind, 'the filter'));
  const { inputs, selection, observer } = reading;
  const results = await runPass({ ...threads, spec: { type: 'remove', selection, rules, filter }, inputs, observer });
  const removed = sum(results.map(({ positives }) => positives));
  const counts = countsOf(results);
  const { keys, elsewhere } = counts;
  if (filter.payload.drafts) await seal(rules, filter, reading, threads);
  const { kernel, threadIndex } = threads.context;
  return {
    contents: segmentContents(filter, openSegments(filter, kernel, threadIndex)),
    removed,
    absent: keys - elsewhere - removed,
    skipped: recordsWithout(counts),
    elsewhere,
  };
}

/** Turns the drafts of a filter into segments. */
async function seal(
  rules: KeyRules,
  filter: SharedSegments,
  { selection, observer }: Reading,
  { context, pool }: Threads,
): Promise<void> {
  const spec: TaskSpec = { type: 'seal', selection, rules, filter };
  await runPass({ context, pool, spec, inputs: [], observer });
}
