// What the oracle of another system gives: a second, plain implementation, from what describes the system.

import type { KeyType } from '../../../src/formats/key-types.ts';

/** A filter of another system. */
export interface ForeignFilter {
  add(key: Uint8Array): void;
  has(key: Uint8Array): boolean;
  /** How often a non-member is found, by the bits. */
  rate(): number;
  /** The share of its bits that are ones. */
  fill(): number;
  /** Its file. */
  encode(): Uint8Array;
}

/** An empty filter, and how many keys are to be added. */
export interface Vessel {
  readonly filter: ForeignFilter;
  readonly keys: number;
  /** The variant of its format, where that has to be stated. */
  readonly variant?: string;
}

/** Makes a file one that must be refused. */
export type Spoil = (file: DataView) => void;

export interface System {
  /** As what its keys, which are text in these tests, are asked, where a record is something else unless that is stated. */
  readonly keyType?: KeyType;
  /** Reads a file of the system, and of a variant of its format if that has to be stated. */
  decode(file: Uint8Array, variant?: string): ForeignFilter;
  /** Makes filters that differ in what the system can vary: among them one of few bits and one of more than 2^16. */
  readonly vessels: Readonly<Record<string, () => Vessel>>;
  /** Makes empty filters for so many keys at a rate, by the names that `--format` has for them. */
  readonly makes?: Readonly<Record<string, (items: number, fpr: number) => ForeignFilter>>;
  /** What no file can say, by what is wrong; done to the file of the first vessel. */
  readonly spoils: Readonly<Record<string, Spoil>>;
  /** Its files are read from their ends, and so not in order. */
  readonly isReadFromEnd?: true;
  /** Its files are pages of so many bytes, behind any of which they may end. */
  readonly pageBytes?: number;
  /** Bytes may follow the filter. */
  readonly mayHaveMore: boolean;
  /** Its files are told by their ends, so that of what comes through a pipe the format has to be stated. */
  readonly isToldByEnd?: true;
}
