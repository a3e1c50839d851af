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
  readonly hash: string;
  readonly seed: bigint;
  readonly ignoreCase: boolean;
  readonly trim: boolean;
  /** With `domain`, keys are domain names, and a look-up of a name finds its parent domains too. */
  readonly keyType: 'text' | 'domain';
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
