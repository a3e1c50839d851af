import type { LineColours } from './colours.ts';

/** Which records are printed. The kernel uses the same numbers. */
export const WANTED = { absent: 0, present: 1, all: 2 } as const;
export type Wanted = (typeof WANTED)[keyof typeof WANTED];

/** The answer of a selected record. */
export type Selected = Exclude<Wanted, typeof WANTED.all>;

export interface LineStyle {
  readonly wanted: Wanted;
  /** '+' or '-' before every line. */
  readonly tag: boolean;
  /** The name of the file before every line, and ':' or `behindName`. */
  readonly named: boolean;
  /** The character after the name instead of ':'. */
  readonly afterName?: ':' | '\0';
  /** The record's number in its file, and ':'. */
  readonly numbered: boolean;
  /** Every record as a JSON object instead. */
  readonly json: boolean;
  /** The matching keys instead of each record; for absent records, the absent keys. */
  readonly keys?: 'alone' | undefined;
  /** Matching keys and leads are coloured. */
  readonly colours?: LineColours | undefined;
  /** Names of files go to a terminal, so control characters are escaped. */
  readonly escapesNames?: boolean;
  /** The names of the filters, if the filters that have a record are printed. */
  readonly filterNames?: readonly string[];
}
