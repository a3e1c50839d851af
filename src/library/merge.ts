import { mergeSegments } from '../engine/store/merge-segments.ts';
import { unionOf } from '../engine/store/union.ts';
import { BloomError } from '../errors.ts';
import type { SegmentedFile } from '../formats/format.ts';
import { loadKernel } from '../kernel/kernel.ts';
import { requireIterable } from './checks.ts';
import type { Filter } from './filter.ts';
import { openFilter } from './open.ts';
import { readFrom } from './snapshot.ts';

/**
 * Makes the union of filters as they are now, and does not change them. The filters need the same options, or sizes that their kind can
 * merge.
 *
 * Rejects with a `BloomError`:
 *
 * - `mismatch`: the filters differ (the message lists all differences), or their kind cannot be merged;
 * - `capacity`: the union is full.
 *
 * @example
 * import { buildFilter, mergeFilters } from 'bloomery';
 *
 * const monday = await buildFilter(['a', 'b'], { items: 1000 });
 * const tuesday = await buildFilter(['b', 'c'], { items: 1000 });
 * const week = await mergeFilters([monday, tuesday]);
 * console.log(week.hasMany(['a', 'b', 'c', 'd'])); // [ true, true, true, false ]
 */
export async function mergeFilters(filters: Iterable<Filter>): Promise<Filter> {
  requireIterable('filters', filters);
  const files: SegmentedFile[] = [];
  const pieces: Uint8Array[] = [];
  const append = async (bytes: Uint8Array) => void pieces.push(new Uint8Array(bytes));
  try {
    for (const filter of [...filters]) files.push(readFrom(filter, files.length));
    if (files.length === 0) throw new BloomError('usage', 'there is no filter to merge');
    await mergeSegments(loadKernel(), files, unionOf(files), { name: 'the union', replace: true, append });
  } finally {
    for (const { close } of files) close();
  }
  return openFilter(Buffer.concat(pieces), { writable: true });
}
