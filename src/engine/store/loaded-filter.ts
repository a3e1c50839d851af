import { damaged } from '../../errors.ts';
import type { InMemory } from '../../filters/drafts.ts';
import type { Fill, FilterKind, Shape } from '../../filters/kind.ts';
import { kindWithId } from '../../filters/registry.ts';
import type { Description, OwnDescription } from '../../formats/description.ts';
import type { FlatDraft } from '../../formats/flat-draft.ts';
import type { FormatAbility, SegmentedFile, StatedFills } from '../../formats/format.ts';
import { readStored, type StoredSegments } from '../../formats/stored-segments.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { payloadBytes, segmentBytes } from '../../sizing/geometry.ts';
import { allOf, rangeOf } from '../../sizing/share.ts';
import { createMeter, type ProgressObserver } from '../input/progress.ts';
import { columnsOf } from './columns.ts';
import type { Place } from './paged-memory.ts';
import { createPayload, type Payload, requireMemory } from './payload.ts';
import { createSegments, type Segments } from './segments.ts';
import type { SharedArrays } from './shared-arrays.ts';
import type { StoreMessage } from './store-access.ts';

/** A filter of segments that threads work on; they hand it to each other as a message. */
export interface SharedFilter extends StoreMessage {
  readonly type: 'segments';
  /** Id of the kind. */
  readonly kind: number;
  readonly payload: Payload;
  /** What segments are read from when they are first wanted; without it they begin empty. */
  readonly stored: StoredSegments | undefined;
}

/** A filter that was in a file. */
export interface LoadedFilter extends SharedFilter {
  readonly name: string;
  readonly description: OwnDescription;
  /** How full each segment is: as the file says, else all of them are read and counted. */
  fills(): readonly Fill[];
  close(): void;
}

/** A filter of arrays that was in a file, to be changed. */
export interface LoadedArrays {
  readonly name: string;
  readonly description: Description;
  readonly draft: FlatDraft;
  readonly shared: SharedArrays;
  close(): void;
}

/** What other threads need of a filter. */
export function sharedPart({ type, range, kind, payload, stored }: SharedFilter): SharedFilter {
  return { type, range, kind, payload, stored };
}

/** The message for a payload of a kind. */
export function sharedFilter(kind: number, payload: Payload, stored?: StoredSegments): SharedFilter {
  const { shape } = payload;
  const range = shape.chain === undefined ? rangeOf(shape) : allOf(columnsOf(payload));
  return { type: 'segments', range, kind, payload, stored };
}

/** A new filter for so many threads, whose segments begin empty; its memories may have a limit. */
export function createFilter(kind: FilterKind, shape: Shape, threadCount: number, limit?: number): SharedFilter {
  return sharedFilter(kind.id, createPayload(shape, threadCount, limit, kind));
}

/** The same whose segments are changed where they are, and not by way of drafts. */
export function createFilterInPlace(kind: FilterKind, shape: Shape, threadCount: number): SharedFilter {
  const payload = createPayload(shape, threadCount, undefined, withoutDrafts(kind));
  return sharedFilter(kind.id, payload);
}

/**
 * Loads a filter that is open for so many threads: of a regular file only what it says of itself, its segments when they are
 * wanted; of a pipe, or of bytes in memory, everything. Closes it if that fails. Throws `input`, `format` and `memory` errors.
 */
export async function loadOpened(
  kernel: Kernel,
  opened: SegmentedFile,
  threadCount: number,
  use: FormatAbility,
  observer: ProgressObserver = {},
): Promise<LoadedFilter> {
  try {
    return (
      locatedFilter(kernel, opened, threadCount, use) ?? (await loadWhole(kernel, opened, threadCount, use, observer))
    );
  } catch (error) {
    opened.close();
    throw error;
  }
}

/** A filter whose segments can be read at any position; undefined for one that is read in order. */
export function locatedFilter(
  kernel: Kernel,
  opened: SegmentedFile,
  threadCount: number,
  use: FormatAbility,
): LoadedFilter | undefined {
  const located = opened.locate(kernel);
  if (located === undefined) return undefined;
  const { kind, shape } = opened.description;
  const payload = createPayload(shape, threadCount, undefined, use === 'change' ? kind : withoutDrafts(kind));
  return loadedFilter(kernel, opened, sharedFilter(kind.id, payload, located.stored), located.fills);
}

/** What a filter has in memory that is only asked, or changed in place. */
function withoutDrafts({ tallyBytes }: FilterKind): InMemory {
  return tallyBytes === undefined ? {} : { tallyBytes };
}

async function loadWhole(
  kernel: Kernel,
  opened: SegmentedFile,
  threadCount: number,
  use: FormatAbility,
  observer: ProgressObserver,
): Promise<LoadedFilter> {
  const { name, description } = opened;
  const { kind, shape } = description;
  requireMemory(shape);
  const payload = createPayload(shape, threadCount, undefined, use === 'change' ? kind : withoutDrafts(kind));
  const segments = createSegments(payload, kind, kernel, 0, () => {});
  const onLoaded = createMeter(payloadBytes(shape), observer);
  for (let i = 0; i < shape.segments; i++) {
    const place = segments.find(i);
    await opened.readSegment(place.kernel, place.address);
    requirePossible(kind, { name, count: shape.segments, segmentBytes: segmentBytes(shape) }, i, place);
    await onLoaded(segmentBytes(shape));
  }
  const fills = await opened.finish(kernel);
  return loadedFilter(kernel, opened, sharedFilter(kind.id, payload), fills);
}

function loadedFilter(
  kernel: Kernel,
  { name, description, close }: SegmentedFile,
  shared: SharedFilter,
  stated: StatedFills | undefined,
): LoadedFilter {
  const fills = stated ?? (() => openSegments(shared, kernel, 0).fills());
  return { ...shared, name, description, fills, close };
}

/** A thread's access to a filter; `own` is its kernel, `threadIndex` its number. */
export function openSegments({ kind, payload, stored }: SharedFilter, own: Kernel, threadIndex: number): Segments {
  const kindOfAll = kindWithId(kind, 'the filter');
  const load = stored && ((segment: number, place: Place) => loadSegment(kindOfAll, stored, segment, place));
  return createSegments(payload, kindOfAll, own, threadIndex, load);
}

/** Reads a segment of a file and refuses what cannot be one. Throws `input` and `format` errors. */
export function loadSegment(kind: FilterKind, stored: StoredSegments, segment: number, place: Place): void {
  readStored(stored, segment, place.kernel, place.address);
  requirePossible(kind, { ...stored, name: stored.file.name }, segment, place);
}

/** Refuses a segment with the right checksum that no keys make: what is done on its word could take for ever. */
function requirePossible(
  kind: FilterKind,
  { name, count, segmentBytes: bytes }: Pick<StoredSegments, 'count' | 'segmentBytes'> & { readonly name: string },
  segment: number,
  { kernel, address }: Place,
): void {
  if (kind.isSegment?.(kernel.bytes(address, bytes)) ?? true) return;
  throw damaged(name, `segment ${segment + 1} of ${count} is none that a ${kind.name} filter can have`);
}
