import type { Shape } from '../filters/kind.ts';
import type { Signature } from '../io/signature.ts';
import type { KeyTypes } from './key-types.ts';
import type { Note } from './note.ts';

/** How the files of a format are told from others. */
export interface FormatMark {
  /** What its filters are of, for messages. */
  readonly system: string;
  /** Who makes such filters and asks them. */
  readonly purpose: string;
  /** Bytes that its files begin with, and no text does. */
  readonly signatures?: readonly Signature[];
  /**
   * Whether a file of this length, or of one that nobody knows, may begin with these bytes, of which there are 73, NULs behind
   * its end: for formats without a signature.
   */
  fits?(head: DataView, size: number | undefined): boolean;
  /**
   * Whether a file of this length may end with these bytes, of which there are 64, and begin with those that `fits` is given: for
   * formats that begin as anything may.
   */
  ends?(tail: DataView, size: number, head: DataView): boolean;
  /**
   * Bytes that a file with this head has, where it says so and little else tells it: one that is far from that long is of something else, and no
   * damaged filter.
   */
  promises?(head: DataView): number | undefined;
  /** What is said of a file that begins so, where it is refused, and what to do. */
  refusal?(head: Uint8Array): { readonly what: string; readonly hint: string };
}

/** What can be done with the files of a format. */
export type FormatAbility = 'ask' | 'report' | 'build' | 'change' | 'merge';

/** A variant of a format, which is stated in its place. */
export interface FormatVariant {
  /** The name of the format, and what tells the variant from others. */
  readonly name: string;
  /** Which filters are of it. */
  readonly purpose: string;
  /** The first bytes of its files do not tell the variant. */
  readonly beginsAnyhow?: true;
}

/** What is known of a format, whatever is done with its files. */
export interface FormatFacts extends FormatMark {
  /** Its name in flags and in JSON. */
  readonly name: string;
  readonly abilities: readonly FormatAbility[];
  /** What its keys may be. */
  readonly keyTypes: KeyTypes;
  /** What is known of a file of which every segment was read and verified; undefined where nothing in it tells. */
  readonly integrity: string | undefined;
  /** People keep its files compressed, so that they are read as they are. */
  readonly comesCompressed?: true;
  /** What may have to be stated besides the format, where no file tells it. */
  readonly variants?: readonly FormatVariant[];
  /** What cannot be done with its files, or not with all of them. */
  readonly limits?: readonly string[];
  /** Bytes of the file of a filter. */
  fileBytes(shape: Shape, note?: Note): number;
}
