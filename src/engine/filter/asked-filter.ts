import type { Ones } from '../../filters/bloom.ts';
import type { Fill } from '../../filters/kind.ts';
import type { Description } from '../../formats/description.ts';
import type { BitsInFile, FlatFile } from '../../formats/format.ts';
import { openFilterFile } from '../../formats/open.ts';
import type { PositionedFile } from '../../io/positioned.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Digests } from '../input/digests.ts';
import { createMeter, type ProgressObserver } from '../input/input.ts';
import { columnsOf } from './columns.ts';
import { createFlatArray, type FlatArray } from './flat-array.ts';
import { pagesIn } from './flat-pages.ts';
import { createFlatPayload, type FlatPayload, PAGE_BYTES, pagesOf } from './flat-payload.ts';
import { loadOpened, openSegments, type SharedFilter, sharedPart } from './loaded-filter.ts';
import { verifySegments } from './verify-segments.ts';

/** A filter that threads ask, whatever it is made of; they hand it to each other as a message. */
export type AskedFilter = SharedFilter | SharedArray;

/** A filter that is an array of bits. */
interface SharedArray {
  readonly array: FlatPayload;
  /** What pages are read from when they are first wanted; without it all are there. */
  readonly bits: BitsInFile | undefined;
}

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
  return 'array' in filter ? 1 : columnsOf(filter.payload);
}

/** How a thread asks a filter. */
export interface Asked {
  /** Tests digests of a column: a byte each at `hits`, in the thread's own kernel; returns the number of ones. */
  test(column: number, digests: Digests, hits: number): number;
}

/** A thread's access to a filter; `own` is its kernel, `threadIndex` its number. */
export function openAsked(filter: AskedFilter, own: Kernel, threadIndex: number): Asked {
  if (!('array' in filter)) return openSegments(filter, own, threadIndex);
  const array = openArray(filter, own, threadIndex);
  return { test: (_, digests, hits) => array.test(digests, hits) };
}

function openArray({ array, bits }: SharedArray, own: Kernel, threadIndex: number): FlatArray {
  return createFlatArray(array, own, threadIndex, bits && pagesIn(bits));
}

/** Loads a filter of any format for so many threads, as `loadFilter` does. Throws `input`, `format` and `memory` errors. */
export async function loadAsked(
  kernel: Kernel,
  file: string,
  threadCount: number,
  use: 'ask' | 'report',
  observer: ProgressObserver = {},
): Promise<LoadedAsked> {
  const opened = await openFilterFile(file, use, kernel);
  if (opened.layout === 'flat') return loadArray(kernel, opened, threadCount, observer);
  const loaded = await loadOpened(kernel, opened, threadCount, use, observer);
  return {
    ...loaded,
    asked: sharedPart(loaded),
    file: loaded.stored?.file,
    verify: (watching) => verifySegments(kernel, loaded, watching),
  };
}

async function loadArray(
  kernel: Kernel,
  opened: FlatFile,
  threadCount: number,
  observer: ProgressObserver,
): Promise<LoadedAsked> {
  const { name, description, bits, close } = opened;
  try {
    const asked = { array: createFlatPayload(opened.array, threadCount), bits };
    if (bits === undefined) await loadPages(kernel, opened, asked, observer);
    const fills = (): Ones[] => [{ ones: openArray(asked, kernel, 0).ones() }];
    return { name, description, asked, file: bits?.file, fills, verify: undefined, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Reads all pages in order. */
async function loadPages(
  kernel: Kernel,
  opened: FlatFile,
  asked: SharedArray,
  observer: ProgressObserver,
): Promise<void> {
  const bytes = 8 * Math.ceil(opened.array.bits / 64);
  const onLoaded = createMeter(bytes, observer);
  let page = new Uint8Array(0);
  const array = createFlatArray(asked.array, kernel, 0, (_, into) => into.set(page));
  for (let i = 0; i < pagesOf(opened.array); i++) {
    page = new Uint8Array(Math.min(PAGE_BYTES, bytes - i * PAGE_BYTES));
    await opened.readBits(page);
    array.find(i);
    await onLoaded(page.length);
  }
  await opened.finish();
}
