import type { Kernel } from '../kernel/kernel.ts';
import type { DigestLog } from './digest-log.ts';
import { createDistinctCounter } from './distinct.ts';
import { openSegments, type SharedFilter } from './filter-file.ts';
import { createGrowth } from './grow.ts';
import { createScanner, NO_LIMIT } from './scanner.ts';
import { createSegmentVisits, type Digests, type SegmentVisits, VISIT_LIMIT } from './segment-visits.ts';
import type { FillSpec, Station, Task } from './task.ts';

/** Adds the keys of what it is given to a filter. */
export function openFill(station: Station, { filter, selection, rules, replay, trims = false }: FillSpec): Task {
  const { kernel, seat, log } = station;
  const counter = createDistinctCounter(kernel);
  const growth = filter.payload.shape.chain && createGrowth(kernel, filter, trims);
  const visits = growth ?? openVisits(kernel, filter, seat);
  if (replay && log !== undefined) addLog(kernel, log, visits);
  const options = { selection, rules, recordLimit: NO_LIMIT, keepRecords: false };
  const scanner = createScanner(kernel, options, {
    keys(digests) {
      counter.note(digests);
      visits.take(digests);
    },
    lastKeys(digests) {
      counter.note(digests);
      visits.takeLast(digests);
    },
  });
  return {
    async scan(source, _, onRead) {
      return { ...(await scanner.scan(source, onRead)), positives: 0 };
    },
    finish() {
      scanner.settle();
      return { ...scanner.tally(), positives: 0, distinct: counter.table(), filter: growth?.filter() };
    },
  };
}

function openVisits(kernel: Kernel, filter: SharedFilter, seat: number): SegmentVisits {
  const segments = openSegments(filter, kernel, seat);
  return createSegmentVisits(kernel, filter.payload.shape.segments, false, segments.add);
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
