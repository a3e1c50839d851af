// Filters of one array of bits after a head that describes the whole filter.

import { BloomError } from '../errors.ts';
import { sum } from '../filters/kind.ts';
import type { BitArrayShape } from '../filters/position-rules.ts';
import type { Conversion } from '../io/conversion.ts';
import type { ByteSource } from '../io/source.ts';
import { count } from '../quantities.ts';
import type { SystemSizing } from '../sizing/systems/system.ts';
import type { ArrayBlueprint, ArrayMerging, ArrayOfUnion, FilePiece } from './array-blueprint.ts';
import { fileOfArray } from './bit-array-file.ts';
import { type Description, statedKeys } from './description.ts';
import type { BitArrayFile } from './format.ts';

/** A head and its description. */
export interface Headed {
  readonly head: Uint8Array;
  readonly description: Description;
  readonly array: BitArrayShape;
  /** Bytes of the array. */
  readonly bytes: number;
  /** Offset of the number of keys that have set a bit (u64, little-endian). Undefined if the head has no such field. */
  readonly countAt?: number;
  /** Converts all of it to the bytes of the file. */
  readonly convert?: Conversion | undefined;
}

/** The filter of a head, and what follows its bits. */
export function headedBlueprint(
  { head, description: stated, array, bytes, countAt, convert }: Headed,
  rest?: FilePiece,
): ArrayBlueprint {
  const description = { ...stated, bytes: stated.bytes ?? head.length + bytes };
  return {
    description,
    arrays: [{ shape: array, bytes }],
    countsKeys: countAt !== undefined,
    written([added = 0]) {
      const counted = countAt === undefined ? { head, description } : countedHead(head, countAt, added, description);
      const pieces = [counted.head, { array: 0, from: 0, bytes }, ...(rest === undefined ? [] : [rest])];
      return { description: counted.description, pieces, convert };
    },
  };
}

/**
 * How a filter of a head is merged with others. The head stays the same except for the number of counted keys. `more`
 * is what is added to that number, and what follows the bits stays too.
 */
export function headedMerging(
  headed: Headed,
  fields: ArrayMerging['fields'],
  rest?: FilePiece,
  more = (others: readonly Description[]) => sum(others.map(({ inserted = 0 }) => inserted)),
): ArrayMerging {
  const blueprint = headedBlueprint(headed, rest);
  return {
    fields,
    unionWith: (others) => ({
      description: blueprint.description,
      arrays: blueprint.arrays.map((array, i) => ({ ...array, from: sameArrays(i, 1 + others.length) })),
      written: () => blueprint.written([more(others.map(({ description }) => description))], () => 0),
    }),
  };
}

/**
 * The file of a filter whose head was read and has no number of keys. A new filter can therefore have the same head.
 * `fields` must be equal in a merge. Throws a `format` error if the length of the file is wrong.
 */
export function headedFile(
  source: ByteSource,
  name: string,
  headed: Headed,
  fields: ArrayMerging['fields'],
): BitArrayFile {
  const { head, description, array, bytes } = headed;
  const blueprint = headedBlueprint(headed);
  return fileOfArray(source, {
    name,
    description,
    array,
    offset: head.length,
    bytes,
    mayHaveMore: false,
    blueprint,
    like: () => blueprint,
    merging: headedMerging(headed, fields),
  });
}

/** The same array in each of a number of files. */
export function sameArrays(array: number, files: number): ArrayOfUnion['from'] {
  return Array.from({ length: files }, (_, file) => ({ file, array }));
}

/** A head with a larger number of keys that have set a bit, and its description. */
export function countedHead(head: Uint8Array, at: number, added: number, description: Description) {
  const copy = head.slice();
  const view = new DataView(copy.buffer);
  const count = BigInt.asUintN(64, view.getBigUint64(at, true) + BigInt(added));
  view.setBigUint64(at, count, true);
  return { head: copy, description: { ...description, inserted: statedKeys(count) } };
}

/** Throws a `usage` error if the fields of a head cannot hold the number of 64-bit words. */
export function requireWords({ system }: SystemSizing, bits: number, most: number): void {
  if (bits <= 64 * most) return;
  throw new BloomError(
    'usage',
    `a filter of ${system} has at most ${count(64 * most)} bits, not ${count(bits)}`,
    'state a higher -p, or make several filters of fewer keys',
  );
}
