import { BloomError, printable } from '../errors.ts';
import type { Description } from '../formats/description.ts';
import { LAST_SECOND, type Note } from '../formats/note.ts';
import { count } from '../quantities.ts';

/**
 * The note for a new filter. SOURCE_DATE_EPOCH gives the time of a reproducible build
 * (https://reproducible-builds.org/specs/source-date-epoch). Throws a `usage` error if it is not a valid time.
 */
export function noteOf(
  text: string | undefined,
  isStamped: boolean,
  { SOURCE_DATE_EPOCH: epoch = '' }: NodeJS.ProcessEnv,
): Note | undefined {
  if (text === undefined && !isStamped) return undefined;
  if (!isStamped) return { text: text ?? '' };
  return { text: text ?? '', created: epoch === '' ? Math.floor(Date.now() / 1000) : secondsIn(epoch) };
}

/** A time in seconds since 1970. A file cannot have the time 0, which means no time. */
function secondsIn(epoch: string): number {
  const seconds = /^\d+$/.test(epoch) ? Number(epoch) : 0;
  if (seconds >= 1 && seconds <= LAST_SECOND) return seconds;
  throw new BloomError(
    'usage',
    `SOURCE_DATE_EPOCH is ${printable(epoch)}, which is not a time that a filter can store: expected seconds since 1970, from 1 to ${count(LAST_SECOND)}`,
    'set it to such a time, or unset it',
  );
}

/** The note of a filter, by its names in JSON. */
export function noteSummary({ note }: Description) {
  return { note: note?.text ?? null, made: note?.created === undefined ? null : dateOf(note.created) };
}

/** A time in seconds since 1970 in the format of ISO 8601. */
function dateOf(seconds: number): string {
  return new Date(1000 * seconds).toISOString().replace('.000Z', 'Z');
}
