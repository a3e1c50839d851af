import { readAt } from '../../io/positioned.ts';
import { type Digests, VISIT_LIMIT } from '../input/digests.ts';
import { createMeter, type ProgressObserver } from '../input/progress.ts';
import { createSegmentVisits } from '../store/segment-visits.ts';
import { openStore } from '../store/store.ts';
import { NOTHING } from './tally.ts';
import type { MarkSpec, Task } from './task.ts';
import type { ThreadContext } from './thread-context.ts';
import { NUMBERED_BYTES } from './write-digests.ts';

/** Bytes that are tested at a time, and that a thread reads at a time. */
const VISIT_ENTRIES = NUMBERED_BYTES * VISIT_LIMIT;
const PIECE_BYTES = 16 * VISIT_ENTRIES;

/**
 * Looks up numbered digests in a filter, and marks their records. The digests are those of the file; threads share them piece by piece, and
 * each thread is done when this resolves.
 */
export async function openMark(
  { kernel, threadIndex }: ThreadContext,
  { filter, file, next, marks, keyed }: MarkSpec,
  observer: ProgressObserver = {},
): Promise<Task> {
  const memory = kernel.reserve(0);
  const { test, expect } = await openStore(filter, kernel, threadIndex);
  const hits = kernel.reserve(VISIT_LIMIT);
  const piece = kernel.reserve(PIECE_BYTES);
  const [digests, owners] = [kernel.reserve(8 * VISIT_LIMIT), kernel.reserve(4 * VISIT_LIMIT)];
  let positives = 0;
  const visit = (segment: number, visited: Digests) => {
    positives += test(segment, visited, hits);
    const found = kernel.bytes(hits, visited.count);
    const numbers = new Uint32Array(kernel.memory.buffer, visited.owners, visited.count);
    if (marks !== undefined) mark(marks, numbers, found, keyed === undefined ? 1 : 0);
    if (keyed !== undefined) mark(keyed, numbers);
  };
  const visits = createSegmentVisits(kernel, filter.range, true, visit, { isSparing: true, expect });
  const onTested = createMeter(file.size, observer);
  const split = (length: number): Digests => ({ address: digests, count: length, owners, firstOwner: 0 });
  for (;;) {
    const bytes = readAt(file, kernel.bytes(piece, PIECE_BYTES), PIECE_BYTES * Atomics.add(next, 0, 1));
    if (bytes === 0) break;
    for (let done = 0; done < bytes; done += VISIT_ENTRIES) {
      const count = Math.min(VISIT_ENTRIES, bytes - done) / NUMBERED_BYTES;
      kernel.exports.splitEntries(piece + done, count, digests, owners);
      visits.take(split(count));
    }
    await onTested(bytes);
  }
  visits.takeLast(split(0));
  // The filter is queried part by part, each time with other memory.
  kernel.release(memory);
  return {
    scan: () => Promise.resolve(NOTHING),
    finish: () => ({ type: 'tally', ...NOTHING, positives }),
  };
}

/** Sets the bits of the numbers with the wanted answer; without answers, of all numbers. Other threads set bits at the same time. */
function mark(marks: Uint32Array, numbers: Uint32Array, answers?: Uint8Array, wanted = 1): void {
  for (let i = 0; i < numbers.length; i++) {
    if (answers !== undefined && answers[i] !== wanted) continue;
    const number = numbers[i] ?? 0;
    const bit = 1 << (number & 31);
    if (((marks[number >>> 5] ?? 0) & bit) === 0) Atomics.or(marks, number >>> 5, bit);
  }
}
