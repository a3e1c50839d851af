import type { HashName, KindName } from './filter.ts';

/** How a filter is opened. Without all of it the file tells. */
export interface OpenOptions {
  /** Keys are to be added or removed; else the filter is only asked, and its file may be that of any system. */
  readonly writable?: boolean;
  /** Its format, by a name that `bloom formats` knows. */
  readonly format?: string;
  /** The column that is meant where a file has filters of several. */
  readonly column?: string;
  /** What a key is, where it is no text: `int64`, `uuid` and others that `bloom formats` names. Keys are given as text. */
  readonly keyType?: string;
  /** Seconds for which a server may say nothing, where the filter is on one; 30 by default. */
  readonly timeout?: number;
}

/** How large a filter is to be: two of keys, rate and bits give the third; the rate is 1 % where it does not follow. */
export interface SizeOptions {
  readonly kind?: KindName;
  /** Distinct keys, n. */
  readonly items?: number;
  /** The false-positive rate, p, between 0 and 1. */
  readonly fpr?: number;
  readonly bits?: number;
  readonly bitsPerKey?: number;
  /** Hash functions, k, from 1 to 64; the best number by default. */
  readonly hashes?: number;
}

/** What filter is built. Without `items` and `bits` it is sized for the distinct keys that come, which are counted first. */
export interface BuildOptions extends SizeOptions {
  /** `xxh64` by default. */
  readonly hash?: HashName;
  /** From 0 to 2^64 - 1; 0 by default. */
  readonly seed?: number | bigint;
  /** Room for more keys, by a share of `items` or of those that are counted: 0.3 for 30 %. */
  readonly headroom?: number;
  /** ASCII letters are the same in both cases. */
  readonly ignoreCase?: boolean;
  /** Blanks around a key are no part of it. */
  readonly trim?: boolean;
  /** What the filter says of itself, in up to 1,000 bytes of UTF-8; `stats` has it. */
  readonly note?: string;
  /** It says when it was made, which is now or what SOURCE_DATE_EPOCH says; else the same keys make the same bytes. */
  readonly stamp?: boolean;
  /**
   * What comes is text in pieces, such as a stream of bytes, and its lines are the keys, as `bloom build` reads a file: decompressed
   * if it is compressed, and without a byte order mark. UTF-16 is an `input` error.
   */
  readonly lines?: boolean;
}

/** A filter that was sized; `buildFilter` makes it of the same options. */
export interface FilterSize {
  readonly kind: KindName;
  /** Distinct keys that it is for. */
  readonly capacity: number;
  /** The rate that was asked for or, if none was, the predicted one. */
  readonly targetFpr: number;
  /** The expected rate once as many distinct keys are in. */
  readonly predictedFpr: number;
  /** Bits of all segments, as `buildFilter` makes them. */
  readonly bits: number;
  readonly bitsPerKey: number;
  readonly hashes: number;
  readonly segments: number;
  /** Bytes of its file, with all bits that it then has. */
  readonly bytes: number;
}
