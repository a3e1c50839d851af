import type { KeyRules } from '../formats/description.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { segmentOf } from '../sizing/share.ts';
import { type Asked, type AskedFilter, askedRange } from './filter/asked-filter.ts';
import { createOwnedKeeper } from './filter/range-keeper.ts';
import { createSegmentVisits } from './filter/segment-visits.ts';
import { type Digests, NO_DIGESTS, VISIT_LIMIT } from './input/digests.ts';
import type { Key, KeyDigests } from './input/given-keys.ts';
import { createDigestTest, type KeyTest, keyTestOf } from './one-key.ts';
import { batchRecords } from './tasks/output.ts';

/** What a filter says of keys that a program gives. A key of which only another part of the filter knows may be there. */
export interface KeyAnswers {
  has(key: Key): boolean;
  /** Whether it has each of many keys, in their order: segment by segment, which is sooner than one after the other. */
  hasMany(keys: Iterable<Key>): boolean[];
}

/** A thread's way to ask a filter about keys, under the rules by which it was made. */
export function createKeyAnswers(
  kernel: Kernel,
  filter: AskedFilter,
  asked: Asked,
  keys: KeyDigests,
  rules: KeyRules,
): KeyAnswers {
  const has = createAskingOne(kernel, filter, asked, keys);
  const openKeyTest = 'payload' in filter ? keyTestOf(filter, rules) : undefined;
  let testKey: KeyTest | undefined;
  let askMany: ((keys: Iterable<Key>) => boolean[]) | undefined;
  return {
    has(key) {
      const answer = testKey?.(key);
      if (answer !== undefined) return answer;
      testKey ??= openKeyTest?.();
      return has(key);
    },
    hasMany(many) {
      askMany ??= createAskingMany(kernel, filter, asked, keys);
      try {
        return askMany(many);
      } catch (error) {
        // What came before the error is none of the next keys.
        keys.take(0);
        askMany = undefined;
        throw error;
      }
    },
  };
}

/** Asks about one key, by its digest. */
function createAskingOne(kernel: Kernel, filter: AskedFilter, { test }: Asked, { digestOne, one }: KeyDigests) {
  const range = askedRange(filter);
  const { word, halves } = one;
  const hit = kernel.reserve(1);
  const hasSlices = !('payload' in filter) || filter.payload.shape.chain !== undefined;
  const testDigest = hasSlices ? (column: number) => test(column, one, hit) > 0 : createDigestTest(filter, kernel);
  return (key: Key): boolean => {
    if (!digestOne(key)) return false;
    const column = segmentOf(range, halves[1] ?? 0);
    return column === undefined || testDigest(column, word);
  };
}

/** Asks about keys in batches: those of a segment together, once there are enough of them. */
function createAskingMany(kernel: Kernel, filter: AskedFilter, { test }: Asked, keys: KeyDigests) {
  const { collectHits, clear } = kernel.exports;
  const range = askedRange(filter);
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
  return (many: Iterable<Key>): boolean[] => {
    // What is known to be long is not to be copied as it grows.
    const found: boolean[] = Array.isArray(many) ? new Array(many.length) : [];
    let concluded = 0;
    let count = 0;
    /** Numbers of keys that are no values of their type. */
    const none: number[] = [];
    const conclude = () => {
      visits.takeLast(NO_DIGESTS);
      leave([matches], count);
      for (const key of none.splice(0)) answers[key] = 0;
      for (let i = 0; i < count; i++) found[concluded++] = answers[i] !== 0;
      clear(matches, count);
      count = 0;
    };
    const hand = () => {
      const digests: Digests = keys.take(count);
      for (const key of keys.without()) none.push(count + key);
      count += digests.count;
      visits.take(keep(digests));
      if (count + VISIT_LIMIT > limit) conclude();
    };
    for (const key of many) {
      if (keys.put(key)) continue;
      hand();
      keys.put(key);
    }
    hand();
    conclude();
    found.length = concluded;
    return found;
  };
}
