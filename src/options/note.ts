import { NOTE_LIMIT } from '../formats/note.ts';
import { Unreadable } from './numbers.ts';

/** The text of a note. */
export function parseNote(text: string): string {
  const bytes = Buffer.byteLength(text);
  if (bytes >= 1 && bytes <= NOTE_LIMIT) return text;
  throw new Unreadable(`expected from 1 to ${NOTE_LIMIT} bytes, not ${bytes}`);
}
