import type { SegmentedFile } from '../formats/format.ts';
import type { Filter } from './filter.ts';
import { internalsOf } from './handle.ts';

/** A filter as it is now, as a file with segments that are read in order. */
export function readFrom(filter: Filter, index: number): SegmentedFile {
  const current = internalsOf(filter);
  const { description, read, release } = current.snapshot();
  return {
    layout: 'segments',
    name: `filter ${index + 1}`,
    description,
    locate: () => undefined,
    async readSegment(kernel, address) {
      read(kernel, address);
      return undefined;
    },
    finish: async () => undefined,
    close: release,
  };
}
