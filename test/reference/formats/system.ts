// The oracle of another system: a second, plain implementation that follows the sources or documents of the system.

import type { KeyType } from '../../../src/formats/key-types.ts';

/** A filter of another system. */
export interface ForeignFilter {
  add(key: Uint8Array): void;
  has(key: Uint8Array): boolean;
  /** The false-positive rate, computed from the bits. */
  rate(): number;
  fill(): number;
  encode(): Uint8Array;
}

/** An empty filter, and the number of keys to add. */
export interface Vessel {
  readonly filter: ForeignFilter;
  readonly keys: number;
  /** The variant of the format, if the file does not tell it. */
  readonly variant?: string;
}

/** Changes a file so that a reader must reject it. */
export type Spoil = (file: DataView) => void;

export interface System {
  /** The key type for text keys, if the default of the format is another type. */
  readonly keyType?: KeyType;
  /** Reads a file of the system; `variant` is needed if the file does not tell it. */
  decode(file: Uint8Array, variant?: string): ForeignFilter;
  /** Filters that vary what the system can vary. One has few bits, and one has more than 2^16. */
  readonly vessels: Readonly<Record<string, () => Vessel>>;
  /** Makes empty filters for a number of keys and a rate, by the names of `--format`. */
  readonly makes?: Readonly<Record<string, (items: number, fpr: number) => ForeignFilter>>;
  /** Changes that make a file invalid, by their description. They apply to the file of the first vessel. */
  readonly spoils: Readonly<Record<string, Spoil>>;
  /** A reader starts at the end of the file, so it does not read in order. */
  readonly isReadFromEnd?: true;
  /** Files consist of pages of this size, and may end after any page. */
  readonly pageBytes?: number;
  /** Bytes may follow the filter. */
  readonly mayHaveMore: boolean;
  /** Only the end of a file tells its format, so a pipe needs `--format`. */
  readonly isToldByEnd?: true;
}
