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

/** A filter that is one array of bits, or several of which any may have a key. Threads hand it to each other as a message. */
export interface SharedArrays extends StoreMessage {
  readonly type: 'arrays';
  readonly arrays: readonly SharedArray[];
  /** Keys may be where there is no array that could tell, so that any may be present. */
  readonly isPartial?: true;
}

/** Signatures of rows, of which any may have a key. */
export interface SharedRows extends StoreMessage {
  readonly type: 'rows';
  readonly signatures: Signatures;
}

export interface SharedArray {
  readonly payload: FlatPayload;
  /** What pages are read from when they are first wanted; without it all are there. */
  readonly stored: StoredBits | undefined;
}

/** Arrays for so many threads, which begin empty or with what a file has. Throws a `memory` error. */
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

/** A thread's access to them; `own` is its kernel, `threadIndex` its number. */
export function openArrays({ arrays }: SharedArrays, own: Kernel, threadIndex: number): OpenArrays {
  const united = arrays.map(({ payload, stored }) => ({ payload, read: stored && pagesIn(stored, own) }));
  return createFlatUnion(united, own, threadIndex);
}

/** How full arrays are: each of them or, where it has buckets, each of these and what follows them, in parts of the same size; or each of its parts. */
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
