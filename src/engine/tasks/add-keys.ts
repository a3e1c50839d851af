import { kindWithId } from '../../filters/registry.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { rangeOf } from '../../sizing/share.ts';
import { type Digests, VISIT_LIMIT } from '../input/digests.ts';
import { createScanner } from '../input/scanner.ts';
import { createGrowth } from '../store/growth.ts';
import { openSegments } from '../store/loaded-filter.ts';
import { createRangeKeeper } from '../store/range-keeper.ts';
import { createSegmentVisits, type SegmentVisits } from '../store/segment-visits.ts';
import type { DigestLog } from './digest-log.ts';
import { createDistinctCounter, createSketch } from './distinct-keys.ts';
import { NOTHING } from './tally.ts';
import type { AddSpec, Task } from './task.ts';
import type { ThreadContext } from './thread-context.ts';

/** Adds the keys of what it is given to a filter. Once that is full it only counts them: so many should have had room. */
export function openAdd(context: ThreadContext, { filter, selection, rules, replay, trims = false }: AddSpec): Task {
  const { kernel, threadIndex, log } = context;
  const counter = createDistinctCounter(kernel);
  const sketch = kindWithId(filter.kind, 'the filter').refuses ? createSketch(kernel) : undefined;
  let refused = 0;
  const growth = filter.payload.shape.chain && createGrowth(kernel, filter, { trims });
  const segments = openSegments(filter, kernel, threadIndex);
  const add = (segment: number, digests: Digests) => {
    refused += segments.add(segment, digests);
  };
  const range = rangeOf(filter.payload.shape);
  const { keep, dropped } = createRangeKeeper(kernel, range);
  const visits = growth ?? createSegmentVisits(kernel, range, false, add);
  const handing = (hand: (digests: Digests) => void) => (digests: Digests) => {
    const kept = keep(digests);
    counter.note(kept);
    sketch?.note(kept);
    if (refused === 0) hand(kept);
  };
  const handed: SegmentVisits = { take: handing(visits.take), takeLast: handing(visits.takeLast) };
  // What waits has been counted; but not which of it are keys of a part.
  if (replay && log !== undefined) addLog(kernel, log, filter.payload.shape.share === undefined ? visits : handed);
  const scanner = createScanner(
    kernel,
    { selection, rules: [rules] },
    { keys: handed.take, lastKeys: handed.takeLast },
  );
  return {
    async scan(source, _, onRead) {
      return { ...NOTHING, ...(await scanner.scan(source, onRead)) };
    },
    finish() {
      scanner.settle();
      return {
        type: 'add',
        ...NOTHING,
        ...scanner.tally(),
        refused,
        elsewhere: dropped(),
        distinct: counter.table(),
        sketch: sketch?.registers(),
        filter: growth?.filter(),
      };
    },
  };
}

/** Hands the digests of a log over. */
function addLog(kernel: Kernel, log: DigestLog, visits: SegmentVisits): void {
  const address = kernel.reserve(8 * VISIT_LIMIT);
  const digests = (count: number): Digests => ({ address, count, owners: 0, firstOwner: 0 });
  log.replay((part) => {
    kernel.bytes(address, part.length).set(part);
    visits.take(digests(part.length / 8));
  });
  visits.takeLast(digests(0));
}
