import type { Fill } from '../../filters/kind.ts';
import { onesOfRows, rowsWith, type Signatures } from '../../filters/signatures.ts';
import type { Description } from '../../formats/description.ts';
import type { BitsInOrder, FilteredPart, FilterFile, FlatFile, SignatureFile } from '../../formats/format.ts';
import { openEachFilter, openFilterFile } from '../../formats/open.ts';
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
export type AskedFilter = SharedFilter | SharedArrays | SharedSignatures;

/** Signatures of rows, of which any may have a key. */
export interface SharedSignatures {
  readonly signatures: Signatures;
}

/** A filter that was in a file, to be asked and reported on. */
export interface LoadedAsked {
  readonly name: string;
  readonly description: Description;
  readonly asked: AskedFilter;
  /** Its file, where that can be read at any position. */
  readonly file: PositionedFile | undefined;
  /** What each of its arrays is the filter of, where it is one of a file of many. */
  readonly parts: readonly FilteredPart[];
  /** Where in the file keys are of which it has no filter. */
  readonly unfiltered: readonly string[];
  /** How full its segments are, or the array: as the file says, else all of it is read and counted. */
  fills(): readonly Fill[];
  /** Reads all of it and compares it with its checksums; undefined where it has none. Throws a `format` error. */
  verify: ((observer: ProgressObserver) => Promise<void>) | undefined;
  close(): void;
}

/** Parts of a filter that digests pick as they pick segments, and that are asked one after the other. */
export function askedColumns(filter: AskedFilter): number {
  return 'payload' in filter ? columnsOf(filter.payload) : 1;
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

/** How a filter is loaded: for so many threads, for what, and as what is stated of it. */
export interface Loading {
  readonly threadCount: number;
  readonly use: 'ask' | 'report';
  readonly opening?: Opening;
  readonly observer?: ProgressObserver;
}

/** Loads a filter of any format, as `loadOpened` does. Throws `input`, `format` and `memory` errors. */
export async function loadAsked(kernel: Kernel, file: string, loading: Loading): Promise<LoadedAsked> {
  const { use, opening } = loading;
  return loadFile(kernel, await openFilterFile(file, use, opening, kernel), loading);
}

/**
 * Loads the filters of a file one after the other: of each column, where it has filters of several and not one is asked. Closes
 * them once all were taken.
 */
export async function* loadEach(kernel: Kernel, file: string, loading: Loading): AsyncGenerator<LoadedAsked> {
  const { use, opening } = loading;
  const files = await openEachFilter(file, use, opening, kernel);
  try {
    for (const opened of files) yield await loadFile(kernel, { ...opened, close: () => {} }, loading);
  } finally {
    for (const { close } of files) close();
  }
}

async function loadFile(kernel: Kernel, opened: FilterFile, loading: Loading): Promise<LoadedAsked> {
  const { threadCount, use, observer = {} } = loading;
  if (opened.layout === 'flat') return loadArrays(kernel, opened, threadCount, observer);
  if (opened.layout === 'signatures') return loadSignatures(opened);
  const loaded = await loadOpened(kernel, opened, threadCount, use, observer);
  return {
    ...loaded,
    asked: sharedPart(loaded),
    file: loaded.stored?.file,
    parts: [],
    unfiltered: [],
    verify: (watching) => verifySegments(kernel, loaded, watching),
  };
}

function loadSignatures({ name, description, signatures, close }: SignatureFile): LoadedAsked {
  const fills = () => [onesOfRows(signatures)];
  const nothing = { file: undefined, parts: [], unfiltered: [], verify: undefined };
  return { name, description, asked: { signatures }, ...nothing, fills, close };
}

async function loadArrays(
  kernel: Kernel,
  opened: FlatFile,
  threadCount: number,
  observer: ProgressObserver,
): Promise<LoadedAsked> {
  const { name, description, arrays, unfiltered = [], close } = opened;
  try {
    const shared = createArrays(arrays, threadCount);
    const asked = unfiltered.length === 0 ? shared : { ...shared, isPartial: true as const };
    const file = arrays[0]?.stored?.file;
    const payloads = asked.arrays.map(({ payload }) => payload);
    if (opened.inOrder !== undefined) await loadPages(kernel, opened, opened.inOrder, payloads, observer);
    const fills = () => fillsOf(openArrays(asked, kernel, 0).arrays, asked);
    const verify = opened.verified && (async () => void (opened.verified === 'read' && fills()));
    const parts = arrays.flatMap(({ part, parts: ranged }) => ranged ?? part ?? []);
    return { name, description, asked, file, parts, unfiltered, fills, verify, close };
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
