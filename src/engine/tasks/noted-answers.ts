import { sum } from '../../filters/kind.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { SegmentRange } from '../../sizing/share.ts';
import { type Digests, VISIT_LIMIT } from '../input/digests.ts';
import type { AnsweredBatch, RecordBatch } from '../input/scanning.ts';
import { createOwnedKeeper, createRangeKeeper, type OwnedKeeper, type RangeKeeper } from '../store/range-keeper.ts';
import type { OpenStore } from '../store/store-access.ts';
import type { Tally } from './tally.ts';
import type { KnownAnswers, TestSpec } from './task.ts';

/** Collects the answers of filters. */
export interface NotedAnswers {
  /** The owners of digests are needed. */
  readonly areOwned: boolean;
  /** Returns the function that keeps the digests of a range of segments. */
  keeperOf(range: SegmentRange): OwnedKeeper;
  /** Tests digests of a segment in a filter, given by its number, and notes the answers. */
  note(filter: number, test: OpenStore['test'], segment: number, digests: Digests): void;
  /** The address of a filter's answers for records; the same address for all filters if they are not told apart. */
  rowOf(filter: number): number;
  /** Notes the known answers of the first `records` records of a batch; `from` is the number of the first one. */
  known(answers: KnownAnswers, from: number, records: number): void;
  /** Ends a batch; its answers are valid until the function returns. */
  conclude(batch: RecordBatch, print: (batch: AnsweredBatch) => void): void;
  counts(): Pick<Tally, 'positives' | 'elsewhere' | 'each'>;
}

/** Counts the keys that are maybe present in a filter, whatever their records. */
export function createCount(kernel: Kernel): NotedAnswers {
  const hits = kernel.reserve(VISIT_LIMIT);
  const keepers: RangeKeeper[] = [];
  let positives = 0;
  return {
    areOwned: false,
    keeperOf(range) {
      const keeper = createRangeKeeper(kernel, range);
      keepers.push(keeper);
      return { keep: keeper.keep, leave: () => {} };
    },
    note(_, test, segment, digests) {
      positives += test(segment, digests, hits);
    },
    rowOf: () => 0,
    known: () => {},
    conclude: () => {},
    counts: () => ({ positives, elsewhere: sum(keepers.map(({ dropped }) => dropped())) }),
  };
}

/** The number of rows: if filters are distinguished, each has a row; otherwise one row serves all. */
export function rowsOf({
  filters,
  combination,
  selection,
}: Pick<TestSpec, 'filters' | 'combination' | 'selection'>): number {
  const { needed, named } = combination;
  const areOne = needed === 'any' && named === 'none' && (!selection.needsAll || filters.length === 1);
  return areOne ? 1 : filters.length;
}

/** Rows begin at multiples of this, because a kernel reads many bytes at once. */
const ALIGNMENT = 64;

/** Notes matches of records, in batches of at most `recordLimit`: one byte per record, in the rows of `rowsOf`. */
export function createMatches(kernel: Kernel, spec: TestSpec, recordLimit: number): NotedAnswers {
  const { filters, combination, selection } = spec;
  const { exports: entries } = kernel;
  const { needed, named } = combination;
  const all = selection.needsAll ? createMissing(kernel, recordLimit) : undefined;
  const count = rowsOf(spec);
  const areOne = count === 1;
  const stride = Math.ceil(recordLimit / ALIGNMENT) * ALIGNMENT;
  const rows = kernel.reserve(stride * count);
  const matches = count === 1 ? rows : kernel.reserve(stride);
  const hits = kernel.reserve(VISIT_LIMIT);
  const combine = needed === 'all' ? entries.combineAll : entries.combineAny;
  const rowOf = (filter: number) => rows + (areOne ? 0 : stride * filter);
  const each = Array.from({ length: named === 'none' ? 0 : count }, () => 0);
  let positives = 0;
  let elsewhere = 0;
  return {
    areOwned: true,
    keeperOf: (range) => createOwnedKeeper(kernel, range, recordLimit),
    note(filter, test, segment, digests) {
      const { count, owners, firstOwner } = digests;
      const row = rowOf(filter);
      if (all !== undefined) {
        test(segment, digests, hits);
        all.collect(hits, digests, row);
        return;
      }
      if (owners === 0 && filters.length === count) {
        test(segment, digests, row + firstOwner);
        return;
      }
      if (test(segment, digests, hits) === 0) return;
      if (owners === 0) entries.orInto(row + firstOwner, hits, count);
      else entries.collectHits(hits, owners, count, row);
    },
    rowOf,
    known({ marks, keyed }, from, records) {
      for (let i = 0; i < count; i++) spread(marks[i], from, kernel.bytes(rowOf(i), records));
      if (all !== undefined) spread(keyed, from, kernel.bytes(all.keyed, records));
    },
    conclude(batch, print) {
      const { count: records } = batch;
      if (all !== undefined) for (let i = 0; i < count; i++) all.conclude(rowOf(i), records);
      if (count > 1) combine(rows, stride, count, records, matches);
      if (named === 'first') entries.keepFirst(rows, stride, count, records);
      positives += entries.countMatches(matches, records);
      elsewhere += entries.countUnanswered(matches, records);
      for (const i of each.keys()) each[i] = (each[i] ?? 0) + entries.countMatches(rowOf(i), records);
      print({ ...batch, matches, rows: { address: rows, stride } });
      for (let i = 0; i < count; i++) entries.clear(rowOf(i), records);
      all?.clear(records);
    },
    counts: () => ({ positives, elsewhere, ...(named !== 'none' && { each: [...each] }) }),
  };
}

/** Notes the records with a missing key, if all keys of a record are needed. */
function createMissing({ exports: entries, reserve }: Kernel, recordLimit: number) {
  const keyed = reserve(recordLimit);
  const lacking = reserve(recordLimit);
  entries.configureLacking(lacking);
  return {
    keyed,
    /** Notes in a row the records of which a filter does not have all keys. */
    collect(hits: number, { owners, count }: Digests, row: number) {
      entries.collectMissing(hits, owners, count, row, keyed);
    },
    /** Turns the row into a row of matches. */
    conclude(row: number, records: number) {
      entries.withoutMissing(row, keyed, lacking, records);
    },
    clear(records: number) {
      entries.clear(keyed, records);
      entries.clear(lacking, records);
    },
  };
}

/** Turns bits from number `from` on into bytes. */
function spread(bits: Uint32Array = new Uint32Array(), from: number, bytes: Uint8Array): void {
  for (let i = 0; i < bytes.length; i++) {
    const number = from + i;
    bytes[i] = ((bits[Math.floor(number / 32)] ?? 0) >>> (number & 31)) & 1;
  }
}
