import type { Filter, Shape } from '../filters/kind.ts';
import type { KeyRules } from '../format/header.ts';
import type { ByteSource } from '../io/source.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { batchKeys, createBatches } from './batches.ts';
import { isWhole, type KeySelection } from './keys.ts';
import { createScanner, type RecordBatch, type Scanner } from './scanner.ts';

export interface QueryRequest {
  readonly kernel: Kernel;
  readonly filter: Filter;
  readonly shape: Shape;
  readonly address: number;
  readonly rules: KeyRules;
  readonly selection: KeySelection;
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

/** Keys of a batch for a filter that lies in the cache anyway: the records stay there too. */
const CACHED_BATCH = 2 ** 14;

/** Sets up the way from bytes to answers. */
export function createQuery(request: QueryRequest, consumer: AnswerConsumer): Query {
  const { kernel, filter, shape, address, rules, selection } = request;
  const { run } = kernel;
  const keyLimit = shape.segments === 1 ? CACHED_BATCH : batchKeys(shape);
  const keepRecords = consumer.records !== undefined;
  // Where a record is its only key and nobody asks which one it was, the number of hits is all there is to know.
  const countsKeys = isWhole(selection) && !keepRecords;
  const batches = createBatches(kernel, shape, address, {
    digests: kernel.reserve(8 * keyLimit),
    owners: countsKeys ? 0 : kernel.reserve(4 * keyLimit),
  });
  const hits = kernel.reserve(keyLimit);
  const matches = kernel.reserve(keyLimit);
  let positives = 0;
  let records = 0;

  const scanner = createScanner(
    kernel,
    { selection, rules, keyLimit, keepRecords },
    {
      keys(digests, owners, count) {
        batches.visit(digests, owners, count, (part, partOwners, size) => {
          if (countsKeys) positives += filter.test(part, size, hits);
          else if (partOwners === 0) filter.test(part, size, matches);
          else {
            filter.test(part, size, hits);
            run.collectHits(hits, partOwners, size, matches);
          }
        });
      },
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
