import { differencesOf, type KeyRules } from '../../formats/description.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { SegmentRange } from '../../sizing/share.ts';
import { type Digests, VISIT_LIMIT } from '../input/digests.ts';
import { isWhole } from '../input/key-selection.ts';
import { type AnsweredBatch, type Consumer, NO_LIMIT, type RecordBatch } from '../input/scanning.ts';
import type { OwnedKeeper } from '../store/range-keeper.ts';
import { createSegmentVisits, type SegmentVisits } from '../store/segment-visits.ts';
import { openStore, type SharedStore } from '../store/store.ts';
import type { OpenStore } from '../store/store-access.ts';
import { createFaults, type Fault } from './faults.ts';
import { WANTED } from './line-style.ts';
import { createCount, createMatches, type NotedAnswers } from './noted-answers.ts';
import { batchRecords } from './output.ts';
import type { Tally } from './tally.ts';
import type { TestedFilter, TestSpec } from './task.ts';
import type { ThreadContext } from './thread-context.ts';

/** Most digests that wait for a segment that several filters have, each in its place; and where they come a few at a time. */
const SEVERAL_DIGESTS = VISIT_LIMIT;
const FEW_DIGESTS = 2 ** 10;

/** The same where keys are found once more, of which there are few for each of many segments. */
const FEW_KEYS = 2 ** 7;

/** Bytes that say which of several filters have which records of a batch, at most. */
const ROWS_BYTES = 2 ** 26;

/**
 * Most records that filters are asked about together. Several of them do not stay in the cache until the next batch: more of it then pays
 * for bringing them there.
 */
export function recordsTogether(filters: readonly TestedFilter[]): number {
  const ofOne = batchRecords(Math.max(...filters.map(({ filter }) => filter.range.count)));
  return filters.length === 1 ? ofOne : Math.ceil(Math.min(2 * ofOne, ROWS_BYTES / filters.length));
}

/** What filters say of keys. */
export interface BatchAnswers {
  readonly rules: readonly KeyRules[];
  /** Takes digests of keys, whose owners are the numbers of the keys. */
  digests(digests: Digests, rule: number): void;
  /** Shows what is said of so many keys, as of the records of a batch. */
  conclude(count: number, show: (answered: AnsweredBatch) => void): void;
}

/** What filters say of the records of batches. */
export interface RecordAnswers extends Pick<Consumer, 'keys' | 'lastKeys'> {
  /** What makes digests of keys; those by each of these go to `keys` and `lastKeys` with its number. */
  readonly rules: readonly KeyRules[];
  /** Records of a batch, at most. */
  readonly recordLimit: number;
  /** Asks these filters from now on, in the places of those before, while no keys wait. */
  turn(filters: readonly SharedStore[]): Promise<void>;
  /** Ends a batch, all of whose keys were visited: lets it be printed with its answers. */
  conclude(batch: RecordBatch, print: (batch: AnsweredBatch) => void): void;
  /** Records that may be in the set, and those that have no answer, as their keys belong to other parts of a filter. */
  counts(): Pick<Tally, 'positives' | 'elsewhere' | 'each'>;
  /** What is wrong with some of several filters: of one that is asked alone it is thrown. */
  faults(): readonly Fault[];
  /** The same of some keys, where it is wanted which ones filters have. */
  readonly ofKeys: BatchAnswers | undefined;
}

/** How a thread gets at filters that it asks. */
export async function createAnswers({ kernel, threadIndex }: ThreadContext, spec: TestSpec): Promise<RecordAnswers> {
  const { filters, selection, combination, print, stopAt } = spec;
  // Where a record is its only key and nobody asks which one it was, the number of hits is all there is to know.
  const isOnlyCounted = print === undefined && combination.named === 'none' && filters.length === 1;
  const countsKeys = (isWhole(selection) || spec.countsKeys === true) && isOnlyCounted;
  const recordLimit = countsKeys && stopAt === undefined ? NO_LIMIT : recordsTogether(filters);
  const notes = countsKeys ? createCount(kernel) : createMatches(kernel, spec, recordLimit);
  const { rules, numbers } = distinctRules(filters);
  const faults = createFaults();
  const open = async (filter: SharedStore, number: number): Promise<OpenFilter> => {
    const { test } = await openStore(filter, kernel, threadIndex);
    const guarded = filters.length === 1 ? test : faults.guarded(number, test);
    return { filter, number, rule: numbers[number] ?? 0, test: guarded };
  };
  let opened = await Promise.all(filters.map(({ filter }, number) => open(filter, number)));
  const asking = createAsking(kernel, notes);
  asking.turn(opened, filters.length === 1 ? undefined : SEVERAL_DIGESTS);
  const found =
    print?.keys === undefined && print?.colours === undefined
      ? undefined
      : createAsking(kernel, createMatches(kernel, ofKeys(spec), VISIT_LIMIT));
  found?.turn(opened, FEW_KEYS);
  return {
    ...asking,
    rules,
    recordLimit,
    async turn(newer) {
      opened = await Promise.all(
        opened.map((before) => {
          const filter = newer[before.number];
          return filter === undefined || filter === before.filter ? before : open(filter, before.number);
        }),
      );
      asking.turn(opened, FEW_DIGESTS);
      found?.turn(opened, FEW_KEYS);
    },
    counts: notes.counts,
    faults: faults.found,
    ofKeys: found && {
      rules,
      digests: found.lastKeys,
      conclude: (count, show) => found.conclude({ count, start: 0, ends: 0 }, show),
    },
  };
}

