/** A key: bytes, or a text, which stands for its bytes in UTF-8. */
export type Key = string | Uint8Array;

/** A filter as a program gives it: its address, a request for it, a file of the user, or its bytes. */
export type WebSource = string | URL | Request | Blob | ArrayBuffer | Uint8Array;

/** How a filter is opened. */
export interface WebOptions {
  /** Makes the requests; the global `fetch` by default. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Ends all requests of the filter. What waits for them rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Reads the whole file with the first request. Its server then learns nothing about the keys. */
  readonly whole?: boolean;
  /** Bytes of the segments that are kept in memory; 32 MiB by default. */
  readonly cacheBytes?: number;
  /** The parts of the reader that the filter needs, such as `[hashes]`. Parts that it does not need are ignored. */
  readonly with?: readonly WebPart[];
}

/** A part of the reader that only some filters need. Each part has one of these functions. */
export interface WebPart {
  /** The hashes besides XXH64. */
  readonly hashes?: { readonly [hash in 'xxh3' | 'murmur3' | 'farm64']: (key: Uint8Array, seed: bigint) => bigint };
  /** Folds the case of all letters. */
  readonly letters?: (key: Uint8Array) => Uint8Array;
  /** Replaces a key by its digest in hexadecimal. */
  readonly keyHashes?: (key: Uint8Array, keyHash: string) => Uint8Array;
  /** A domain name and its parent domains. */
  readonly domain?: (key: Uint8Array) => readonly Uint8Array[];
  /** The blocks of some lengths around an address or a block. */
  readonly network?: (key: Uint8Array, lengths: bigint) => readonly Uint8Array[];
  /** Answers keys of a filter with the kernel. */
  readonly kernel?: (filter: WebNumbers) => WebAnswers;
}

/** The numbers of a filter from which positions follow. */
export interface WebNumbers {
  /** The number of the kind in files. */
  readonly kindId: number;
  readonly hash: WebInfo['hash'];
  readonly seed: bigint;
  /** Of the whole filter, whose part the file may be. */
  readonly segments: number;
  readonly segmentBits: number;
  /** Bits of the screen of a segment; 0 without protected keys. */
  readonly screenBits: number;
}

/** How keys become digests, and digests become answers. */
export interface WebAnswers {
  /** The digests of keys, in their order. */
  digests(keys: readonly Uint8Array[]): BigUint64Array;
  /** Per digest, whether a segment may have it. `index` is the number of the segment in the filter, and k that of its slice. */
  test(segment: Uint8Array, digests: BigUint64Array, k: number, index: number): ArrayLike<boolean | number>;
}

/** The requests to the server of a filter so far, and the bytes of its answers. */
export interface WebTraffic {
  readonly requests: number;
  readonly bytes: number;
}

/** A filter in a file that is read as far as the keys need. All methods reject with `usage` after the filter is closed. */
export interface WebFilter {
  /**
   * Whether the filter may have a key. This is never false for a member, and rarely true for a non-member. Rejects with a `BloomError`:
   *
   * - `input`: the server does not send what it should;
   * - `changed`: the file changed after it was opened;
   * - `format`: the file is damaged;
   * - `usage`: the filter is a part of a filter, and the key belongs to another part.
   */
  has(key: Key): Promise<boolean>;

  /** The same for many keys, in their order. Segments that lie close to each other share a request. */
  hasMany(keys: Iterable<Key>): Promise<boolean[]>;

  /** What the header says about the filter. The names are those of `bloom stats --json`. */
  info(): WebInfo;

  /** Requests and bytes so far. */
  traffic(): WebTraffic;

  /** Frees the memory. */
  close(): void;
}

/** What a header says about a filter. */
export interface WebInfo {
  readonly format: 'bloomery';
  readonly kind: string;
  readonly hash: 'xxh64' | 'xxh3' | 'murmur3' | 'farm64';
  readonly seed: bigint;
  /** With `unicode`, the case of all letters is ignored, and with true that of A to Z. */
  readonly ignoreCase: boolean | 'unicode';
  readonly trim: boolean;
  /** The hash whose digests are the keys, such as `sha1` or `md5:upper`; null if keys are not hashed before. */
  readonly keyHash: string | null;
  /**
   * With `domain`, keys are domain names, and a look-up of a name finds its parent domains too. With `network`, keys are blocks of addresses,
   * and a look-up of an address finds the blocks around it.
   */
  readonly keyType: 'text' | 'domain' | 'network';
  /** The part, such as `2/16`; null for a whole filter. */
  readonly part: string | null;
  readonly bits: number;
  /** Number of hash functions, k. */
  readonly hashes: number;
  readonly segments: number;
  /** Bytes of the file. */
  readonly bytes: number;
  /** Bytes that a look-up of one key reads, if its segment is not in memory. */
  readonly pageBytes: number;
  readonly capacity: number;
  /** The false-positive rate that the filter was sized for. */
  readonly targetFpr: number;
  /** Keys that were added, including repetitions. */
  readonly inserted: number;
}
