import type { Shape } from '../filters/kind.ts';
import type { Signature } from '../io/signature.ts';
import type { KeyTypes } from './key-types.ts';
import type { Note } from './note.ts';

/** How bloom detects the files of a format. */
export interface FormatMark {
  /** The system of its filters, for messages. */
  readonly system: string;
  /** The programs that make and query such filters. */
  readonly purpose: string;
  /** The first bytes of its files. No text begins with them. */
  readonly signatures?: readonly Signature[];
  /**
   * For formats without a signature: whether a file of this length may begin with this head. The length is undefined
   * if it is unknown. The head has 73 bytes, with NULs after the end of a shorter file.
   */
  fits?(head: DataView, size: number | undefined): boolean;
  /**
   * For formats with an arbitrary beginning: whether a file of this length may end with these 64 bytes. `head` is
   * that of `fits`.
   */
  ends?(tail: DataView, size: number, head: DataView): boolean;
  /**
   * The length of a file with this head, if the head states it and little else marks the format. A file of a very
   * different length is not a damaged filter, but something else.
   */
  promises?(head: DataView): number | undefined;
  /** How messages call a file with this head that bloom refuses, why, if it is not for the operation, and what to do. */
  refusal?(head: Uint8Array): { readonly what: string; readonly why?: string; readonly hint: string };
}

/** What bloom can do with the files of a format. */
export type FormatAbility = 'query' | 'report' | 'build' | 'change' | 'merge';

/** A variant of a format. `--format` names it instead of the format. */
export interface FormatVariant {
  /** The name of the format with a suffix for the variant. */
  readonly name: string;
  /** The filters of this variant. */
  readonly purpose: string;
  /** The first bytes of its files do not show the variant. */
  readonly hasArbitraryStart?: true;
}

/** The facts about a format that do not depend on the operation. */
export interface FormatFacts extends FormatMark {
  /** The name in flags and in JSON. */
  readonly name: string;
  readonly abilities: readonly FormatAbility[];
  /** The types that its keys may have. */
  readonly keyTypes: KeyTypes;
  /** What is known about a file whose segments were all read and verified. Undefined if the file has no checksums. */
  readonly integrity: string | undefined;
  /** Users store its files compressed, so bloom decompresses them. */
  readonly comesCompressed?: true;
  /** What users may have to state besides the format because no file contains it. */
  readonly variants?: readonly FormatVariant[];
  /** What bloom cannot do with its files, or not with all of them. */
  readonly limits?: readonly string[];
  /**
   * Bytes of the file of a filter if descriptions do not state them. Whether segments have tags follows from the shape if it is not
   * stated.
   */
  fileBytes?(shape: Shape, note?: Note, isTagged?: boolean): number;
}
