import { NOTE_LIMIT, type Note } from '../formats/description.ts';
import { Unreadable } from './numbers.ts';

/** The text of a note. */
export function parseNote(text: string): string {
  const bytes = Buffer.byteLength(text);
  if (bytes <= NOTE_LIMIT) return text;
  throw new Unreadable(`expected at most ${NOTE_LIMIT} bytes, not ${bytes}`);
}

/**
 * The note that flags ask for. A build that is to be repeated byte for byte states its time as reproducible builds do, in
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
