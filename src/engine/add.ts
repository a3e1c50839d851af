import { bytesInMemory } from '../filters/drafts.ts';
import { isOwnKind } from '../filters/registry.ts';
import { type Filled, fill } from './fill.ts';
import type { Reading, Threads } from './reading.ts';
import { keysHeld } from './store/capacity.ts';
import { partsWithin } from './store/filter-parts.ts';
import type { ChangeableFilter } from './store/loaded.ts';
import { freeMemory, requireMemory } from './store/payload.ts';
import { memoryOfParts } from './thread-memory.ts';

/**
 * Adds the keys of a reading to a loaded filter, in at most `memory` bytes for the filter; by default in all free memory. A larger filter
 * gets its keys part by part. Throws a `memory` error if it cannot be divided into parts, and a `capacity` error if the filter refused a
 * key.
 */
export async function addToFilter(
  loaded: ChangeableFilter,
  reading: Reading,
  threads: Threads,
  memory: number = freeMemory(),
): Promise<Filled> {
  const { description, store } = loaded;
  const { kind, rules, shape } = description;
  if (isOwnKind(kind) && shape.segments * bytesInMemory(shape, kind) > memory) {
    const parts = partsWithin(store, memoryOfParts(memory, threads.pool.threadCount));
    if (parts === undefined) requireMemory(shape, kind, undefined, memory);
    else {
      const { addInParts } = await import('./add-in-parts.ts');
      return addInParts({ kind, rules }, parts, reading, threads);
    }
  }
  return fill(description, loaded.fillable(threads.pool.threadCount), reading, threads, {
    held: () => keysHeld(description, loaded.fills()),
  });
}
