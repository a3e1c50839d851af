import type { ByteSource } from '../../io/source.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { NO_DIGESTS, VISIT_LIMIT } from '../input/digests.ts';
import type { SegmentVisits } from '../store/segment-visits.ts';
import { pausingFor } from './pausing-source.ts';
import { type OnSeen, openSightings, type Sighted, type Sightings } from './sightings.ts';
import type { DedupSpec } from './task.ts';
import type { Keeper, ThreadContext } from './thread-context.ts';
import { type TimeWindows, timeWindows, windowByWindow } from './windows.ts';

/** What tells of records whether their keys were seen before, and is forgotten and kept as time goes on. */
export interface MemoryOfKeys extends SegmentVisits {
  /** What of a source is read when; `records` are those that were read by now, and those before. */
  pausing(source: ByteSource, records: () => number): ByteSource;
  /** What each list of filters knows in the end. */
  levels(): readonly Sighted[];
}

/**
 * Lets the byte of each record, at `matches`, tell whether its key was known to all lists of filters; or that it was new to the last
 * only. `recordsBefore` are those that went by before a record of the batch.
 */
export function openMemory(
  context: ThreadContext,
  spec: DedupSpec,
  matches: number,
  recordsBefore: (record: number) => number,
): MemoryOfKeys {
  const { kernel, keeper, clock = Date.now } = context;
  const { windows } = spec;
  const levels = openLevels(context, spec, matches);
  const visits = visitsTo(levels);
  const turn = (window: number) => {
    for (const level of levels) level.turn(window);
  };
  const begun = spec.seen[0]?.at(-1)?.window ?? 0;
  const byRecords = windows?.of === 'records' ? { length: windows.length, begun, recordsBefore, turn } : undefined;
  const byTime = windows?.of === 'milliseconds' ? timeWindows(windows.length, begun, clock, turn) : undefined;
  const soFar = () => levels.map((level) => level.soFar());
  return {
    ...(byRecords === undefined ? visits : windowByWindow(kernel, visits, byRecords)),
    pausing: (source, records) =>
      byTime === undefined && keeper === undefined
        ? source
        : pausingFor(pausesFor(byTime, keeper, soFar, records), source),
    levels: () => levels.map((level) => level.result()),
  };
}

function openLevels({ kernel, threadIndex }: ThreadContext, spec: DedupSpec, matches: number): readonly Sightings[] {
  const { seen, windows, estimates } = spec;
  const forgetting = { keep: windows?.keep, estimates };
  const collect = collecting(kernel, isOneOfMany(spec) ? 'misses' : 'hits', matches);
  const levels: Sightings[] = [];
  for (const generations of seen.toReversed()) {
    const [next] = levels;
    const onSeen = next === undefined ? collect : handingTo(kernel, next);
    levels.unshift(openSightings(kernel, threadIndex, generations, forgetting, onSeen));
  }
  return levels;
}

function visitsTo([first, ...others]: readonly Sightings[]): SegmentVisits {
  if (first === undefined) throw new Error('nothing notes what was seen');
  return {
    take: first.take,
    takeLast(digests) {
      first.takeLast(digests);
      for (const { takeLast } of others) takeLast(NO_DIGESTS);
    },
  };
}

/** Whether one sighting of several is wanted: else a record that is not known to be seen is new, also if it has no key. */
export function isOneOfMany({ seen, selects }: DedupSpec): boolean {
  return selects === 'new' && seen.length > 1;
}

/** What is done between two reads: a window of time turns, and what was seen is kept. */
function pausesFor(
  windows: TimeWindows | undefined,
  keeper: Keeper | undefined,
  seen: () => DedupSpec['seen'],
  records: () => number,
) {
  return {
    isDue: () => windows?.isOver() === true || keeper?.isDue(records()) === true,
    patience: () => keeper?.patience(records()),
    async pause() {
      windows?.turn();
      if (keeper?.isDue(records())) await keeper.keep(seen(), records());
    },
  };
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
