import type { Filter, Shape } from '../filters/kind.ts';
import type { KeyRules } from '../format/header.ts';
import type { ByteSource } from '../io/source.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { isWhole, type KeySelection } from './keys.ts';
import { createScanner, NO_LIMIT, type RecordBatch, type Scanner } from './scanner.ts';
import { createSegmentVisits, type Digests, VISIT_LIMIT } from './segment-visits.ts';

export interface QueryRequest {
  readonly kernel: Kernel;
  readonly filter: Filter;
  readonly shape: Shape;
  readonly address: number;
  readonly rules: KeyRules;
  readonly selection: KeySelection;
  /** Sees to it that a segment is in memory, where not all are from the start. */
  readonly bring?: (segment: number) => void;
}

/** Records and how many of them may be in the set. */
export interface Tally {
  readonly records: number;
  readonly positives: number;
}

/** Records of a batch with their answers: a byte each, 1 or 0, at `matches`. */
export interface AnsweredBatch extends RecordBatch {
  readonly matches: number;
}

/** Who takes the answers. Without `records` they are only counted. */
export interface AnswerConsumer {
  records?(batch: AnsweredBatch): void;
  idle?(): void;
  /** Called after every batch. */
  answered?(tally: Tally): void;
}

export interface Query {
  readonly scanner: Scanner;
  /** What was asked and found so far. */
  tally(): Tally;
}

/** Records of a batch: a filter in the cache should find them there too; a larger one needs company for each key. */
const SMALL_BATCH = 2 ** 14;
const LARGE_BATCH = 2 ** 21;
const RECORDS_PER_SEGMENT = 2 ** 13;

function batchRecords({ segments }: Shape): number {
  return segments === 1 ? SMALL_BATCH : Math.min(LARGE_BATCH, RECORDS_PER_SEGMENT * segments);
}

/** Sets up the way from bytes to answers. */
export function createQuery(request: QueryRequest, consumer: AnswerConsumer): Query {
  const { kernel, filter, shape, address, rules, selection, bring } = request;
  const { run } = kernel;
  const keepRecords = consumer.records !== undefined;
  // Where a record is its only key and nobody asks which one it was, the number of hits is all there is to know.
  const countsKeys = isWhole(selection) && !keepRecords;
  const recordLimit = countsKeys ? NO_LIMIT : batchRecords(shape);
  const hits = kernel.reserve(VISIT_LIMIT);
  const matches = countsKeys ? 0 : kernel.reserve(recordLimit);
  let positives = 0;
  let records = 0;

  const visit = (digests: Digests) => {
    if (countsKeys) positives += filter.test(digests.address, digests.count, hits);
    else if (digests.owners === 0) filter.test(digests.address, digests.count, matches + digests.firstOwner);
    else {
      filter.test(digests.address, digests.count, hits);
      run.collectHits(hits, digests.owners, digests.count, matches);
    }
  };
  const visits = createSegmentVisits(kernel, shape, address, !countsKeys, visit, bring);
  const scanner = createScanner(
    kernel,
    { selection, rules, recordLimit, keepRecords },
    {
      keys: visits.take,
      lastKeys: visits.takeLast,
      records(batch) {
        records += batch.count;
        if (!countsKeys) positives += run.countMatches(matches, batch.count);
        consumer.records?.({ ...batch, matches });
        consumer.answered?.({ records, positives });
        if (!countsKeys) kernel.bytes(matches, batch.count).fill(0);
      },
      idle: () => consumer.idle?.(),
    },
  );
  return { scanner, tally: () => ({ records, positives }) };
}

/** Counts the records of one source that may be in the set. */
export async function countMatches(request: QueryRequest, source: ByteSource): Promise<Tally> {
  const query = createQuery(request, {});
  await query.scanner.scan(source);
  query.scanner.settle();
  return query.tally();
}
