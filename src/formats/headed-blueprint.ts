// Filters of one array of bits behind a head that says everything of them.

import { BloomError } from '../errors.ts';
import { sum } from '../filters/kind.ts';
import type { FlatShape } from '../filters/position-rules.ts';
import type { Conversion } from '../io/conversion.ts';
import type { ByteSource } from '../io/source.ts';
import { count } from '../quantities.ts';
import type { SystemSizing } from '../sizing/systems/system.ts';
import type { ArrayBlueprint, FilePiece, FlatMerging, UnitedArray } from './array-blueprint.ts';
import { type Description, statedKeys } from './description.ts';
import { flatFile } from './flat-file.ts';
import type { FlatFile } from './format.ts';

/** A head, and what it says. */
export interface Headed {
  readonly head: Uint8Array;
  readonly description: Description;
  readonly array: FlatShape;
  /** Bytes of the array. */
  readonly bytes: number;
  /** Where the head has the keys that have set a bit, a u64, little-endian; undefined where it does not say. */
  readonly countAt?: number;
  /** What its file has in the place of all that. */
  readonly convert?: Conversion | undefined;
}

/** The filter of a head, with what follows its bits. */
export function headedBlueprint(
  { head, description, array, bytes, countAt, convert }: Headed,
  rest?: FilePiece,
): ArrayBlueprint {
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

/** How a filter of a head is merged with others: its head stays, but for the keys that are counted, and what follows its bits. `more` says how many are added to its count. */
export function headedMerging(
  headed: Headed,
  fields: FlatMerging['fields'],
  rest?: FilePiece,
  more = (others: readonly Description[]) => sum(others.map(({ inserted = 0 }) => inserted)),
): FlatMerging {
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
 * The file of a filter whose head was read, and says nothing of keys: a new filter is like it as it is. `fields` are what must be
 * equal where it is merged. Throws a `format` error for one that has not the length that it should.
 */
export function headedFile(source: ByteSource, name: string, headed: Headed, fields: FlatMerging['fields']): FlatFile {
  const { head, description, array, bytes } = headed;
  const blueprint = headedBlueprint(headed);
  return flatFile(source, {
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

/** An array of a number in so many files. */
export function sameArrays(array: number, files: number): UnitedArray['from'] {
  return Array.from({ length: files }, (_, file) => ({ file, array }));
}

/** A head with so many more keys that have set a bit, and what it says. */
export function countedHead(head: Uint8Array, at: number, added: number, description: Description) {
  const copy = head.slice();
  const view = new DataView(copy.buffer);
  const count = BigInt.asUintN(64, view.getBigUint64(at, true) + BigInt(added));
  view.setBigUint64(at, count, true);
  return { head: copy, description: { ...description, inserted: statedKeys(count) } };
}

/** Throws a `usage` error for a filter of more words of 64 bits than the fields of a head can say. */
export function requireWords({ system }: SystemSizing, bits: number, most: number): void {
  if (bits <= 64 * most) return;
  throw new BloomError(
    'usage',
    `a filter of ${system} has ${count(64 * most)} bits at most, not ${count(bits)}`,
    'raise -p, or use several filters of fewer keys',
  );
}
