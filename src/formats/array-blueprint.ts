import type { FlatShape } from '../filters/position-rules.ts';
import type { Append } from '../io/atomic-file.ts';
import type { Conversion } from '../io/conversion.ts';
import type { SystemPlan, SystemSizing } from '../sizing/systems/system.ts';
import type { Description } from './description.ts';

/** An array of bits as a file has it. */
export interface BlueprintArray {
  readonly shape: FlatShape;
  /** Bytes that the file has for it; there may be more than its bits take. */
  readonly bytes: number;
}

/** So many bytes of an array of bits, by its number, from one on. */
export interface ArrayPiece {
  readonly array: number;
  readonly from: number;
  readonly bytes: number;
}

/** What a file has next: bytes, those of an array, or what somebody else appends. */
export type FilePiece = Uint8Array | ArrayPiece | ((append: Append) => Promise<void>);

/** A filter of arrays that is ready to be written. */
export interface WrittenFlat {
  readonly description: Description;
  /** Its file, from the first byte to the last. */
  readonly pieces: readonly FilePiece[];
  /** What the file has in the place of these bytes. */
  readonly convert?: Conversion | undefined;
}

/** How a filter gets further arrays, once as many keys have set a bit of the last one as that is for. */
export interface FlatGrowth {
  /** Keys that the last of its arrays is for yet. */
  readonly room: number;
  /** Array number `index`, and the keys that it is for. Throws a `capacity` error if there is none. */
  next(index: number): BlueprintArray & { readonly room: number };
}

/** A filter of arrays in the making: a new one, or one of a file that is to be changed. */
export interface ArrayBlueprint {
  readonly description: Description;
  readonly arrays: readonly BlueprintArray[];
  /** Its file says how many keys have set a bit, so that keys are added in their order. */
  readonly countsKeys: boolean;
  /** Keys that may set a bit of it yet; any number without it. */
  readonly room?: number | undefined;
  /** For filters that grow. */
  readonly growth?: FlatGrowth | undefined;
  /** What there is to write once so many keys, by the number of the array, have set a bit; `onesIn` counts the ones of an array. */
  written(changes: readonly number[], onesIn: (array: number) => number): WrittenFlat;
}

/** An array of a union: the OR of arrays of files, by the numbers of these and those that they have there. */
export interface UnitedArray extends BlueprintArray {
  readonly from: readonly { readonly file: number; readonly array: number }[];
}

/** A filter that has the keys of several files. */
export interface UnionOfArrays {
  readonly description: Description;
  readonly arrays: readonly UnitedArray[];
  /** What its file says depends on its bits, so that these are united before any are written. */
  readonly countsOnes?: true;
  /** What there is to write; `ones` are those of its arrays, or of their buckets. */
  written(ones: readonly number[]): WrittenFlat;
}

/** How a filter of a file is merged with others. */
export interface FlatMerging {
  /** What must be equal besides what is known of every filter, in the words of messages. */
  readonly fields: Readonly<Record<string, string | number>>;
  /** Arrays of any size may follow each other. */
  readonly isChain?: true;
  /** Its union with others, for which all of that is equal. The files are numbered in this order, it being the first. */
  unionWith(others: readonly FlatDescribed[]): UnionOfArrays;
}

/** Another filter, as far as it is told of here. */
export interface FlatDescribed {
  readonly description: Description;
  readonly arrays: readonly BlueprintArray[];
  readonly merging?: FlatMerging | undefined;
}

/** A sort of filters that is made in a format. */
export interface Making {
  /** What `--format` calls it: the name of the format, or of a variant. */
  readonly name: string;
  /** Which filters these are, in a few words. */
  readonly purpose: string;
  readonly sizing: SystemSizing;
  /** Seeds of its hash: from the first to the last; undefined where it has one alone. */
  readonly seeds?: readonly [bigint, bigint];
  /** An empty filter of a plan, with a seed if it has one; what makes it may be loaded first. */
  blueprint(plan: SystemPlan, seed: bigint): Promise<ArrayBlueprint>;
}
