import type { Description, Note } from '../formats/description.ts';

/**
 * The note that is asked for. A build that is to be repeated byte for byte states its time as reproducible builds do, in
 * SOURCE_DATE_EPOCH (https://reproducible-builds.org/specs/source-date-epoch).
 */
export function noteOf(
  text: string | undefined,
  isStamped: boolean,
  { SOURCE_DATE_EPOCH: epoch = '' }: NodeJS.ProcessEnv,
): Note | undefined {
  if (text === undefined && !isStamped) return undefined;
  if (!isStamped) return { text: text ?? '' };
  return { text: text ?? '', created: /^\d{1,11}$/.test(epoch) ? Number(epoch) : Math.floor(Date.now() / 1000) };
}

/** What a filter says of itself, by the names that it has in JSON. */
export function noteSummary({ note }: Description) {
  return { note: note?.text ?? null, made: note?.created === undefined ? null : dateOf(note.created) };
}

/** A time in seconds since 1970 by ISO 8601. */
function dateOf(seconds: number): string {
  return new Date(1000 * seconds).toISOString().replace('.000Z', 'Z');
}
