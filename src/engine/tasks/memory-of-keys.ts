import type { Kernel } from '../../kernel/kernel.ts';
import { NO_DIGESTS, VISIT_LIMIT } from '../input/digests.ts';
import type { RecordSource } from '../input/header.ts';
import type { SegmentVisits } from '../store/segment-visits.ts';
import { type OnSeen, openSightings, type Sighted, type Sightings } from './sightings.ts';
import type { DedupSpec } from './task.ts';
import type { Keeper, ThreadContext } from './thread-context.ts';
import { type TimeWindows, timeWindows, windowByWindow } from './windows.ts';

/** Decides for records whether their keys were seen before. Windows drop old keys, and the keeper saves the state from time to time. */
export interface MemoryOfKeys extends SegmentVisits {
  /**
   * A source that pauses for a window of time or to save the state. `records` are all records that were read so far, including earlier
   * runs.
   */
  pausing(source: RecordSource, records: () => number): RecordSource;
  /** The final content of each list of filters. */
  levels(): readonly Sighted[];
}

/**
 * Writes the answer of each record to its byte at `matches`. The answer is whether all lists of filters had the key, or whether only the
 * last list did not. `recordsBefore` returns the number of records before a record of the batch.
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
  const options = { keep: windows?.keep, estimates };
  const collect = collecting(kernel, isOneOfMany(spec) ? 'misses' : 'hits', matches);
  const levels: Sightings[] = [];
  for (const windowFilters of seen.toReversed()) {
    const [next] = levels;
    const onSeen = next === undefined ? collect : handingTo(kernel, next);
    levels.unshift(openSightings(kernel, threadIndex, windowFilters, options, onSeen));
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

/** Whether a particular sighting of several is selected. Otherwise a record is new if it is not known to be seen, even if it has no key. */
export function isOneOfMany({ seen, selects }: DedupSpec): boolean {
  return selects === 'new' && seen.length > 1;
}

/** What happens between two reads: a window of time turns, and the state is saved. */
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

/** Passes on the digests that were seen. */
function handingTo(kernel: Kernel, next: Sightings): OnSeen {
  const [address, owners] = [kernel.reserve(8 * VISIT_LIMIT), kernel.reserve(4 * VISIT_LIMIT)];
  return ({ address: from, count, owners: ownersFrom, firstOwner }, seen) => {
    const kept = kernel.exports.keepHits(from, ownersFrom, firstOwner, count, seen, address, owners) >>> 0;
    next.take({ address, count: kept, owners, firstOwner: 0 });
  };
}

/** Work between two reads, after all records before were answered. */
interface Pauses {
  isDue(): boolean;
  /** Milliseconds until work is due even if no input arrives; undefined if none will be due. */
  patience(): number | undefined;
  /** Does the work. */
  pause(): Promise<void>;
}

/** A source that reports no input when work is due. The reader then waits, and the work is done first. */
function pausingFor(pauses: Pauses, source: RecordSource): RecordSource {
  const pauseIfDue = async () => {
    if (pauses.isDue()) await pauses.pause();
  };
  return {
    ...source,
    read: (into) => (pauses.isDue() ? undefined : source.read(into)),
    async wait(into) {
      await pauseIfDue();
      const there = source.read(into);
      if (there !== undefined) return there;
      const bytes = source.wait(into);
      while (!(await comes(bytes, pauses.patience()))) await pauseIfDue();
      await pauseIfDue();
      return bytes;
    },
  };
}

/** Whether the promise settles within `patience` milliseconds. */
async function comes(something: Promise<unknown>, patience: number | undefined): Promise<boolean> {
  if (patience === undefined) {
    await something;
    return true;
  }
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.min(patience, LONGEST_TIMER));
  });
  try {
    return await Promise.race([something.then(() => true), passed]);
  } finally {
    clearTimeout(timer);
  }
}

/** The longest delay of a timer in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;
