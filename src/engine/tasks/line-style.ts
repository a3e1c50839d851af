import type { LineColours } from './colours.ts';

/** Which records are printed. The numbers are the kernel's. */
export const WANTED = { absent: 0, present: 1, all: 2 } as const;
export type Wanted = (typeof WANTED)[keyof typeof WANTED];

/** The answer of a record that is selected. */
export type Selected = Exclude<Wanted, typeof WANTED.all>;

export interface LineStyle {
  readonly wanted: Wanted;
  /** '+' or '-' before every line. */
  readonly tag: boolean;
  /** The name of the file, and ':' or what is to be behind it. */
  readonly named: boolean;
  /** Other than ':', what is behind it. */
  readonly behindName?: ':' | '\0';
  /** The record's number in its file, and ':'. */
  readonly numbered: boolean;
  /** Every record as one JSON object instead. */
  readonly json: boolean;
  /** The keys that filters have, or with absent records those that they have not, in the place of each record. */
  readonly keys?: 'alone' | undefined;
  /** The keys that matched, and what stands before records, are shown in colour. */
  readonly colours?: LineColours | undefined;
  /** Names of files go to a terminal, which must not obey them. */
  readonly escapesNames?: boolean;
  /** What filters are called that have a record, where that is told. */
  readonly filterNames?: readonly string[];
}
