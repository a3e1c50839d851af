import type { Fill } from '../filters/kind.ts';
import type { Signatures } from '../filters/signatures.ts';
import type { Output } from '../io/atomic-file.ts';
import type { PositionedFile } from '../io/positioned.ts';
import type { ByteSource } from '../io/source.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { ArrayBlueprint, BlueprintArray, FlatMerging, Making } from './array-blueprint.ts';
import type { Description, OwnDescription } from './description.ts';
import type { FormatFacts } from './mark.ts';
import type { Opening } from './opening.ts';
import type { StoredBlock } from './stored-blocks.ts';
import type { StoredSegments } from './stored-segments.ts';

/** A format of files that hold a filter. Everything else in the program works on this interface and knows no format by name. */
export interface Format extends FormatFacts {
  /**
   * Reads what a file says of its filter, and checks the length that it claims before anything is allocated. With a kernel the
   * checksum is the kernel's. Throws `input` and `format` errors, and `usage` errors for what is stated of other filters.
   */
  open(source: ByteSource, kernel: Kernel | undefined, opening: Opening): Promise<FilterFile>;
  /** The same for a file of filters of several columns: a filter of each, where not one is asked. They are closed together. */
  openColumns?(source: ByteSource, kernel: Kernel | undefined, opening: Opening): Promise<readonly FilterFile[]>;
  /** The sorts of filters of arrays that are made, the usual one first. */
  readonly makings?: readonly Making[];
}

/** The format of filters that bloom makes, which have segments. */
export interface OwnFormat extends Format {
  /** Writes a filter atomically, one segment at a time. */
  write(
    output: Output,
    kernel: Kernel,
    description: OwnDescription,
    supply: SegmentSupply,
    onWritten?: OnWritten,
  ): Promise<void>;
}

/** A filter file that is open. */
export type FilterFile = SegmentedFile | FlatFile | SignatureFile;

interface OpenFile {
  /** For messages. */
  readonly name: string;
  readonly description: Description;
  close(): void;
}

/** A file of segments, which are read in order, or at any position where that can be done. */
export interface SegmentedFile extends OpenFile {
  readonly layout: 'segments';
  readonly description: OwnDescription;
  /** Where its segments are; undefined for what can only be read in order. Throws `input` and `format` errors. */
  locate(kernel: Kernel): LocatedSegments | undefined;
  /** Reads the next segment to an address in kernel memory; returns the checksum of what was read, if one was made. */
  readSegment(kernel: Kernel, address: number): Promise<bigint | undefined>;
  /** Verifies everything that was read in order, and that nothing follows it. Says how full segments are, if the file does. */
  finish(kernel: Kernel): Promise<StatedFills | undefined>;
}

/** A file of arrays of bits in which the positions of a key are anywhere. A key may be there if any of them has it. */
export interface FlatFile extends OpenFile {
  readonly layout: 'flat';
  /** In the order of the file. */
  readonly arrays: readonly StoredArray[];
  /** How their bits are read in order; undefined where they can be read at any position. */
  readonly inOrder: BitsInOrder | undefined;
  /** When it is compared with its checksums: all of it when it was opened, or each block when it is read. */
  readonly verified: 'opened' | 'read' | undefined;
  /** Where in the file keys are of which it has no filter, so that any may be there. */
  readonly unfiltered?: readonly string[];
  /** Why it is not changed, merged or taken for `--like` where others of its format are, such as "it is JSON". */
  readonly fixedAs?: string | undefined;
  /** The filter, to be changed; undefined for a file that cannot be. */
  readonly blueprint?: ArrayBlueprint | undefined;
  /** A new filter of the same parameters, where the format has some. */
  readonly like?: (() => ArrayBlueprint) | undefined;
  /** How it is merged with others; undefined where it cannot be. */
  readonly merging?: FlatMerging | undefined;
}

/** A file of signatures of rows, all of which were read. */
export interface SignatureFile extends OpenFile {
  readonly layout: 'signatures';
  readonly signatures: Signatures;
}

/** Bits of arrays, which are read one array after the other. */
export interface BitsInOrder {
  /** They are in memory, and what they were read from can be replaced. */
  readonly areInMemory?: true;
  /** Reads the next bytes of array `array`. Throws `input` errors, and a `format` error where the file ends before. */
  readBits(array: number, into: Uint8Array): Promise<void>;
  /** Sees to it that nothing follows that should not. Throws a `format` error. */
  finish(): Promise<void>;
}

/** An array of bits in a file. */
export interface StoredArray extends BlueprintArray {
  /** Where they are; undefined for what can only be read in order. */
  readonly stored: StoredBits | undefined;
  /** What it is the filter of, in a file of many filters. */
  readonly part?: FilteredPart;
  /** What its parts are the filters of, where it has some that have ranges of keys. */
  readonly parts?: readonly FilteredPart[];
}

/** The part of a file that has a filter of its own. */
export interface FilteredPart {
  /** Where it is, such as "row group 3". */
  readonly label: string;
  /** The column, its levels separated by dots, and the type of its values. */
  readonly column?: string;
  readonly type?: string;
  /** Values that it has there, but for nulls; undefined where the file does not say. */
  readonly values?: number | undefined;
}

/** Where a file has the bits of an array: in these parts, one after the other. */
export interface StoredBits {
  readonly file: PositionedFile;
  readonly parts: readonly StoredPart[];
}

/** Bytes that lie in a file, or in what one of its blocks holds. */
export interface StoredPart {
  /** Undefined for zeros, which the file need not have. */
  readonly offset: number | undefined;
  readonly bytes: number;
  readonly block?: StoredBlock;
}

/** Segments that can be read at any position. */
export interface LocatedSegments {
  readonly stored: StoredSegments;
  /** How full they are, if the file says. */
  readonly fills: StatedFills | undefined;
}

/** How full each segment is, as the file says. Throws a `format` error for what no segment can be. */
export type StatedFills = () => readonly Fill[];

/** A segment in the memory of a kernel, and how full it is. */
export interface SuppliedSegment {
  readonly kernel: Kernel;
  readonly address: number;
  readonly fill: Fill;
  /** XXH64 of its bytes, where that is known. */
  readonly checksum?: bigint | undefined;
  /** The next one will lie behind it, and be written with it. */
  readonly isContinued?: boolean;
}

/**
 * Brings segment `index` into the memory of a kernel, where it stays until the next but one is asked for, and those that are
 * written together until one is asked for behind the next that are.
 */
export type SegmentSupply = (index: number) => Promise<SuppliedSegment> | SuppliedSegment;

/** Hears of bytes of segments once they are written, and lets others work meanwhile. */
export type OnWritten = (bytes: number) => Promise<void> | void;