/**
 * A key is found where any filter has it, also where a record is selected only if all of them have one of its keys. Where the others are
 * selected it is missed if any filter has it not.
 */
function ofKeys({ print, combination, ...spec }: TestSpec): TestSpec {
  const needed = print?.wanted === WANTED.absent ? combination.needed : 'any';
  return {
    ...spec,
    print,
    selection: { ...spec.selection, needsAll: false },
    combination: { ...combination, needed },
  };
}

/** Brings digests to filters, whose answers are noted. */
interface Asking extends Pick<RecordAnswers, 'keys' | 'lastKeys' | 'conclude'> {
  /** Asks these from now on, while no keys wait. */
  turn(opened: readonly OpenFilter[], limit?: number): void;
}

function createAsking(kernel: Kernel, notes: NotedAnswers): Asking {
  const wayTo = createWays(kernel, notes);
  let ways: readonly Way[] = [];
  return {
    turn(opened, limit) {
      ways = waysTo(opened, wayTo, limit);
    },
    keys(digests, rule) {
      for (const way of ways) if (way.rule === rule) way.visits.take(way.keep(digests));
    },
    lastKeys(digests, rule) {
      for (const way of ways) if (way.rule === rule) way.visits.takeLast(way.keep(digests));
    },
    conclude(batch, printBatch) {
      for (const { leave, asked } of ways) leave(new Set(asked.map(({ number }) => notes.rowOf(number))), batch.count);
      notes.conclude(batch, printBatch);
    },
  };
}

/** A filter that is asked, by its number, about digests by rules of a number. */
interface OpenFilter extends Pick<OpenStore, 'test'> {
  readonly filter: SharedStore;
  readonly number: number;
  readonly rule: number;
}

/** The way of digests by some rules to some segments, which filters may have in common. */
interface Way extends OwnedKeeper {
  readonly rule: number;
  readonly visits: SegmentVisits;
  asked: readonly OpenFilter[];
}

/** Finds the way to the segments of a filter. */
type WayTo = (rule: number, range: SegmentRange, limit: number | undefined) => Way;

/** Keeps ways, as a kernel gives no memory back. */
function createWays(kernel: Kernel, notes: NotedAnswers): WayTo {
  const ways = new Map<string, Way>();
  return (rule, range, limit) => {
    const name = JSON.stringify([rule, range]);
    const known = ways.get(name);
    if (known !== undefined) return known;
    const visit = (segment: number, digests: Digests) => {
      for (const { number, test } of way.asked) notes.note(number, test, segment, digests);
    };
    const visits = createSegmentVisits(kernel, range, notes.areOwned, visit, limit);
    const way: Way = { ...notes.keeperOf(range), rule, visits, asked: [] };
    ways.set(name, way);
    return way;
  };
}

/** The ways to filters, each of which has one. */
function waysTo(opened: readonly OpenFilter[], wayTo: WayTo, limit?: number): Way[] {
  const asked = new Map<Way, OpenFilter[]>();
  for (const one of opened) {
    const way = wayTo(one.rule, one.filter.range, limit);
    asked.set(way, [...(asked.get(way) ?? []), one]);
  }
  for (const [way, filters] of asked) way.asked = filters;
  return [...asked.keys()];
}

/** The rules of filters, each once, and for each filter the number of its own. */
function distinctRules(filters: readonly TestedFilter[]) {
  const rules: KeyRules[] = [];
  const numbers = filters.map(({ rules: own }) => {
    const known = rules.findIndex((other) => differencesOf(own, other).length === 0);
    return known < 0 ? rules.push(own) - 1 : known;
  });
  return { rules, numbers };
}
