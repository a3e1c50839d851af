import { UnreadableInput } from '../../errors.ts';
import { type Sink, standardOutput } from '../../io/sink.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { SegmentVisits } from '../filter/segment-visits.ts';
import { NO_DIGESTS, VISIT_LIMIT } from '../input/digests.ts';
import { createScanner } from '../input/scanner.ts';
import { batchRecords, openOutput } from './output.ts';
import { type OnSeen, openSightings, type Sightings } from './sightings.ts';
import { type DedupSpec, type LineStyle, minus, type Tally, type Task, type ThreadContext, WANTED } from './task.ts';

/** Least records of a batch: so that those of a filter that grows are many for each of its segments. */
const BATCH = 2 ** 17;

/** Records as they are. */
const PLAIN: Omit<LineStyle, 'wanted'> = { tag: false, named: false, numbered: false, json: false };

/** Prints records by whether their keys were seen before, in their order. */
export function openDedup(context: ThreadContext, spec: DedupSpec, sink: Sink = standardOutput): Task {
  const { kernel } = context;
  const { selection, rules } = spec;
  const recordLimit = Math.max(BATCH, batchRecords(spec.levels[0]?.payload.shape.segments ?? 1));
  const { exports } = kernel;
  const matches = kernel.reserve(recordLimit);
  const { take, takeLast, levels } = openAnswers(context, spec, matches);
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
        await scanner.scan(source, onRead);
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
      return {
        type: 'dedup',
        ...tally(),
        levels: levels.map(({ firsts, filter }) => ({ firsts: firsts(), filter: filter() })),
      };
    },
  };
}

/** Where digests go, and what the first filter and those after it say of them. */
interface Answers extends SegmentVisits {
  readonly levels: readonly Sightings[];
}

/** Lets the byte of each record, at `matches`, tell whether its key was known to all filters; or that it was new to the last only. */
function openAnswers({ kernel, threadIndex }: ThreadContext, spec: DedupSpec, matches: number): Answers {
  const collect = collecting(kernel, isOneOfMany(spec) ? 'misses' : 'hits', matches);
  const levels: Sightings[] = [];
  for (const filter of spec.levels.toReversed()) {
    const [next] = levels;
    levels.unshift(openSightings(kernel, threadIndex, filter, next === undefined ? collect : handingTo(kernel, next)));
  }
  const [first, ...others] = levels;
  if (first === undefined) throw new Error('nothing notes what was seen');
  return {
    levels,
    take: first.take,
    takeLast(digests) {
      first.takeLast(digests);
      for (const { takeLast } of others) takeLast(NO_DIGESTS);
    },
  };
}

/** Whether one sighting of several is wanted: else a record that is not known to be seen is new, also if it has no key. */
function isOneOfMany({ levels, selects }: DedupSpec): boolean {
  return selects === 'new' && levels.length > 1;
}

function collecting({ exports, bytes }: Kernel, what: 'hits' | 'misses', matches: number): OnSeen {
  return ({ count, owners, firstOwner }, seen) => {
    if (what === 'misses') exports.collectMisses(seen, owners, count, matches);
    else if (owners !== 0) exports.collectHits(seen, owners, count, matches);
    else bytes(matches + firstOwner, count).set(bytes(seen, count));
  };
}

/** Hands those digests on that were seen. */
function handingTo(kernel: Kernel, next: Sightings): OnSeen {
  const [address, owners] = [kernel.reserve(8 * VISIT_LIMIT), kernel.reserve(4 * VISIT_LIMIT)];
  return ({ address: from, count, owners: ownersFrom, firstOwner }, seen) => {
    const kept = kernel.exports.keepHits(from, ownersFrom, firstOwner, count, seen, address, owners) >>> 0;
    next.take({ address, count: kept, owners, firstOwner: 0 });
  };
}
