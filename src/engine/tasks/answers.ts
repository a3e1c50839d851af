import { differencesOf, type KeyRules } from '../../formats/description.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { isPart, type SegmentRange } from '../../sizing/share.ts';
import { type AnswerDigests, type Digests, VISIT_LIMIT } from '../input/digests.ts';
import { isWhole } from '../input/key-selection.ts';
import { looksUpSeveral } from '../input/key-variants.ts';
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

/**
 * Digests that may wait for a segment that several filters visit together. The smaller number is for filters after a reload, where digests
 * come a few at a time.
 */
const SEVERAL_DIGESTS = VISIT_LIMIT;
const FEW_DIGESTS = 2 ** 10;

/** The same when matching keys are looked up again: there are few for each of many segments. */
const FEW_KEYS = 2 ** 7;

/** Memory for the matches of a batch in several filters, in bytes. */
const ROWS_BYTES = 2 ** 26;

/**
 * Records that are answered in one batch. Several filters do not stay in the cache until the next batch, so a larger batch pays for loading
 * them again.
 */
export function recordsTogether(filters: readonly TestedFilter[]): number {
  const ofOne = batchRecords(Math.max(...filters.map(({ filter }) => filter.range.count)));
  return filters.length === 1 ? ofOne : Math.ceil(Math.min(2 * ofOne, ROWS_BYTES / filters.length));
}

/** The answers of filters for keys. */
export interface BatchAnswers {
  readonly rules: readonly KeyRules[];
  /** Accepts digests of keys, whose owners are the indices of the keys. */
  digests(digests: Digests, rule: number): void;
  /** Shows the answers for `count` keys; each key is treated like a record of a batch. */
  conclude(count: number, show: (answered: AnsweredBatch) => void): void;
}

/** The answers of filters for the records of batches. */
export interface RecordAnswers extends Pick<Consumer, 'keys' | 'lastKeys'> {
  /** The rules that make digests of keys. Digests go to `keys` and `lastKeys` with the index of their rules. */
  readonly rules: readonly KeyRules[];
  /** Records per batch, at most. */
  readonly recordLimit: number;
  /** How keys are answered before their records, for each of the rules; only networks need this. */
  readonly answered: readonly (AnswerDigests | undefined)[];
  /** Queries these filters from now on instead of the filters before, while no keys wait. Filters keep their numbers. */
  turn(filters: readonly SharedStore[]): Promise<void>;
  /** Begins the next input, and ends it after its last record; only known answers differ from input to input. */
  beginInput?(): void;
  endInput?(): void;
  /** Ends a batch after all of its keys were visited: prints it with its answers. */
  conclude(batch: RecordBatch, print: (batch: AnsweredBatch) => void): void;
  /** Records that are maybe present, and unanswered records, whose keys belong to other parts of a filter. */
  counts(): Pick<Tally, 'positives' | 'elsewhere' | 'each'>;
  /** The errors of individual filters among several. The error of a single filter is thrown instead. */
  faults(): readonly Fault[];
  /** The same for keys, if the matching keys are wanted. */
  readonly ofKeys: BatchAnswers | undefined;
}

