import { openSegments } from '../engine/filter/loaded-filter.ts';
import { mergeFilters as uniteSegments } from '../engine/merge-filters.ts';
import { unionOf } from '../engine/union.ts';
import { BloomError } from '../errors.ts';
import type { SegmentedFile } from '../formats/format.ts';
import { loadKernel } from '../kernel/kernel.ts';
import { segmentBytes } from '../sizing/geometry.ts';
import { requireIterable } from './checks.ts';
import type { Filter } from './filter.ts';
import { internalsOf } from './handle.ts';
import { openFilter } from './open.ts';

/**
 * Makes the union of filters, which stay as they are: those of the same options, or of sizes that their kind can bring together. Rejects
 * with a `BloomError`: `mismatch` with a list of all that differs for filters that do not fit together, and for kinds that cannot be
 * merged; `capacity` for a union that is full.
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
  const files = [...filters].map(readFrom);
  if (files.length === 0) throw new BloomError('usage', 'there is no filter to merge');
  const pieces: Uint8Array[] = [];
  const append = async (bytes: Uint8Array) => void pieces.push(bytes.slice());
  await uniteSegments(loadKernel(), files, unionOf(files), { name: 'the union', replace: true, append });
  return openFilter(Buffer.concat(pieces), { writable: true });
}

/** A filter as a file of which the segments are read in order. */
function readFrom(filter: Filter, index: number): SegmentedFile {
  const { kernel: own, description, segmented } = internalsOf(filter);
  const shared = segmented();
  const segments = openSegments(shared, own, 0);
  const bytes = segmentBytes(shared.payload.shape);
  let next = 0;
  return {
    layout: 'segments',
    name: `filter ${index + 1}`,
    description: description(),
    locate: () => undefined,
    async readSegment(kernel, address) {
      const place = segments.find(next++);
      kernel.bytes(address, bytes).set(place.kernel.bytes(place.address, bytes));
    },
    finish: async () => undefined,
    close: () => {},
  };
}
