/** The windows after which `dedup` removes keys. They count records, or milliseconds since 1970, from 0. */
export interface Windows {
  readonly of: 'records' | 'milliseconds';
  readonly length: number;
  /** The number of further windows for which a key is still known. */
  readonly keep: number;
}

/** The most further windows. Each window takes one filter per sighting that is remembered. */
export const KEEP_LIMIT = 250;

/** The most sightings of a key that are counted. */
export const SIGHTINGS_LIMIT = 100;

/** The number of the window that includes a record or a time. */
export function windowOf({ length }: Pick<Windows, 'length'>, at: number): number {
  return Math.floor(at / length);
}
