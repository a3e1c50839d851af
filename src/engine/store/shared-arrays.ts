import type { Slots } from '../../filters/cuckoo.ts';
import type { Fill } from '../../filters/kind.ts';
import { type BitArrayShape, POSITION_RULES, type PositionRule } from '../../filters/position-rules.ts';
import type { Signatures } from '../../filters/signatures.ts';
import type { StoredBits } from '../../formats/format.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { allOf } from '../../sizing/share.ts';
import type { BitArray } from './bit-array.ts';
import { pagesIn } from './bit-array-pages.ts';
import { type BitArrayPayload, createBitArrayPayloads } from './bit-array-payload.ts';
import { type OpenArrays, openArraysInMemory } from './open-arrays.ts';
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
  readonly payload: BitArrayPayload;
  /** The source of pages when they are first needed; undefined if all pages are present. */
  readonly stored: StoredBits | undefined;
}

/** Arrays for `threadCount` threads, which begin empty or with the content of a file. Throws a `memory` error. */
export function createArrays(
  arrays: readonly { readonly shape: BitArrayShape; readonly stored?: StoredBits | undefined }[],
  threadCount: number,
): SharedArrays {
  const payloads = createBitArrayPayloads(
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
  const together = arrays.map(({ payload, stored }) => ({ payload, read: stored && pagesIn(stored, own) }));
  return openArraysInMemory(together, own, threadIndex);
}

/**
 * The fill of each array. An array with buckets has one fill per bucket, and per bucket-sized section of what follows them. An array with
 * parts has one fill per part.
 */
export function fillsOf(arrays: readonly BitArray[], { arrays: shared }: SharedArrays): Fill[] {
  return arrays.flatMap((array, i) => {
    const shape = shared[i]?.payload.shape;
    return shape === undefined ? [] : fillOf(array, shape);
  });
}

function fillOf(array: BitArray, { rule, buckets, parts, hasSlots }: BitArrayShape): Fill[] {
  if (hasSlots) return [{ used: array.usedSlots(), repeated: 0 } satisfies Slots];
  const { inBlocks }: PositionRule = POSITION_RULES[rule];
  if (inBlocks) return [array.blockSums()];
  if (parts !== undefined)
    return parts.map(({ first, bits, lineBits = bits }) => ({ lines: array.fills(lineBits, first, bits) }));
  const ones = buckets === undefined ? [array.ones()] : [...array.fills(buckets.bits)];
  return ones.map((count) => ({ ones: count }));
}
