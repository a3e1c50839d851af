import type { KeyRules } from '../formats/description.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type SegmentRange, segmentOf } from '../sizing/share.ts';
import { type Digests, NO_DIGESTS, VISIT_LIMIT } from './input/digests.ts';
import type { Key, KeyDigests } from './input/given-keys.ts';
import { type KeyTest, keyTestOf } from './store/one-key.ts';
import { createOwnedKeeper } from './store/range-keeper.ts';
import { createSegmentVisits } from './store/segment-visits.ts';
import type { SharedStore } from './store/store.ts';
import type { OpenStore } from './store/store-access.ts';
import { batchRecords } from './tasks/output.ts';

/** Answers queries of a program. A key that belongs to another part of the filter is maybe present. */
export interface KeyAnswers {
  has(key: Key): boolean;
  /**
   * Accepts the digests of many keys, and answers them later, segment by segment, which is faster than key by key. The last answers exist
   * after `conclude`. Until then, all digests must be for the same list.
   */
  take(digests: Digests, found: AnswerList): void;
  conclude(found: AnswerList): void;
}

/** The answers for many keys, in their order. */
export interface AnswerList {
  readonly answers: boolean[];
  /** The number of answers so far. */
  count: number;
}

/** A thread's access to a filter for queries, by the rules of the filter. */
export function createKeyAnswers(
  kernel: Kernel,
  shared: SharedStore,
  store: OpenStore,
  keys: KeyDigests,
  rules: KeyRules,
): KeyAnswers {
  const { range } = shared;
  const has = createLookupOfOne(kernel, range, store, keys);
  const openKeyTest = keyTestOf(shared, rules);
  let testKey: KeyTest | undefined;
  let many: ReturnType<typeof createLookupOfMany> | undefined;
  const withLookup = (work: (lookup: ReturnType<typeof createLookupOfMany>) => void) => {
    many ??= createLookupOfMany(kernel, range, store, keys);
    try {
      work(many);
    } catch (error) {
      // Keys before the error must not count as part of the next batch.
      many = undefined;
      throw error;
    }
  };
  return {
    has(key) {
      const answer = testKey?.(key);
      if (answer !== undefined) return answer;
      testKey ??= openKeyTest?.();
      return has(key);
    },
    take: (digests, found) => withLookup(({ take }) => take(digests, found)),
    conclude: (found) => withLookup(({ conclude }) => conclude(found)),
  };
}

/** Queries one key, by its digest. */
function createLookupOfOne(
  kernel: Kernel,
  range: SegmentRange,
  { test, testOne }: OpenStore,
  { digestOne, one }: KeyDigests,
) {
  const { word, halves } = one;
  const hit = kernel.reserve(1);
  const testDigest = testOne ?? ((column: number) => test(column, one, hit) > 0);
  return (key: Key): boolean => {
    if (!digestOne(key)) return false;
    const column = segmentOf(range, halves[1] ?? 0);
    return column === undefined || testDigest(column, word);
  };
}

/** Queries keys in batches: the keys of a segment together, once there are enough. */
function createLookupOfMany(
  kernel: Kernel,
  range: SegmentRange,
  { test }: OpenStore,
  keys: KeyDigests,
): Pick<KeyAnswers, 'take' | 'conclude'> {
  const { collectHits, clear } = kernel.exports;
  const limit = batchRecords(range.count);
  const hits = kernel.reserve(VISIT_LIMIT);
  const matches = kernel.reserve(limit);
  const answers = kernel.bytes(matches, limit);
  const { keep, leave } = createOwnedKeeper(kernel, range, limit);
  const visits = createSegmentVisits(kernel, range, true, (column, digests) => {
    if (digests.owners === 0) test(column, digests, matches + digests.firstOwner);
    else {
      test(column, digests, hits);
      collectHits(hits, digests.owners, digests.count, matches);
    }
  });
  let count = 0;
  /** Indices of keys that are not values of the key type. */
  const none: number[] = [];
  const conclude = (found: AnswerList) => {
    visits.takeLast(NO_DIGESTS);
    leave([matches], count);
    for (const key of none.splice(0)) answers[key] = 0;
    const { answers: all, count: before } = found;
    for (let i = 0; i < count; i++) all[before + i] = answers[i] !== 0;
    found.count += count;
    clear(matches, count);
    count = 0;
  };
  return {
    take(digests, found) {
      for (const key of keys.without()) none.push(count + key);
      visits.take(keep({ ...digests, firstOwner: count }));
      count += digests.count;
      if (count + VISIT_LIMIT > limit) conclude(found);
    },
    conclude,
  };
}
