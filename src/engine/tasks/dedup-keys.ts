import { UnreadableInput } from '../../errors.ts';
import { type Sink, sinkFor } from '../../io/sink.ts';
import { type Digests, NO_DIGESTS } from '../input/digests.ts';
import { createScanner } from '../input/scanner.ts';
import type { Scanner } from '../input/scanning.ts';
import { type LineStyle, type Selected, WANTED } from './line-style.ts';
import { isOneOfMany, type MemoryOfKeys, openMemory } from './memory-of-keys.ts';
import { createOrder } from './order.ts';
import { openOutput, orderedBatchRecords, type RecordOutput } from './output.ts';
import { minus, type Tally } from './tally.ts';
import type { DedupSpec, SourcePart, Task } from './task.ts';
import type { ThreadContext } from './thread-context.ts';

/** Records without a lead. */
const PLAIN: Omit<LineStyle, 'wanted'> = { tag: false, named: false, numbered: false, json: false };

/** Selects records by whether their keys were seen before, and prints them in their order. */
export function openDedup(context: ThreadContext, spec: DedupSpec, sink: Sink = sinkFor(spec.into)): Task {
  const wanted = spec.selects === 'known' || isOneOfMany(spec) ? WANTED.present : WANTED.absent;
  const print = spec.prints ? { ...PLAIN, wanted } : undefined;
  const output = openOutput(context, { print, selection: spec.selection, stopAt: undefined }, sink);
  const { begin, scan, conclude, tally, answered, levels } = openLookups(context, spec, wanted, output);
  return {
    async scan(source, part, onRead) {
      const before = tally();
      output.start(part);
      begin(part);
      const end = (isCutOff: boolean) => {
        conclude(isCutOff);
        output.flush();
        output.end(isCutOff);
      };
      try {
        await scan(source, onRead);
      } catch (error) {
        if (error instanceof UnreadableInput) end(true);
        else output.flush();
        throw error;
      }
      end(false);
      return minus(tally(), before);
    },
    finish: () => ({ type: 'dedup', ...tally(), answered: answered(), levels: levels() }),
  };
}

/** Looks up the keys of records, part by part, and prints the records with their answers. */
interface Lookups extends Pick<MemoryOfKeys, 'levels'> {
  begin(part: SourcePart): void;
  scan: Scanner['scan'];
  /** Answers the rest of the part. Other threads can then go on while this thread prints. */
  conclude(isCutOff: boolean): void;
  tally(): Tally;
  /** Records that were answered. */
  answered(): number;
}

function openLookups(
  context: ThreadContext,
  spec: DedupSpec,
  wanted: Selected,
  { print, flush }: Pick<RecordOutput, 'print' | 'flush'>,
): Lookups {
  const { kernel } = context;
  const { exports } = kernel;
  const recordLimit = orderedBatchRecords(spec);
  const matches = kernel.reserve(recordLimit);
  let settled = 0;
  const { take, takeLast, pausing, levels } = openMemory(
    context,
    spec,
    matches,
    (record) => spec.recordsBefore + settled + record - scanner.commentsBefore(record),
  );
  const order = createOrder(kernel, { digestBytes: 8, limit: recordLimit }, take);
  let [records, keys, positives, held] = [0, 0, 0, 0];
  let counts = true;
  let ending: { readonly isCutOff: boolean } | undefined;
  const hold = (digests: Digests) => {
    held += digests.count;
    order.take(digests);
  };
  const scanner = createScanner(
    kernel,
    { selection: spec.selection, rules: [spec.rules], recordLimit, keepRecords: true },
    {
      keys: hold,
      lastKeys(digests) {
        hold(digests);
        counts = order.release();
        takeLast(NO_DIGESTS);
        if (counts) keys += held;
        held = 0;
        if (ending !== undefined) order.end(ending.isCutOff);
      },
      records(batch) {
        const present = exports.countMatches(matches, batch.count);
        const count = batch.count - scanner.commentsBefore(batch.count);
        settled += count;
        exports.unmatchSkipped(batch.start, batch.count, matches);
        if (counts) records += count;
        if (counts) positives += wanted === WANTED.present ? present : count - present;
        print({ ...batch, matches });
        exports.clear(matches, batch.count);
      },
      idle() {
        scanner.endBatch();
        flush();
      },
    },
  );
  return {
    levels,
    begin: order.begin,
    scan: (source, onRead) =>
      scanner.scan(
        pausing(source, () => spec.recordsBefore + scanner.tally().records),
        onRead,
      ),
    conclude(isCutOff) {
      ending = { isCutOff };
      scanner.endBatch();
      ending = undefined;
    },
    tally: () => ({ records, keys, positives, elsewhere: 0 }),
    answered: () => settled,
  };
}
