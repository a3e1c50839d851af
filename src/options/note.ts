import { NOTE_LIMIT } from '../formats/description.ts';
import { Unreadable } from './numbers.ts';

/** The text of a note. */
export function parseNote(text: string): string {
  const bytes = Buffer.byteLength(text);
  if (bytes <= NOTE_LIMIT) return text;
  throw new Unreadable(`expected at most ${NOTE_LIMIT} bytes, not ${bytes}`);
}
