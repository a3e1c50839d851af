/** A key: bytes, or a text, which stands for its UTF-8. */
export type Key = string | Uint8Array;

/** The kinds of filters: `bloom` by default; the README says which one when. */
export type KindName = 'bloom' | 'blocked' | 'counting' | 'scalable' | 'cuckoo' | 'quotient' | 'ribbon' | 'fuse';

/** The hashes of our own filters. */
export type HashName = 'xxh64' | 'xxh3' | 'murmur3' | 'farm64';

/**
 * A filter in memory, or in a file of which only that is read which is asked for. It belongs to the thread that has it; others open
 * the same file, or the bytes of `toBytes`. All methods throw a `BloomError` of code `usage` once the filter is closed.
 */
export interface Filter {
  /** Whether a key may be there. Of one that was added this is never false; of others it is seldom true. */
  has(key: Key): boolean;

  /** The same for many keys, in their order, which for texts is sooner than as many calls of `has`. */
  hasMany(keys: Iterable<Key>): boolean[];

  /**
   * Adds a key. Throws a `BloomError`: `mismatch` for a kind to which none can be added, `usage` for a filter that was not opened
   * `writable`, and `capacity` for one that is full, which has to be given up: it may lack any of its keys.
   */
  add(key: Key): void;

  /**
   * Adds many keys, with the errors of `add`. What the iterable throws is thrown, and what came before is added. The iterable may
   * itself use the filter: a key counts as added as soon as the iterable has given it.
   */
  addMany(keys: Iterable<Key>): void;

  /**
   * Removes a key, and returns whether it may have been there. A key that was never added but seems to be there cannot be told from
   * a member: removing it takes another one away. Throws a `BloomError` as `add` does.
   */
  remove(key: Key): boolean;

  /** What there is to say of it, by its bits: the names are those of `bloom stats --json`. */
  stats(): FilterStats;

  /**
   * Writes it to a file, whole or not at all: it is synced under another name and then takes the place of what is there. The file
   * has the filter as it was when `save` was called, whatever is added, removed or closed before it is done. Throws a
   * `BloomError`: `output` for what cannot be written, `changed` where somebody else has changed the file that it was opened from.
   */
  save(file: string | URL, options?: SaveOptions): Promise<void>;

  /** The bytes of its file, as it was when `toBytes` was called. */
  toBytes(): Promise<Uint8Array>;

  /** Closes its file, if it has one, and lets its memory go. */
  close(): void;
}

/** How a filter is saved. */
export interface SaveOptions {
  /** A file that exists may be replaced; true by default. */
  readonly replace?: boolean;
}

/** What there is to say of a filter. Kinds add to it what only they have. */
export interface FilterStats {
  /** `bloomery`, or the name of the format of another system. */
  readonly format: string;
  readonly kind: KindName;
  readonly hash: string;
  /** A string beyond 2^53. */
  readonly seed: number | string;
  readonly ignoreCase: boolean;
  readonly trim: boolean;
  /** What its keys are; `text` but for filters of other systems. */
  readonly keyType: string;
  /** Such as `2/16`; null for a whole filter. */
  readonly part: string | null;
  readonly bits: number;
  /** Probes of a key, k. */
  readonly hashes: number;
  readonly segments: number;
  /** Bytes of its file. */
  readonly bytes: number;
  readonly bitsPerKey: number | null;
  /** Distinct keys that it was sized for; null where its file does not say. */
  readonly capacity: number | null;
  /** The rate that it was sized for. */
  readonly targetFpr: number | null;
  /** The rate that follows from its bits. */
  readonly predictedFpr: number;
  /** Keys that were added, repetitions included. */
  readonly inserted: number | null;
  /** Distinct keys. */
  readonly estimatedItems: number;
  /** They were counted. */
  readonly estimateIsExact: boolean;
  /** The share of its places that are taken: ones among the bits of a Bloom filter. */
  readonly fillRatio: number;
  /** What it says of itself. */
  readonly note: string | null;
  /** When it was made, by ISO 8601, if it says so. */
  readonly made: string | null;
  /** What else is to be known of it, such as why keys of its file may be called absent and what to state as `format`. */
  readonly remarks: readonly string[];
}
