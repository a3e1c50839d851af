/** Bytes of UTF-8 that the text of a note may have. */
export const NOTE_LIMIT = 1000;

/** The last time, in seconds since 1970, that dates of many languages reach. */
export const LAST_SECOND = 8_640_000_000_000;

/** What somebody wrote on a filter. */
export interface Note {
  readonly text: string;
  /** When it was made, in seconds since 1970, where that was to be said. */
  readonly created?: number;
}
