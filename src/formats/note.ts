/** The largest number of UTF-8 bytes of a note. */
export const NOTE_LIMIT = 1000;

/** The latest time in seconds since 1970 that the dates of many languages support. */
export const LAST_SECOND = 8_640_000_000_000;

/** What a user wrote on a filter. */
export interface Note {
  readonly text: string;
  /** The time of the build in seconds since 1970, if it was stamped. */
  readonly created?: number;
}