/** How a thread queries filters. */
export async function createAnswers({ kernel, threadIndex }: ThreadContext, spec: TestSpec): Promise<RecordAnswers> {
  const { filters, selection, combination, print, stopAt } = spec;
  // If a record is its only key and the matching filter is not wanted, only the number of hits matters.
  const isOnlyCounted = print === undefined && combination.named === 'none' && filters.length === 1;
  const isKeyEach = isWhole(selection) && !looksUpSeveral(filters.map(({ rules }) => rules));
  const countsKeys = (isKeyEach || spec.countsKeys === true) && isOnlyCounted;
  const recordLimit = countsKeys && stopAt === undefined ? NO_LIMIT : recordsTogether(filters);
  const notes = countsKeys ? createCount(kernel) : createMatches(kernel, spec, recordLimit);
  const { rules, numbers } = distinctRules(filters);
  const faults = createFaults();
  const open = async (filter: SharedStore, number: number): Promise<OpenFilter> => {
    const { test, expect } = await openStore(filter, kernel, threadIndex);
    const guarded = filters.length === 1 ? test : faults.guarded(number, test);
    return { filter, number, rule: numbers[number] ?? 0, test: guarded, expect };
  };
  let opened = await Promise.all(filters.map(({ filter }, number) => open(filter, number)));
  const lookups = createLookups(kernel, notes);
  lookups.turn(opened, filters.length === 1 ? undefined : SEVERAL_DIGESTS);
  const found =
    print?.keys === undefined && print?.colours === undefined
      ? undefined
      : createLookups(kernel, createMatches(kernel, ofKeys(spec), VISIT_LIMIT));
  found?.turn(opened, FEW_KEYS);
  const first = createFirstAnswers(kernel, spec, rules);
  first?.turn(opened);
  return {
    ...lookups,
    rules,
    recordLimit,
    answered: first?.answered ?? [],
    async turn(newer) {
      opened = await Promise.all(
        opened.map((before) => {
          const filter = newer[before.number];
          return filter === undefined || filter === before.filter ? before : open(filter, before.number);
        }),
      );
      lookups.turn(opened, FEW_DIGESTS);
      found?.turn(opened, FEW_KEYS);
      first?.turn(opened);
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
 * The specification for keys. A key matches if any filter has it, even if a record must be in all filters. If absent records are printed, a
 * key is shown if any of the needed filters does not have it.
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

/** Segments of filters that answer keys before their records, at most. Each has memory for keys that wait. */
const MOST_SEGMENTS = 2 ** 10;

/** Whether filters can answer keys before their records: they are complete, and not on a server, where each answer takes a while. */
function answerAtOnce(opened: readonly OpenFilter[]): boolean {
  return opened.every(({ filter: { range }, expect }) => {
    return !isPart(range) && range.count <= MOST_SEGMENTS && expect === undefined;
  });
}

/**
 * Answers for keys before their records, by each of the rules that need them. Undefined if none does, and for several filters: a block that
 * one of them has says nothing about the others, and each of them answers for itself.
 */
function createFirstAnswers(kernel: Kernel, spec: TestSpec, rules: readonly KeyRules[]) {
  if (spec.filters.length > 1 || !rules.some(({ lookup }) => lookup === 'blocks')) return undefined;
  const combination: TestSpec['combination'] = { needed: 'any', named: 'none' };
  const selection = { ...spec.selection, needsAll: false };
  const lookups = createLookups(kernel, createMatches(kernel, { ...spec, combination, selection }, VISIT_LIMIT));
  let turns = 0;
  let areReady = false;
  const answersBy = (rule: number): AnswerDigests => ({
    hits(digests, to) {
      lookups.lastKeys({ ...digests, recordsBefore: 0 }, rule);
      lookups.conclude({ count: digests.count, start: 0, ends: 0 }, ({ matches }) => to(matches));
    },
    version: () => (areReady ? turns : undefined),
  });
  return {
    answered: rules.map(({ lookup }, rule) => (lookup === 'blocks' ? answersBy(rule) : undefined)),
    turn(opened: readonly OpenFilter[]) {
      turns++;
      areReady = answerAtOnce(opened);
      if (areReady) lookups.turn(opened, FEW_KEYS);
    },
  };
}

/** Distributes digests to filters, whose answers are noted. */
interface Lookups extends Pick<RecordAnswers, 'keys' | 'lastKeys' | 'conclude'> {
  /** Queries these filters from now on, while no keys wait. */
  turn(opened: readonly OpenFilter[], limit?: number): void;
}

function createLookups(kernel: Kernel, notes: NotedAnswers): Lookups {
  const visitsFor = createSharedVisits(kernel, notes);
  let all: readonly SharedVisits[] = [];
  return {
    turn(opened, limit) {
      all = visitsTo(opened, visitsFor, limit);
    },
    keys(digests, rule) {
      for (const shared of all) if (shared.rule === rule) shared.visits.take(shared.keep(digests));
    },
    lastKeys(digests, rule) {
      for (const shared of all) if (shared.rule === rule) shared.visits.takeLast(shared.keep(digests));
    },
    conclude(batch, printBatch) {
      for (const { leave, filters } of all)
        leave(new Set(filters.map(({ number }) => notes.rowOf(number))), batch.count);
      notes.conclude(batch, printBatch);
    },
  };
}

/** A filter that is queried, with its number and the index of its rules. */
interface OpenFilter extends Pick<OpenStore, 'test' | 'expect'> {
  readonly filter: SharedStore;
  readonly number: number;
  readonly rule: number;
}

/** The visits of digests by some rules to a range of segments; several filters can share them. */
interface SharedVisits extends OwnedKeeper {
  readonly rule: number;
  readonly visits: SegmentVisits;
  filters: readonly OpenFilter[];
}

/** Finds the visits for a filter's segments. */
type VisitsFor = (rule: number, range: SegmentRange, limit: number | undefined) => SharedVisits;

/** The visits are kept for reuse, because a kernel never releases memory. */
function createSharedVisits(kernel: Kernel, notes: NotedAnswers): VisitsFor {
  const all = new Map<string, SharedVisits>();
  return (rule, range, limit) => {
    const name = JSON.stringify([rule, range]);
    const known = all.get(name);
    if (known !== undefined) return known;
    const visit = (segment: number, digests: Digests) => {
      for (const { number, test } of shared.filters) notes.note(number, test, segment, digests);
    };
    const expect = (segments: () => readonly number[]) => {
      for (const filter of shared.filters) filter.expect?.(segments);
    };
    const visits = createSegmentVisits(kernel, range, notes.areOwned, visit, { limit, expect });
    const shared: SharedVisits = { ...notes.keeperOf(range), rule, visits, filters: [] };
    all.set(name, shared);
    return shared;
  };
}

/** The visits of filters; each filter has one. */
function visitsTo(opened: readonly OpenFilter[], visitsFor: VisitsFor, limit?: number): SharedVisits[] {
  const filtersOf = new Map<SharedVisits, OpenFilter[]>();
  for (const one of opened) {
    const shared = visitsFor(one.rule, one.filter.range, limit);
    filtersOf.set(shared, [...(filtersOf.get(shared) ?? []), one]);
  }
  for (const [shared, filters] of filtersOf) shared.filters = filters;
  return [...filtersOf.keys()];
}

/** The distinct rules of filters, and for each filter the index of its rules. */
function distinctRules(filters: readonly TestedFilter[]) {
  const rules: KeyRules[] = [];
  const numbers = filters.map(({ rules: own }) => {
    const known = rules.findIndex((other) => differencesOf(own, other).length === 0);
    return known < 0 ? rules.push(own) - 1 : known;
  });
  return { rules, numbers };
}
