import { UnreadableInput } from '../../errors.ts';
import { sum } from '../../filters/kind.ts';
import { type Sink, standardOutput } from '../../io/sink.ts';
import type { ByteSource } from '../../io/source.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { SegmentRange } from '../../sizing/share.ts';
import { type Asked, askedRange, openAsked } from '../filter/asked-filter.ts';
import { createOwnedKeeper, createRangeKeeper, type OwnedKeeper } from '../filter/range-keeper.ts';
import { createSegmentVisits, type SegmentVisits } from '../filter/segment-visits.ts';
import { type Digests, VISIT_LIMIT } from '../input/digests.ts';
import { isWhole } from '../input/key-selection.ts';
import { type AnsweredBatch, createScanner, NO_LIMIT, type RecordBatch } from '../input/scanner.ts';
import { batchRecords, openOutput } from './output.ts';
import { minus, selectedIn, type Tally, type Task, type TestSpec, type ThreadContext } from './task.ts';
import { turningAt } from './turning-source.ts';

/** Most digests that wait for a segment where they come a few at a time. */
const FEW_DIGESTS = 2 ** 10;

/** Asks a filter about the records of what it is given, and prints them or only counts the answers. */
export async function openTest(context: ThreadContext, spec: TestSpec, sink: Sink = standardOutput): Promise<Task> {
  const { kernel, threadIndex, replacement } = context;
  const { selection, rules, stopAt } = spec;
  const keepRecords = spec.print !== undefined;
  const answers = createAnswers(context, spec, await openAsked(spec.filter, kernel, threadIndex));
  const output = openOutput(context, spec, sink);
  let records = 0;
  const answer = () => {
    scanner.settle();
    output.flush();
  };
  const scanner = createScanner(
    kernel,
    { selection, rules, recordLimit: answers.recordLimit, keepRecords },
    {
      keys: answers.visits.take,
      lastKeys: answers.visits.takeLast,
      records(batch) {
        records += batch.count;
        answers.conclude(batch, output.print);
      },
      idle: answer,
    },
  );
  const tally = (): Tally => ({ ...scanner.tally(), records, ...answers.counts(), ...output.taken() });
  return {
    async scan(source, part, onRead) {
      const before = tally();
      const isEnough = () => {
        if (stopAt === undefined) return false;
        const now = stopAt.ofEach ? minus(tally(), before) : tally();
        return selectedIn(now, stopAt.selected) >= stopAt.records;
      };
      output.start(part);
      const conclude = (isCutOff: boolean) => {
        if (spec.bySource || keepRecords || stopAt !== undefined) answer();
        output.end(isCutOff);
      };
      try {
        await scanner.scan(endingWhen(isEnough, turningAt(replacement, answers.turn, source)), (bytes) => {
          if (spec.lineBuffered) answer();
          return onRead?.(bytes);
        });
      } catch (error) {
        // What was read before an input failed has been asked, and is answered. After any other failure, such as that
        // of the filter, nobody knows the answers.
        if (error instanceof UnreadableInput) conclude(true);
        throw error;
      }
      conclude(false);
      return minus(tally(), before);
    },
    finish() {
      scanner.settle();
      return { type: 'tally', ...tally() };
    },
  };
}

/** What a filter says of the records of a batch. */
interface Answers {
  /** Records of a batch, at most. */
  readonly recordLimit: number;
  /** Where their keys go. */
  readonly visits: SegmentVisits;
  /** Asks what the filter has become, while no keys wait. */
  turn(): Promise<void>;
  /** Ends a batch, all of whose keys were visited: lets it be printed with its answers. */
  conclude(batch: RecordBatch, print: (batch: AnsweredBatch) => void): void;
  /** Records that may be in the set, and those that have no answer, as their keys belong to other parts of the filter. */
  counts(): Pick<Tally, 'positives' | 'elsewhere'>;
}

function createAnswers(
  { kernel, threadIndex }: ThreadContext,
  { filter, selection, print, stopAt }: TestSpec,
  first: Asked,
): Answers {
  const { exports } = kernel;
  let { test } = first;
  // Where a record is its only key and nobody asks which one it was, the number of hits is all there is to know.
  const countsKeys = isWhole(selection) && print === undefined;
  const range = askedRange(filter);
  const recordLimit = countsKeys && stopAt === undefined ? NO_LIMIT : batchRecords(range.count);
  const hits = kernel.reserve(VISIT_LIMIT);
  const matches = countsKeys ? 0 : kernel.reserve(recordLimit);
  let positives = 0;
  const visit = (segment: number, digests: Digests) => {
    if (countsKeys) positives += test(segment, digests, hits);
    else if (digests.owners === 0) test(segment, digests, matches + digests.firstOwner);
    else {
      test(segment, digests, hits);
      exports.collectHits(hits, digests.owners, digests.count, matches);
    }
  };
  /** By the segments that they lead to, as a kernel gives no memory back. */
  const ways = new Map<string, Way>();
  const wayTo = (to: SegmentRange, limit?: number): Way => {
    const known = ways.get(JSON.stringify(to));
    if (known !== undefined) return known;
    const keeper = countsKeys ? uncollected(kernel, to) : createOwnedKeeper(kernel, to, recordLimit);
    const made = { ...keeper, visits: createSegmentVisits(kernel, to, !countsKeys, visit, limit) };
    ways.set(JSON.stringify(to), made);
    return made;
  };
  let way = wayTo(range);
  return {
    recordLimit,
    visits: {
      take: (digests) => way.visits.take(way.keep(digests)),
      takeLast: (digests) => way.visits.takeLast(way.keep(digests)),
    },
    async turn() {
      ({ test } = await openAsked(filter, kernel, threadIndex));
      way = wayTo(askedRange(filter), FEW_DIGESTS);
    },
    conclude(batch, printBatch) {
      if (!countsKeys) positives += exports.countMatches(matches, batch.count);
      way.leave(matches, batch.count);
      printBatch({ ...batch, matches });
      if (!countsKeys) exports.clear(matches, batch.count);
    },
    counts: () => ({ positives, elsewhere: sum([...ways.values()].map(({ left }) => left())) }),
  };
}

/** The way of digests to some segments. */
interface Way extends OwnedKeeper {
  readonly visits: SegmentVisits;
}

/** What keeps the digests of a range where every key is a record, and no match is kept. */
function uncollected(kernel: Kernel, range: SegmentRange): OwnedKeeper {
  const { keep, dropped } = createRangeKeeper(kernel, range);
  return { keep, leave: () => {}, left: dropped };
}

/** A source that ends as soon as the rest of it is not wanted. */
function endingWhen(isEnough: () => boolean, source: ByteSource): ByteSource {
  return {
    name: source.name,
    size: source.size,
    read: (into) => (isEnough() ? 0 : source.read(into)),
    wait: async (into) => (isEnough() ? 0 : source.wait(into)),
    close: () => source.close(),
  };
}
