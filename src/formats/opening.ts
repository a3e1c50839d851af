import type { KeyType } from './key-types.ts';

/** What whoever opens a filter says of it: without it the file tells. */
export interface Opening {
  /** Its format, or a variant of that, by one of the names of `formatNames`. */
  readonly format?: string | undefined;
  /** The column that is meant where a file has filters of several, its levels separated by dots. */
  readonly column?: string | undefined;
  /** What a record is, of which the filter may have the key. */
  readonly keyType?: KeyType | undefined;
  /** Seconds for which a server may say nothing, where the file is on one. */
  readonly timeout?: number | undefined;
  /** What was kept of a file on a server is taken for what it still is, so that reading can throw `OutdatedCopy`. */
  readonly trustsCopy?: boolean | undefined;
}
