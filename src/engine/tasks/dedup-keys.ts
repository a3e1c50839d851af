import { UnreadableInput } from '../../errors.ts';
import { type Sink, standardOutput } from '../../io/sink.ts';
import { createScanner } from '../input/scanner.ts';
import { isOneOfMany, openMemory } from './memory-of-keys.ts';
import { batchRecords, openOutput } from './output.ts';
import { type DedupSpec, type LineStyle, minus, type Tally, type Task, type ThreadContext, WANTED } from './task.ts';

/** Least records of a batch: so that those of a filter that grows are many for each of its segments. */
const BATCH = 2 ** 17;

/** Records as they are. */
const PLAIN: Omit<LineStyle, 'wanted'> = { tag: false, named: false, numbered: false, json: false };

/** Prints records by whether their keys were seen before, in their order. */
export function openDedup(context: ThreadContext, spec: DedupSpec, sink: Sink = standardOutput): Task {
  const { kernel } = context;
  const { selection, rules, seen } = spec;
  const recordLimit = Math.max(BATCH, batchRecords(seen[0]?.[0]?.filter.payload.shape.segments ?? 1));
  const { exports } = kernel;
  const matches = kernel.reserve(recordLimit);
  let settled = 0;
  const { take, takeLast, pausing, levels } = openMemory(context, spec, matches, () => spec.recordsBefore + settled);
  const wanted = spec.selects === 'known' || isOneOfMany(spec) ? WANTED.present : WANTED.absent;
  const print = spec.prints ? { ...PLAIN, wanted } : undefined;
  const output = openOutput(context, { print, selection, stopAt: undefined }, sink);
  let records = 0;
  let positives = 0;
  const answer = () => {
    scanner.settle();
    output.flush();
  };
  const scanner = createScanner(
    kernel,
    { selection, rules: [rules], recordLimit, keepRecords: true },
    {
      keys: take,
      lastKeys: takeLast,
      records(batch) {
        settled += batch.count;
        const present = exports.countMatches(matches, batch.count);
        const count = batch.count - (exports.leaveComments(batch.start, batch.count, matches) >>> 0);
        records += count;
        positives += wanted === WANTED.present ? present : count - present;
        output.print({ ...batch, matches });
        exports.clear(matches, batch.count);
      },
      idle: answer,
    },
  );
  const tally = (): Tally => ({ ...scanner.tally(), records, positives, elsewhere: 0 });
  return {
    async scan(source, part, onRead) {
      const before = tally();
      output.start(part);
      const conclude = (isCutOff: boolean) => {
        answer();
        output.end(isCutOff);
      };
      try {
        await scanner.scan(
          pausing(source, () => scanner.tally().records),
          onRead,
        );
      } catch (error) {
        if (error instanceof UnreadableInput) conclude(true);
        else output.flush();
        throw error;
      }
      conclude(false);
      return minus(tally(), before);
    },
    finish() {
      scanner.settle();
      return { type: 'dedup', ...tally(), levels: levels() };
    },
  };
}
