import type { BitArrayShape } from '../filters/position-rules.ts';
import type { Append } from '../io/atomic-file.ts';
import type { Conversion } from '../io/conversion.ts';
import type { SystemPlan, SystemSizing } from '../sizing/systems/system.ts';
import type { Description } from './description.ts';

/** An array of bits in a file. */
export interface BlueprintArray {
  readonly shape: BitArrayShape;
  /** Bytes of the array in the file. They may be more than its bits need. */
  readonly bytes: number;
}

/** A range of bytes of one array of bits. */
export interface ArrayPiece {
  readonly array: number;
  readonly from: number;
  readonly bytes: number;
}

/** The next piece of a file: bytes, a range of an array, or bytes that a callback appends. */
export type FilePiece = Uint8Array | ArrayPiece | ((append: Append) => Promise<void>);

/** A filter of arrays that is ready to be written. */
export interface WrittenArrays {
  readonly description: Description;
  /** The whole file in order. */
  readonly pieces: readonly FilePiece[];
  /** Converts these bytes to the bytes of the file. */
  readonly convert?: Conversion | undefined;
}

/** Adds arrays to a filter when as many keys have set a bit of its last array as that array has capacity for. */
export interface ArrayGrowth {
  /** Keys that still fit into the last array. */
  readonly remaining: number;
  /** Array number `index`, and the keys that fit into it. Throws a `capacity` error if there is none. */
  next(index: number): BlueprintArray & { readonly capacity: number };
}

/** A filter of arrays that is being built: a new filter, or the filter of a file that is being changed. */
export interface ArrayBlueprint {
  readonly description: Description;
  readonly arrays: readonly BlueprintArray[];
  /** The file states how many keys have set a bit. Keys are therefore added in their order. */
  readonly countsKeys: boolean;
  /** Keys that may still set a bit. There is no limit without it. */
  readonly remaining?: number | undefined;
  /** For filters that grow. */
  readonly growth?: ArrayGrowth | undefined;
  /**
   * The file to write. `changes` has for each array how many keys have set a bit, and `onesIn` counts the ones of an
   * array.
   */
  written(changes: readonly number[], onesIn: (array: number) => number): WrittenArrays;
}

/** An array of a union: the OR of some arrays of files. `from` has the numbers of the files and of their arrays. */
export interface ArrayOfUnion extends BlueprintArray {
  readonly from: readonly { readonly file: number; readonly array: number }[];
}

/** A filter that has the keys of several files. */
export interface UnionOfArrays {
  readonly description: Description;
  readonly arrays: readonly ArrayOfUnion[];
  /** The head of the file depends on the bits. The arrays are therefore united before any byte is written. */
  readonly countsOnes?: true;
  /** The file to write. `ones` has the ones of its arrays, or of their buckets. */
  written(ones: readonly number[]): WrittenArrays;
}

/** How the filter of a file is merged with other filters. */
export interface ArrayMerging {
  /** Values that must be equal for a merge, besides those of every filter, by their names in messages. */
  readonly fields: Readonly<Record<string, string | number>>;
  /** Arrays of any size may follow each other. */
  readonly isChain?: true;
  /** The union with filters whose `fields` are equal. Files are numbered in this order, and this file is the first. */
  unionWith(others: readonly DescribedArrays[]): UnionOfArrays;
}

/** Another filter, as far as a merge needs it. */
export interface DescribedArrays {
  readonly description: Description;
  readonly arrays: readonly BlueprintArray[];
  readonly merging?: ArrayMerging | undefined;
}

/** A variant of filters that a format can make. */
export interface Making {
  /** The value of `--format`: the name of the format or of the variant. */
  readonly name: string;
  /** A few words that tell these filters from other variants. */
  readonly purpose: string;
  readonly sizing: SystemSizing;
  /** The first and the last seed of the hash. Undefined if the seed is fixed. */
  readonly seeds?: readonly [bigint, bigint];
  /** An empty filter of a plan. The seed is ignored if it is fixed. Code may be loaded first. */
  blueprint(plan: SystemPlan, seed: bigint): Promise<ArrayBlueprint>;
}
