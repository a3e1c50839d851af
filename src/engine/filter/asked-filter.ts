import type { Fill } from '../../filters/kind.ts';
import type { Description } from '../../formats/description.ts';
import type { BitsInOrder, FlatFile } from '../../formats/format.ts';
import { openFilterFile } from '../../formats/open.ts';
import type { Opening } from '../../formats/opening.ts';
import type { PositionedFile } from '../../io/positioned.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Digests } from '../input/digests.ts';
import { createMeter, type ProgressObserver } from '../input/input.ts';
import { columnsOf } from './columns.ts';
import { type FlatPayload, PAGE_BYTES, pagesOf } from './flat-payload.ts';
import { createFlatUnion } from './flat-union.ts';
import { loadOpened, openSegments, type SharedFilter, sharedPart } from './loaded-filter.ts';
import { createArrays, fillsOf, openArrays, type SharedArrays } from './shared-arrays.ts';
import { verifySegments } from './verify-segments.ts';

/** A filter that threads ask, whatever it is made of; they hand it to each other as a message. */
export type AskedFilter = SharedFilter | SharedArrays;

/** A filter that was in a file, to be asked and reported on. */
export interface LoadedAsked {
  readonly name: string;
  readonly description: Description;
  readonly asked: AskedFilter;
  /** Its file, where that can be read at any position. */
  readonly file: PositionedFile | undefined;
  /** How full its segments are, or the array: as the file says, else all of it is read and counted. */
  fills(): readonly Fill[];
  /** Reads all of it and compares it with its checksums; undefined where it has none. Throws a `format` error. */
  verify: ((observer: ProgressObserver) => Promise<void>) | undefined;
  close(): void;
}

/** Parts of a filter that digests pick as they pick segments, and that are asked one after the other. */
export function askedColumns(filter: AskedFilter): number {
  return 'arrays' in filter ? 1 : columnsOf(filter.payload);
}

/** How a thread asks a filter. */
export interface Asked {
  /** Tests digests of a column: a byte each at `hits`, in the thread's own kernel; returns the number of ones. */
  test(column: number, digests: Digests, hits: number): number;
}

/** A thread's access to a filter; `own` is its kernel, `threadIndex` its number. */
export function openAsked(filter: AskedFilter, own: Kernel, threadIndex: number): Asked {
  if (!('arrays' in filter)) return openSegments(filter, own, threadIndex);
  const { test } = openArrays(filter, own, threadIndex);
  return { test: (_, digests, hits) => test(digests, hits) };
}

/** Loads a filter of any format for so many threads, as `loadOpened` does. Throws `input`, `format` and `memory` errors. */
export async function loadAsked(
  kernel: Kernel,
  file: string,
  threadCount: number,
  use: 'ask' | 'report',
  opening: Opening = {},
  observer: ProgressObserver = {},
): Promise<LoadedAsked> {
  const opened = await openFilterFile(file, use, opening, kernel);
  if (opened.layout === 'flat') return loadArrays(kernel, opened, threadCount, observer);
  const loaded = await loadOpened(kernel, opened, threadCount, use, observer);
  return {
    ...loaded,
    asked: sharedPart(loaded),
    file: loaded.stored?.file,
    verify: (watching) => verifySegments(kernel, loaded, watching),
  };
}

async function loadArrays(
  kernel: Kernel,
  opened: FlatFile,
  threadCount: number,
  observer: ProgressObserver,
): Promise<LoadedAsked> {
  const { name, description, arrays, close } = opened;
  try {
    const asked = createArrays(arrays, threadCount);
    const file = arrays[0]?.stored?.file;
    const payloads = asked.arrays.map(({ payload }) => payload);
    if (opened.inOrder !== undefined) await loadPages(kernel, opened, opened.inOrder, payloads, observer);
    const fills = () => fillsOf(openArrays(asked, kernel, 0).arrays, asked);
    const verify = opened.isVerified ? async () => {} : undefined;
    return { name, description, asked, file, fills, verify, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Reads all pages in order. */
async function loadPages(
  kernel: Kernel,
  opened: FlatFile,
  { readBits, finish }: BitsInOrder,
  payloads: readonly FlatPayload[],
  observer: ProgressObserver,
): Promise<void> {
  const onLoaded = createMeter(
    opened.arrays.reduce((sum, { bytes }) => sum + bytes, 0),
    observer,
  );
  let page = new Uint8Array(0);
  const united = payloads.map((payload) => ({ payload, read: (_: number, into: Uint8Array) => into.set(page) }));
  const { arrays } = createFlatUnion(united, kernel, 0);
  for (const [i, { shape, bytes }] of opened.arrays.entries()) {
    for (let start = 0; start < bytes; start += PAGE_BYTES) {
      page = new Uint8Array(Math.min(PAGE_BYTES, bytes - start));
      await readBits(i, page);
      // Behind the bits there may be bytes that are none.
      if (start < PAGE_BYTES * pagesOf(shape)) arrays[i]?.find(start / PAGE_BYTES);
      await onLoaded(page.length);
    }
  }
  await finish();
}
