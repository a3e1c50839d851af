/** How what was seen is forgotten: in windows of records, or of milliseconds since 1970, counted from 0. */
export interface Windows {
  readonly of: 'records' | 'milliseconds';
  readonly length: number;
  /** Windows in which a key is still known after that in which it came. */
  readonly keep: number;
}

/** Windows that are kept besides the one that goes on: each takes a filter, or one for each sighting that is remembered. */
export const KEEP_LIMIT = 250;

/** Sightings of a key that are told from each other. */
export const SIGHTINGS_LIMIT = 100;

/** The number of the window that a record comes in, or a time is in. */
export function windowOf({ length }: Pick<Windows, 'length'>, at: number): number {
  return Math.floor(at / length);
}
