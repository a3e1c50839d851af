import type { KeyType } from './key-types.ts';

/** What whoever opens a filter says of it: without it the file tells. */
export interface Opening {
  /** Its format, or a variant of that, by one of the names of `formatNames`. */
  readonly format?: string | undefined;
  /** The column that is meant where a file has filters of several, its levels separated by dots. */
  readonly column?: string | undefined;
  /** What a record is, of which the filter may have the key. */
  readonly keyType?: KeyType | undefined;
}
