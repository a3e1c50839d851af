import { bytesInMemory } from '../../filters/drafts.ts';
import type { Shape } from '../../filters/kind.ts';
import { kindWithId } from '../../filters/registry.ts';
import { partOf, rangeOf } from '../../sizing/share.ts';
import { createPayload, emptiedPayload, type Payload } from './payload.ts';
import { type SharedSegments, sharedSegments, withoutDrafts } from './shared-segments.ts';
import type { SharedStore } from './store.ts';

/** A filter in a file, of which one part at a time is in memory. */
export interface FilterParts {
  /** Segments of the whole filter. */
  readonly segments: number;
  readonly parts: number;
  readonly shape: Shape;
  /** The shape of part `part`, counted from 1. */
  shapeOf(part: number): Shape;
  /** Part `part`, counted from 1. It uses the memory of the part before, which no thread may use any more. */
  open(part: number): SharedSegments;
}

/**
 * Divides a filter into parts of at most `most` bytes, or of one segment. Undefined for a filter that cannot be read in parts: a pipe, a
 * filter that has grown, a part of a filter, and filters of other systems, in which the positions of a key can be anywhere.
 */
export function partsWithin(store: SharedStore, most: number): FilterParts | undefined {
  if (store.type !== 'segments' || store.stored === undefined) return undefined;
  const { payload: whole, kind, stored } = store;
  const { shape, scratches } = whole;
  if (shape.chain !== undefined || shape.share !== undefined) return undefined;
  const kindOfAll = kindWithId(kind, 'the filter');
  const inMemory = whole.drafts ? kindOfAll : withoutDrafts(kindOfAll);
  const parts = Math.ceil(shape.segments / Math.max(1, Math.floor(most / bytesInMemory(shape, inMemory))));
  // The last part is one of the largest: parts differ by at most one segment.
  const largest = partOf(shape, parts, parts);
  let payload: Payload | undefined;
  return {
    segments: shape.segments,
    parts,
    shape,
    shapeOf: (part) => partOf(shape, part, parts),
    open(part) {
      payload ??= createPayload(largest, scratches.length, undefined, inMemory);
      const shapeOfPart = partOf(shape, part, parts);
      const { first } = rangeOf(shapeOfPart);
      return sharedSegments(kind, emptiedPayload(payload, shapeOfPart), { ...stored, first });
    },
  };
}
