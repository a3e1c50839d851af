import type { Fill } from '../filters/kind.ts';
import type { Signatures } from '../filters/signatures.ts';
import type { Output } from '../io/atomic-file.ts';
import type { PositionedFile } from '../io/positioned.ts';
import type { ByteSource } from '../io/source.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { ArrayBlueprint, ArrayMerging, BlueprintArray, Making } from './array-blueprint.ts';
import type { Description, OwnDescription } from './description.ts';
import type { FormatFacts } from './mark.ts';
import type { Opening } from './opening.ts';
import type { StoredBlock } from './stored-blocks.ts';
import type { StoredSegments } from './stored-segments.ts';

/** A format of files that have a filter. The rest of the program uses this interface and knows no format by name. */
export interface Format extends FormatFacts {
  /**
   * Reads the description of a filter, and checks the stated length before memory is allocated. The kernel computes
   * checksums if there is one. Throws `input` and `format` errors, and a `usage` error for a flag that does not fit
   * this format.
   */
  open(source: ByteSource, kernel: Kernel | undefined, opening: Opening): Promise<FilterFile>;
  /** Opens one filter per column of a file with several columns, if no column is named. Closing one closes all. */
  openColumns?(source: ByteSource, kernel: Kernel | undefined, opening: Opening): Promise<readonly FilterFile[]>;
  /** The variants that bloom can make. The most common variant is the first. */
  readonly makings?: readonly Making[];
}

/** The format of filters of bloomery's own kinds, which have segments. */
export interface OwnFormat extends Format {
  fileBytes: NonNullable<Format['fileBytes']>;
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
export type FilterFile = SegmentedFile | BitArrayFile | SignatureFile;

interface OpenFile {
  /** The name in messages. */
  readonly name: string;
  readonly description: Description;
  /** Reads its source to the end, after the bits, and returns the bytes of all of it. Left out if the size of the file was known before. */
  readonly countBytes?: () => Promise<number>;
  close(): void;
}

/** A file of segments. They are read in order, or at any position if the source allows that. */
export interface SegmentedFile extends OpenFile {
  readonly layout: 'segments';
  readonly description: OwnDescription;
  /**
   * The position of its segments. Undefined if the source can only be read in order. Throws `input` and `format`
   * errors.
   */
  locate(kernel: Kernel): LocatedSegments | undefined;
  /** Reads the next segment to an address in kernel memory. Returns its XXH64 with seed 0 if that was computed. */
  readSegment(kernel: Kernel, address: number): Promise<bigint | undefined>;
  /**
   * Verifies what was read in order and that nothing follows. Returns how full the segments are if the file states
   * it.
   */
  finish(kernel: Kernel): Promise<StatedFills | undefined>;
}

/**
 * A file of arrays of bits. The positions of a key are anywhere in an array. A key is maybe present if any array has
 * it.
 */
export interface BitArrayFile extends OpenFile {
  readonly layout: 'arrays';
  /** In the order of the file. */
  readonly arrays: readonly StoredArray[];
  /** Reads the bits in order. Undefined if they can be read at any position. */
  readonly inOrder: BitsInOrder | undefined;
  /** When checksums are compared: for the whole file when it is opened, or for each block when it is read. */
  readonly verified: 'opened' | 'read' | undefined;
  /** The parts of the file that have keys and no filter. Any key may be there. */
  readonly unfiltered?: readonly string[];
  /** Why this file cannot be changed, merged or used with `--like` as others of its format, such as "it is JSON". */
  readonly fixedAs?: string | undefined;
  /** The filter as one that can be changed. Undefined if it cannot be changed. */
  readonly blueprint?: ArrayBlueprint | undefined;
  /** A new filter with the same parameters, if the format can make one. */
  readonly like?: (() => ArrayBlueprint) | undefined;
  /** How it is merged with other filters. Undefined if that is not supported. */
  readonly merging?: ArrayMerging | undefined;
}

/** A file with signatures of rows, all of which have been read. */
export interface SignatureFile extends OpenFile {
  readonly layout: 'signatures';
  readonly signatures: Signatures;
}

/** Bits of arrays that are read one array after the other. */
export interface BitsInOrder {
  /** The bits are in memory, and their file may be replaced. */
  readonly areInMemory?: true;
  /** Reads the next bytes of an array. Throws `input` errors, and a `format` error if the file ends early. */
  readBits(array: number, into: Uint8Array): Promise<void>;
  /** Throws a `format` error if unexpected bytes follow. */
  finish(): Promise<void>;
}

/** An array of bits in a file. */
export interface StoredArray extends BlueprintArray {
  /** The position of the bits. Undefined if they can only be read in order. */
  readonly stored: StoredBits | undefined;
  /** The part of the file whose filter this is, if the file has many filters. */
  readonly part?: FilteredPart;
  /** The parts of the array that have key ranges of their own. */
  readonly parts?: readonly FilteredPart[];
}

/** A part of a file that has a filter of its own. */
export interface FilteredPart {
  /** The position, such as "row group 3". */
  readonly label: string;
  /** The column and the type of its values. Dots separate the levels of the name. */
  readonly column?: string;
  readonly type?: string;
  /** Values in this part without nulls. Undefined if the file does not store the number. */
  readonly values?: number | undefined;
}

/** The position of the bits of an array, as parts that follow each other. */
export interface StoredBits {
  readonly file: PositionedFile;
  readonly parts: readonly StoredPart[];
}

/** Bytes in a file, or in the content of one of its blocks. */
export interface StoredPart {
  /** Undefined for zeros that are not stored. */
  readonly offset: number | undefined;
  readonly bytes: number;
  readonly block?: StoredBlock;
}

/** Segments that can be read at any position. */
export interface LocatedSegments {
  readonly stored: StoredSegments;
  /** How full the segments are if the file states it. */
  readonly fills: StatedFills | undefined;
}

/** How full each segment is according to the file. Throws a `format` error for impossible values. */
export type StatedFills = () => readonly Fill[];

/** A segment in the memory of a kernel, and how full it is. */
export interface SuppliedSegment {
  readonly kernel: Kernel;
  readonly address: number;
  readonly fill: Fill;
  /** XXH64 of the segment with seed 0, if it is known. */
  readonly checksum?: bigint | undefined;
  /** The next segment will follow this one in memory, and both are written together. */
  readonly isContinued?: boolean;
}

/**
 * Puts segment `index` into the memory of a kernel. It stays there until the segment after the next is requested.
 * Segments that are written together stay until a segment after the next such group is requested.
 */
export type SegmentSupply = (index: number) => Promise<SuppliedSegment> | SuppliedSegment;

/** Is called when bytes of segments have been written, and may yield to other work. */
export type OnWritten = (bytes: number) => Promise<void> | void;
