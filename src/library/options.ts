import type { HashName, KindName } from './filter.ts';

/** How a filter is opened. Without these options, the file decides. */
export interface OpenOptions {
  /** Allows `add` and `remove`. Without it the filter can only be queried, and its file may be that of any system. */
  readonly writable?: boolean;
  /** The format of the file, by a name of `bloom formats`. */
  readonly format?: string;
  /** The column, if the file has filters of several columns. */
  readonly column?: string;
  /** The type of keys that are not text: `int64`, `uuid` and others of `bloom formats`. Keys are given as text. */
  readonly keyType?: string;
  /** The hash of the keys, if the file cannot state it: `sha1`, `sha256`, `md5`, or with `:upper` for capital digits. */
  readonly keyHash?: string;
  /** Keys already are digests of the key hash in hexadecimal, in lower or upper case. */
  readonly hashed?: boolean;
  /** Seconds to wait for a silent server, if the file is on a server; 30 by default. */
  readonly timeout?: number;
  /**
   * Headers of each request to the server of the file, such as `{ authorization: 'Bearer ...' }`. No other server gets them, and no message
   * shows them.
   */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The size of a filter. Any two of keys, rate and bits give the third. Without rate and bits, the rate is 1 %. */
export interface SizeOptions {
  readonly kind?: KindName;
  /** Number of distinct keys, n. */
  readonly items?: number;
  /** The false-positive rate, p, between 0 and 1. */
  readonly fpr?: number;
  readonly bits?: number;
  readonly bitsPerKey?: number;
  /** Number of hash functions, k, from 1 to 64; the best number by default. */
  readonly hashes?: number;
}

/** The filter to build. Without `items` and `bits`, the distinct keys are counted first, and the filter is sized for them. */
export interface BuildOptions extends SizeOptions {
  /** `xxh64` by default. */
  readonly hash?: HashName;
  /** From 0 to 2^64 - 1; 0 by default. */
  readonly seed?: number | bigint;
  /** Capacity for more keys, as a share of `items` or of the counted keys: 0.3 for 30 %. */
  readonly headroom?: number;
  /** Ignores the case of ASCII letters, or with `unicode` of all letters. */
  readonly ignoreCase?: boolean | 'unicode';
  /** Removes spaces and tabs around keys. */
  readonly trim?: boolean;
  /** Replaces each key by its digest in hexadecimal: `sha1`, `sha256`, `md5`, or with `:upper` for capital digits. */
  readonly keyHash?: string;
  /** Keys already are digests of the key hash in hexadecimal, in lower or upper case. */
  readonly hashed?: boolean;
  /** A note to store in the filter, of up to 1,000 bytes of UTF-8. `stats` returns it. */
  readonly note?: string;
  /** Stores the time of the build, or SOURCE_DATE_EPOCH. Without it the same keys make the same bytes. */
  readonly stamp?: boolean;
  /**
   * The input is text in pieces, such as a stream of bytes, and its lines are the keys. It is read as `bloom build` reads a file:
   * decompressed if necessary, and without a byte order mark. UTF-16 is an `input` error.
   */
  readonly lines?: boolean;
}

/** The size of a filter. `buildFilter` makes this filter from the same options. */
export interface FilterSize {
  readonly kind: KindName;
  /** Number of distinct keys that the filter is for. */
  readonly capacity: number;
  /** The rate in the options, or otherwise the predicted rate. */
  readonly targetFpr: number;
  /** The expected rate with `capacity` distinct keys. */
  readonly predictedFpr: number;
  /** Bits of all segments, as `buildFilter` makes them. */
  readonly bits: number;
  readonly bitsPerKey: number;
  readonly hashes: number;
  readonly segments: number;
  /** Bytes of the file of the full filter. */
  readonly bytes: number;
}
