import { UnreadableInput } from '../../errors.ts';
import { displayName } from '../../io/look.ts';

/** How the records of an input end where they can be found from anywhere: each with the same byte, or after so many of its bytes. */
export type PlainEnds = { readonly terminator: number } | { readonly length: number };

/** How they end: of CSV with a newline that is not in quotes, which stand around whole fields. */
export type RecordEnds = PlainEnds | { readonly csvDelimiter: number };

/** Bytes of a digest that stands for its record. */
export const DIGEST_BYTES = 8;

/**
 * Finds the ends of records in the pieces of an input, all of which it is given, one after the other. Returns how many bytes of a
 * piece are before the end of the last record that ends in it.
 */
export type FindLastEnd = (piece: Uint8Array) => number;

/** Begins with the first piece of an input. */
export function createEndFinder(ends: RecordEnds): FindLastEnd {
  if ('terminator' in ends) return (piece) => piece.lastIndexOf(ends.terminator) + 1;
  if ('csvDelimiter' in ends) return createCsvEndFinder(ends.csvDelimiter);
  let before = 0;
  return (piece) => {
    before += piece.length;
    return Math.max(0, piece.length - (before % ends.length));
  };
}

const LF = 10;
const QUOTE = 34;

/** After the rules of src/kernel/assembly/records/csv.ts. */
function createCsvEndFinder(delimiter: number): FindLastEnd {
  let place: 'outside' | 'inside' | 'behind a quote' = 'outside';
  let beginsField = true;
  return (piece) => {
    if (place === 'outside' && !piece.includes(QUOTE)) {
      const last = piece.at(-1);
      if (last !== undefined) beginsField = last === LF || last === delimiter;
      return piece.lastIndexOf(LF) + 1;
    }
    let end = 0;
    for (let i = 0; i < piece.length; i++) {
      const byte = piece[i];
      if (place === 'inside') {
        if (byte === QUOTE) place = 'behind a quote';
      } else if (place === 'behind a quote' && byte === QUOTE) place = 'inside';
      else {
        place = byte === QUOTE && beginsField ? 'inside' : 'outside';
        beginsField = byte === LF || byte === delimiter;
        if (byte === LF) end = i + 1;
      }
    }
    return end;
  };
}

/** The error for digests of which the last one is cut off. */
export function cutDigest(name: string): UnreadableInput {
  return new UnreadableInput(
    `cannot read ${displayName(name)}: digests have ${DIGEST_BYTES} bytes each, and its size is no multiple of that`,
    'give what bloom digest wrote, whole or cut between digests',
  );
}
