import { UnreadableInput } from '../../errors.ts';
import { type Sink, standardOutput } from '../../io/sink.ts';
import { type Digests, NO_DIGESTS } from '../input/digests.ts';
import { createScanner } from '../input/scanner.ts';
import { isOneOfMany, openMemory } from './memory-of-keys.ts';
import { createOrder } from './order.ts';
import { openOutput, orderedBatchRecords } from './output.ts';
import { type DedupSpec, type LineStyle, minus, type Tally, type Task, type ThreadContext, WANTED } from './task.ts';

/** Records as they are. */
const PLAIN: Omit<LineStyle, 'wanted'> = { tag: false, named: false, numbered: false, json: false };

/** Prints records by whether their keys were seen before, in their order. */
export function openDedup(context: ThreadContext, spec: DedupSpec, sink: Sink = standardOutput): Task {
  const { kernel } = context;
  const { selection, rules } = spec;
  const recordLimit = orderedBatchRecords(spec);
  const { exports } = kernel;
  const matches = kernel.reserve(recordLimit);
  let settled = 0;
  const { take, takeLast, pausing, levels } = openMemory(context, spec, matches, () => spec.recordsBefore + settled);
  const order = createOrder(kernel, { digestBytes: 8, limit: recordLimit }, take);
  const wanted = spec.selects === 'known' || isOneOfMany(spec) ? WANTED.present : WANTED.absent;
  const print = spec.prints ? { ...PLAIN, wanted } : undefined;
  const output = openOutput(context, { print, selection, stopAt: undefined }, sink);
  let [records, keys, positives] = [0, 0, 0];
  let held = 0;
  let counts = true;
  /** What is answered is the last of its part, which may be cut off there. */
  let ending: { readonly isCutOff: boolean } | undefined;
  const hold = (digests: Digests) => {
    held += digests.count;
    order.take(digests);
  };
  const answer = () => {
    scanner.settle();
    output.flush();
  };
  const scanner = createScanner(
    kernel,
    { selection, rules: [rules], recordLimit, keepRecords: true },
    {
      keys: hold,
      lastKeys(digests) {
        hold(digests);
        counts = order.settle();
        takeLast(NO_DIGESTS);
        if (counts) keys += held;
        held = 0;
        // Others may go on while this thread prints.
        if (ending !== undefined) order.end(ending.isCutOff);
      },
      records(batch) {
        settled += batch.count;
        const present = exports.countMatches(matches, batch.count);
        const count = batch.count - (exports.leaveComments(batch.start, batch.count, matches) >>> 0);
        if (counts) records += count;
        if (counts) positives += wanted === WANTED.present ? present : count - present;
        output.print({ ...batch, matches });
        exports.clear(matches, batch.count);
      },
      idle: answer,
    },
  );
  const tally = (): Tally => ({ records, keys, positives, elsewhere: 0 });
  return {
    async scan(source, part, onRead) {
      const before = tally();
      order.begin(part);
      output.start(part);
      const conclude = (isCutOff: boolean) => {
        ending = { isCutOff };
        answer();
        ending = undefined;
        output.end(isCutOff);
      };
      try {
        await scanner.scan(
          pausing(source, () => spec.recordsBefore + scanner.tally().records),
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
      return { type: 'dedup', ...tally(), settled, levels: levels() };
    },
  };
}
