import { rowsWith, type Signatures } from '../../filters/signatures.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { allOf, rangeOf, type SegmentRange } from '../../sizing/share.ts';
import type { Digests } from '../input/digests.ts';
import { columnsOf } from './columns.ts';
import { pagesOf } from './flat-payload.ts';
import { openSegments, type SharedFilter } from './loaded-filter.ts';
import { openArrays, type SharedArrays } from './shared-arrays.ts';

/** A filter that threads ask, whatever it is made of; they hand it to each other as a message. */
export type AskedFilter = SharedFilter | SharedArrays | SharedSignatures;

/** Signatures of rows, of which any may have a key. */
export interface SharedSignatures {
  readonly signatures: Signatures;
}

/** What of a filter digests pick as they pick segments, and that is asked one after the other. */
export function askedRange(filter: AskedFilter): SegmentRange {
  if (!('payload' in filter)) return allOf(1);
  const { shape } = filter.payload;
  return shape.share === undefined ? allOf(columnsOf(filter.payload)) : rangeOf(shape);
}

/** How a thread asks a filter. */
export interface Asked {
  /** Tests digests of a column: a byte each at `hits`, in the thread's own kernel; returns the number of ones. */
  test(column: number, digests: Digests, hits: number): number;
}

/** A thread's access to a filter; `own` is its kernel, `threadIndex` its number. */
export function openAsked(filter: AskedFilter, own: Kernel, threadIndex: number): Asked {
  if ('signatures' in filter) return openSignatures(filter, own);
  if (!('arrays' in filter)) return openSegments(filter, own, threadIndex);
  if (filter.isPartial) return { test: (_, { count }, hits) => own.bytes(hits, count).fill(1).length };
  const { test } = openArrays(filter, own, threadIndex);
  return { test: (_, digests, hits) => test(digests, hits) };
}

/** Reads all of a filter, whose parts are else read when they are first wanted: what becomes of its file is of no account then. */
export function readAll(filter: AskedFilter, own: Kernel): void {
  if ('signatures' in filter) return;
  if ('arrays' in filter) {
    const { arrays } = openArrays(filter, own, 0);
    for (const [i, { payload }] of filter.arrays.entries())
      for (let page = 0; page < pagesOf(payload.shape); page++) arrays[i]?.find(page);
    return;
  }
  const { find } = openSegments(filter, own, 0);
  for (let segment = 0; segment < filter.payload.shape.segments; segment++) find(segment);
}

/** A key may be present if any row has it. */
function openSignatures({ signatures }: SharedSignatures, own: Kernel): Asked {
  return {
    test(_, { address, count }, hits) {
      const hashes = new BigUint64Array(own.memory.buffer, address, count);
      const answers = own.bytes(hits, count);
      let found = 0;
      for (let i = 0; i < count; i++) {
        const isFound = rowsWith(signatures, Number(hashes[i])).next().done === true ? 0 : 1;
        answers[i] = isFound;
        found += isFound;
      }
      return found;
    },
  };
}
