/** A key: bytes, or a text, which stands for its bytes in UTF-8. */
export type Key = string | Uint8Array;

/** The kinds of filters: `bloom` by default. The README compares them. */
export type KindName = 'bloom' | 'blocked' | 'counting' | 'scalable' | 'cuckoo' | 'quotient' | 'ribbon' | 'fuse';

/** The hashes of bloomery's own filters. */
export type HashName = 'xxh64' | 'xxh3' | 'murmur3' | 'farm64';

/**
 * A filter in memory, or in a file that is read as far as the keys need. It belongs to one thread. Other threads open the same file, or
 * the bytes of `toBytes`. All methods throw a `BloomError` of code `usage` after the filter is closed.
 */
export interface Filter {
  /**
   * Whether the filter may have a key. This is never false for a member, and rarely true for a non-member. In a filter of domain names or
   * networks, a key is also found by its parent domains or by the networks around it, as in the command.
   */
  has(key: Key): boolean;

  /** The same for many keys, in their order. For texts this is faster than as many calls of `has`. */
  hasMany(keys: Iterable<Key>): boolean[];

  /**
   * Like `has`, but the thread does other work while a server answers. Calls at about the same time share their requests. Only a filter on a
   * server makes a difference: `has` blocks the thread until the server has answered. The promise rejects with what `has` throws.
   */
  hasAsync(key: Key): Promise<boolean>;

  /** Like `hasMany`, but the thread does other work while a server answers. */
  hasManyAsync(keys: Iterable<Key>): Promise<boolean[]>;

  /**
   * Adds a key. Throws a `BloomError`:
   *
   * - `mismatch`: the kind does not support `add`;
   * - `usage`: the filter was not opened `writable`, its keys are networks, or the key is not a digest although `hashed` states so;
   * - `capacity`: the filter is full. Discard it then, because it may lack any of its keys.
   */
  add(key: Key): void;

  /**
   * Adds many keys, with the errors of `add`. If the iterable throws, `addMany` throws the same, and the keys before are added. The
   * iterable may use the filter itself. A key counts as added as soon as the iterable has given it.
   */
  addMany(keys: Iterable<Key>): void;

  /**
   * Removes a key, and returns whether the filter may have had it. A false positive cannot be told from a member, and removing it removes
   * another key. Throws a `BloomError` as `add` does.
   */
  remove(key: Key): boolean;

  /** A report on the filter, computed from its bits. The names are those of `bloom stats --json`. */
  stats(): FilterStats;

  /**
   * Writes the filter to a file, whole or not at all: the new file is synced under another name, and then replaces the old one. The file
   * has the filter as it was when `save` was called. Later additions, removals and `close` do not change it.
   *
   * Throws a `BloomError`:
   *
   * - `output`: the file cannot be written;
   * - `changed`: another program changed the file that the filter was opened from.
   */
  save(file: string | URL, options?: SaveOptions): Promise<void>;

  /** Returns the bytes of the file, with the filter as it was when `toBytes` was called. */
  toBytes(): Promise<Uint8Array>;

  /** Closes the file, if there is one. The next filter that is opened or built gets the memory. */
  close(): void;
}

/** How a filter is saved. */
export interface SaveOptions {
  /** Allows to replace an existing file; true by default. */
  readonly replace?: boolean;
}

/** A report on a filter. Some kinds add more names. */
export interface FilterStats {
  /** `bloomery`, or the name of the format of another system. */
  readonly format: string;
  readonly kind: KindName;
  readonly hash: string;
  /** A string from 2^53 on. */
  readonly seed: number | string;
  readonly ignoreCase: boolean | 'unicode';
  readonly trim: boolean;
  /** The hash whose digests are the keys, such as `sha1`; null if keys are not hashed first. */
  readonly keyHash: string | null;
  /** The type of the keys: `text`, except in filters of other systems. */
  readonly keyType: string;
  /** The part, such as `2/16`; null for a whole filter. */
  readonly part: string | null;
  readonly bits: number;
  /** Number of hash functions, k. */
  readonly hashes: number;
  readonly segments: number;
  /** Bytes of the file. */
  readonly bytes: number;
  readonly bitsPerKey: number | null;
  /** Distinct keys that the filter was sized for; null if its file does not state this. */
  readonly capacity: number | null;
  /** The false-positive rate that the filter was sized for. */
  readonly targetFpr: number | null;
  /** The false-positive rate that follows from the bits. */
  readonly predictedFpr: number;
  /** Keys that were added, including repetitions. */
  readonly inserted: number | null;
  /** Number of distinct keys. */
  readonly estimatedItems: number;
  /** `estimatedItems` is an exact count. */
  readonly estimateIsExact: boolean;
  /** The share of the bits, counters or slots that are in use. */
  readonly fillRatio: number;
  /** The note in the filter. */
  readonly note: string | null;
  /** Time of the build, in ISO 8601, if the filter states it. */
  readonly made: string | null;
  /** Further notes, such as why a query may call some members absent, and which `format` to state. */
  readonly remarks: readonly string[];
}
