import { damaged } from '../../errors.ts';
import type { FilterKind, Shape } from '../../filters/kind.ts';
import { kindOf, kindWithId } from '../../filters/registry.ts';
import { kernelChecksum } from '../../formats/bloomery/checksum.ts';
import type { Header } from '../../formats/bloomery/header.ts';
import { openFilter } from '../../formats/bloomery/reader.ts';
import { closeStore, openStore, readSegment, type Store } from '../../formats/bloomery/store.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { payloadBytes, segmentBytes } from '../../sizing/geometry.ts';
import { createMeter, type ProgressObserver } from '../input/input.ts';
import { createPayload, type Payload, requireMemory } from './payload.ts';
import type { Place } from './segment-memories.ts';
import { createSegments, type Segments } from './segments.ts';

/** A filter that threads work on; they hand it to each other as a message. */
export interface SharedFilter {
  /** Id of the kind. */
  readonly kind: number;
  readonly payload: Payload;
  /** The file that segments are read from when they are first wanted; without one they begin empty. */
  readonly store: Store | undefined;
}

/** A filter that was in a file. */
export interface LoadedFilter extends SharedFilter {
  readonly name: string;
  readonly header: Header;
  /** How full each segment is, as the table of the file has it. */
  readonly fill: readonly number[];
  close(): void;
}

/** What other threads need of a filter. */
export function sharedPart({ kind, payload, store }: SharedFilter): SharedFilter {
  return { kind, payload, store };
}

/** A new filter for so many threads, whose segments begin empty; its memories may have a limit. */
export function createFilter(kind: FilterKind, shape: Shape, threadCount: number, limit?: number): SharedFilter {
  return { kind: kind.id, payload: createPayload(shape, threadCount, limit, kind.drafts), store: undefined };
}

/**
 * Loads a filter for so many threads: of a regular file only header and table, its segments when they are wanted; of a
 * pipe, which cannot be changed, everything. Throws `input`, `format` and `memory` errors.
 */
export async function loadFilter(
  kernel: Kernel,
  file: string,
  threadCount: number,
  use: 'ask' | 'change' = 'ask',
  observer: ProgressObserver = {},
): Promise<LoadedFilter> {
  const store = await openStore(kernel, file, kindOf);
  if (store === undefined) return loadWhole(kernel, file, threadCount, observer);
  try {
    const { name } = store.file;
    const { header, fill } = store;
    const kind = kindWithId(header.kind, name);
    const payload = createPayload(header, threadCount, undefined, use === 'change' ? kind.drafts : undefined);
    return { name, header, kind: kind.id, fill, payload, store, close: () => closeStore(store) };
  } catch (error) {
    closeStore(store);
    throw error;
  }
}

async function loadWhole(
  kernel: Kernel,
  file: string,
  threadCount: number,
  observer: ProgressObserver,
): Promise<LoadedFilter> {
  const reader = await openFilter(file, kernelChecksum(kernel));
  try {
    const { name, header } = reader;
    const kind = kindOf(header, name);
    requireMemory(header);
    const payload = createPayload(header, threadCount);
    const segments = createSegments(payload, kind, kernel, 0, () => {});
    const onLoaded = createMeter(payloadBytes(header), observer);
    for (let i = 0; i < header.segments; i++) {
      const place = segments.find(i);
      await reader.readSegment(place.kernel, place.address);
      requirePossible(kind, reader, i, place);
      await onLoaded(segmentBytes(header));
    }
    const fill = await reader.finish(kernel);
    return { name, header, kind: kind.id, fill, payload, store: undefined, close() {} };
  } finally {
    reader.close();
  }
}

/** A thread's access to a filter; `own` is its kernel, `threadIndex` its number. */
export function openSegments({ kind, payload, store }: SharedFilter, own: Kernel, threadIndex: number): Segments {
  const kindOfAll = kindWithId(kind, 'the filter');
  const load = store && ((segment: number, place: Place) => loadSegment(kindOfAll, store, segment, place));
  return createSegments(payload, kindOfAll, own, threadIndex, load);
}

/** Reads a segment of a file and refuses what cannot be one. Throws `input` and `format` errors. */
export function loadSegment(kind: FilterKind, store: Store, segment: number, place: Place): void {
  readSegment(store, segment, place.kernel, place.address);
  requirePossible(kind, { name: store.file.name, header: store.header }, segment, place);
}

/** Refuses a segment with the right checksum that no keys make: what is done on its word could take for ever. */
function requirePossible(
  kind: FilterKind,
  { name, header }: { readonly name: string; readonly header: Header },
  segment: number,
  { kernel, address }: Place,
): void {
  if (kind.isSegment?.(kernel.bytes(address, segmentBytes(header))) ?? true) return;
  throw damaged(name, `segment ${segment + 1} of ${header.segments} is none that a ${kind.name} filter can have`);
}
