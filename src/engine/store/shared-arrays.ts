import type { Fill } from '../../filters/kind.ts';
import { type FlatShape, POSITION_RULES, type PositionRule } from '../../filters/position-rules.ts';
import type { Signatures } from '../../filters/signatures.ts';
import type { StoredBits } from '../../formats/format.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { allOf } from '../../sizing/share.ts';
import type { FlatArray } from './flat-array.ts';
import { pagesIn } from './flat-pages.ts';
import { createFlatPayloads, type FlatPayload } from './flat-payload.ts';
import { createFlatUnion, type OpenArrays } from './flat-union.ts';
import type { StoreMessage } from './store-access.ts';

/** A filter that is one bit array, or several, any of which may have a key. Threads pass this to each other as a message. */
export interface SharedArrays extends StoreMessage {
  readonly type: 'arrays';
  readonly arrays: readonly SharedArray[];
  /** Some keys are covered by no array, so any key may be present. */
  readonly isPartial?: true;
}

/** Signatures of rows, any of which may have a key. */
export interface SharedRows extends StoreMessage {
  readonly type: 'rows';
  readonly signatures: Signatures;
}

export interface SharedArray {
  readonly payload: FlatPayload;
  /** Where pages are read from when they are first needed; undefined if all pages are present. */
  readonly stored: StoredBits | undefined;
}

/** Arrays for `threadCount` threads, which begin empty or with the content of a file. Throws a `memory` error. */
export function createArrays(
  arrays: readonly { readonly shape: FlatShape; readonly stored?: StoredBits | undefined }[],
  threadCount: number,
): SharedArrays {
  const payloads = createFlatPayloads(
    arrays.map(({ shape }) => shape),
    threadCount,
  );
  return {
    type: 'arrays',
    range: allOf(1),
    arrays: payloads.map((payload, i) => ({ payload, stored: arrays[i]?.stored })),
  };
}

/** A thread's access to arrays. `own` is the thread's kernel, `threadIndex` its number. */
export function openArrays({ arrays }: SharedArrays, own: Kernel, threadIndex: number): OpenArrays {
  const united = arrays.map(({ payload, stored }) => ({ payload, read: stored && pagesIn(stored, own) }));
  return createFlatUnion(united, own, threadIndex);
}

/**
 * The fill of each array. An array with buckets has one fill per bucket, and per bucket-sized section of what follows them. An array with
 * parts has one fill per part.
 */
export function fillsOf(arrays: readonly FlatArray[], { arrays: shared }: SharedArrays): Fill[] {
  return arrays.flatMap((array, i) => {
    const shape = shared[i]?.payload.shape;
    return shape === undefined ? [] : fillOf(array, shape);
  });
}

function fillOf(array: FlatArray, { rule, buckets, parts, hasSlots }: FlatShape): Fill[] {
  if (hasSlots) return [{ taken: array.taken(), repeated: 0 }];
  const { inBlocks }: PositionRule = POSITION_RULES[rule];
  if (inBlocks) return [array.blockSums()];
  if (parts !== undefined)
    return parts.map(({ first, bits, lineBits = bits }) => ({ lines: array.fills(lineBits, first, bits) }));
  const ones = buckets === undefined ? [array.ones()] : [...array.fills(buckets.bits)];
  return ones.map((count) => ({ ones: count }));
}
