import { UnreadableInput } from '../../errors.ts';
import { type Sink, standardOutput } from '../../io/sink.ts';
import type { SegmentVisits } from '../filter/segment-visits.ts';
import { NO_DIGESTS, VISIT_LIMIT } from '../input/digests.ts';
import { createScanner } from '../input/scanner.ts';
import { batchRecords, openOutput } from './output.ts';
import { type OnSeen, openSightings, type Sightings } from './sightings.ts';
import { type DedupSpec, type LineStyle, minus, type Tally, type Task, type ThreadContext, WANTED } from './task.ts';

/** Records as they are. */
const PLAIN: Omit<LineStyle, 'wanted'> = { tag: false, named: false, numbered: false, json: false };

/** Prints records by whether their keys were seen before, in their order. */
export function openDedup(context: ThreadContext, spec: DedupSpec, sink: Sink = standardOutput): Task {
  const { kernel } = context;
  const { selection, rules } = spec;
  const recordLimit = batchRecords(spec.filter.payload.shape.segments);
  const { exports } = kernel;
  const matches = kernel.reserve(recordLimit);
  const { take, takeLast, first } = openAnswers(context, spec, matches);
  const wanted = spec.selects === 'first' ? WANTED.absent : WANTED.present;
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
        records += batch.count;
        const present = exports.countMatches(matches, batch.count);
        positives += wanted === WANTED.present ? present : batch.count - present;
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
        await scanner.scan(source, onRead);
      } catch (error) {
        if (error instanceof UnreadableInput) conclude(true);
        throw error;
      }
      conclude(false);
      return minus(tally(), before);
    },
    finish() {
      scanner.settle();
      return { type: 'dedup', ...tally(), firsts: first.firsts(), filter: first.filter() };
    },
  };
}

/** Where digests go, and what was seen first of all. */
interface Answers extends SegmentVisits {
  readonly first: Sightings;
}

/** Lets the byte of each record, at `matches`, tell whether its key was seen before; or, once for each, whether that was once. */
function openAnswers({ kernel, threadIndex }: ThreadContext, { filter, twice }: DedupSpec, matches: number): Answers {
  const { exports } = kernel;
  if (twice === undefined) {
    const first = openSightings(kernel, threadIndex, filter, ({ count, owners, firstOwner }, seen) => {
      if (owners !== 0) exports.collectHits(seen, owners, count, matches);
      else kernel.bytes(matches + firstOwner, count).set(kernel.bytes(seen, count));
    });
    return { ...first, first };
  }
  const second = openSightings(kernel, threadIndex, twice, ({ count, owners }, seen) => {
    exports.collectMisses(seen, owners, count, matches);
  });
  const [address, owners] = [kernel.reserve(8 * VISIT_LIMIT), kernel.reserve(4 * VISIT_LIMIT)];
  const hand: OnSeen = (digests, seen) => {
    const { address: from, count, owners: ownersFrom, firstOwner } = digests;
    const kept = exports.keepHits(from, ownersFrom, firstOwner, count, seen, address, owners) >>> 0;
    second.take({ address, count: kept, owners, firstOwner: 0 });
  };
  const first = openSightings(kernel, threadIndex, filter, hand);
  return {
    first,
    take: first.take,
    takeLast(digests) {
      first.takeLast(digests);
      second.takeLast(NO_DIGESTS);
    },
  };
}
