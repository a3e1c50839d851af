import type { Signatures } from '../../filters/signatures.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { allOf, rangeOf, type SegmentRange } from '../../sizing/share.ts';
import type { Digests } from '../input/digests.ts';
import { columnsOf } from './columns.ts';
import { openSegments, type SharedFilter } from './loaded-filter.ts';
import type { SharedArrays } from './shared-arrays.ts';

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
  return shape.chain === undefined ? rangeOf(shape) : allOf(columnsOf(filter.payload));
}

/** How a thread asks a filter. */
export interface Asked {
  /** Tests digests of a column: a byte each at `hits`, in the thread's own kernel; returns the number of ones. */
  test(column: number, digests: Digests, hits: number): number;
}

/** A thread's access to a filter, the code for which is loaded if it is of another system; `own` is its kernel, `threadIndex` its number. */
export async function openAsked(filter: AskedFilter, own: Kernel, threadIndex: number): Promise<Asked> {
  if ('payload' in filter) return openSegments(filter, own, threadIndex);
  return (await import('./asked-arrays.ts')).openAskedArrays(filter, own, threadIndex);
}

/** Reads all of a filter, whose parts are else read when they are first wanted: what becomes of its file is of no account then. */
export async function readAll(filter: AskedFilter, own: Kernel): Promise<void> {
  if (!('payload' in filter)) return (await import('./asked-arrays.ts')).readPages(filter, own);
  const { find } = openSegments(filter, own, 0);
  for (let segment = 0; segment < filter.payload.shape.segments; segment++) find(segment);
}
