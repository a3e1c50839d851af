import { damaged } from '../../errors.ts';
import type { InMemory } from '../../filters/drafts.ts';
import type { FilterKind, Shape } from '../../filters/kind.ts';
import { kindWithId } from '../../filters/registry.ts';
import { readStored, type StoredSegments } from '../../formats/stored-segments.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { allOf, rangeOf } from '../../sizing/share.ts';
import { columnsOf } from './columns.ts';
import type { Place } from './paged-memory.ts';
import { createPayload, type Payload } from './payload.ts';
import { createSegments, type Segments } from './segments.ts';
import type { StoreMessage } from './store-access.ts';

/** A filter of segments that threads work on. Threads pass this to each other as a message. */
export interface SharedSegments extends StoreMessage {
  readonly type: 'segments';
  /** The id of the kind. */
  readonly kind: number;
  readonly payload: Payload;
  /** The source of segments when they are first needed; without it, segments begin empty. */
  readonly stored: StoredSegments | undefined;
}

/** The message for a payload of a kind. */
export function sharedSegments(kind: number, payload: Payload, stored?: StoredSegments): SharedSegments {
  const { shape } = payload;
  const range = shape.chain === undefined ? rangeOf(shape) : allOf(columnsOf(payload));
  return { type: 'segments', range, kind, payload, stored };
}

/** A new filter for `threadCount` threads, whose segments begin empty. `limit` is the size of one memory. */
export function createFilter(kind: FilterKind, shape: Shape, threadCount: number, limit?: number): SharedSegments {
  return sharedSegments(kind.id, createPayload(shape, threadCount, limit, kind));
}

/** The same filter, but its segments are changed in place and have no drafts. */
export function createFilterInPlace(kind: FilterKind, shape: Shape, threadCount: number): SharedSegments {
  const payload = createPayload(shape, threadCount, undefined, withoutDrafts(kind));
  return sharedSegments(kind.id, payload);
}

/** The memory that a filter of this kind needs besides its segments if it is only queried, or is changed in place. */
export function withoutDrafts({ tallyBytes }: FilterKind): InMemory {
  return tallyBytes === undefined ? {} : { tallyBytes };
}

/** A thread's access to a filter. `own` is the thread's kernel, `threadIndex` its number. */
export function openSegments({ kind, payload, stored }: SharedSegments, own: Kernel, threadIndex: number): Segments {
  const kindOfAll = kindWithId(kind, 'the filter');
  const load = stored && ((segment: number, place: Place) => loadSegment(kindOfAll, stored, segment, place));
  return createSegments(payload, kindOfAll, own, threadIndex, load);
}

/** Reads a segment of a file, and rejects an impossible one. Throws `input` and `format` errors. */
export function loadSegment(kind: FilterKind, stored: StoredSegments, segment: number, place: Place): void {
  readStored(stored, segment, place.kernel, place.address);
  requirePossible(kind, { ...stored, name: stored.file.name }, segment, place);
}

/** Rejects a segment with a correct checksum that no keys can produce: work that trusts its content could run for ever. */
export function requirePossible(
  kind: FilterKind,
  {
    name,
    count,
    segmentBytes: bytes,
    first = 0,
  }: Pick<StoredSegments, 'count' | 'segmentBytes' | 'first'> & {
    readonly name: string;
  },
  segment: number,
  { kernel, address }: Place,
): void {
  if (kind.isSegment?.(kernel.bytes(address, bytes)) ?? true) return;
  throw damaged(name, `segment ${first + segment + 1} of ${count} is impossible for a ${kind.name} filter`);
}
