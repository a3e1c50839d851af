import { UnreadableInput } from '../../errors.ts';
import { displayName } from '../../io/look.ts';

/** How records end if their ends can be found from anywhere: with the same byte each, or after a fixed number of bytes. */
export type PlainEnds = { readonly terminator: number } | { readonly length: number };

/** How CSV records end: with a newline outside quotes, which enclose whole fields. A comment ends with any newline. */
export interface CsvEnds {
  readonly csvDelimiter: number;
  /** The prefixes of comments, without quotes. */
  readonly comments: readonly Uint8Array[];
}

export type RecordEnds = PlainEnds | CsvEnds;

/** Bytes of a digest that stands for its record. */
export const DIGEST_BYTES = 8;

/**
 * Finds the ends of records in the pieces of an input. It needs all pieces, in order. Returns the position after the last record that ends
 * in a piece.
 */
export type FindLastEnd = (piece: Uint8Array) => number;

/** Begins with the first piece of an input. */
export function createEndFinder(ends: RecordEnds): FindLastEnd {
  if ('terminator' in ends) return (piece) => piece.lastIndexOf(ends.terminator) + 1;
  if ('csvDelimiter' in ends) return createCsvEndFinder(ends);
  let before = 0;
  return (piece) => {
    before += piece.length;
    return Math.max(0, piece.length - (before % ends.length));
  };
}

const LF = 10;
const QUOTE = 34;

/** Follows the rules of src/kernel/assembly/records/csv.ts. */
function createCsvEndFinder({ csvDelimiter, comments }: CsvEnds): FindLastEnd {
  const longest = Math.max(0, ...comments.map((comment) => comment.length));
  let place: 'outside' | 'inside' | 'after a quote' = 'outside';
  let beginsField = true;
  const record = createCommentFinder(comments);
  return (piece) => {
    if (place === 'outside' && !piece.includes(QUOTE)) {
      const end = piece.lastIndexOf(LF) + 1;
      if (end > 0) record.begin();
      for (const byte of piece.subarray(end, end + longest)) record.isComment(byte);
      const last = piece.at(-1);
      if (last !== undefined) beginsField = last === LF || last === csvDelimiter;
      return end;
    }
    let end = 0;
    // An iterator would allocate an object per byte, and take ten times as long.
    for (let i = 0; i < piece.length; i++) {
      const byte = piece[i] ?? 0;
      const isSkipped = record.isComment(byte);
      if (place === 'inside') {
        if (byte === QUOTE) place = 'after a quote';
      } else if (place === 'after a quote' && byte === QUOTE) place = 'inside';
      else {
        place = byte === QUOTE && beginsField && !isSkipped ? 'inside' : 'outside';
        beginsField = byte === LF || byte === csvDelimiter;
        if (byte !== LF) continue;
        end = i + 1;
        record.begin();
      }
    }
    return end;
  };
}

/** Recognises comments by the first bytes of a record, given one after the other. */
function createCommentFinder(comments: readonly Uint8Array[]) {
  /** Per prefix, the number of bytes that agree so far; undefined after a difference. */
  let alike: (number | undefined)[] = comments.map(() => 0);
  const isWhole = (count: number | undefined, i: number) => count === comments[i]?.length;
  return {
    begin() {
      alike = comments.map(() => 0);
    },
    isComment(byte: number): boolean {
      alike = alike.map((count, i) => {
        if (count === undefined || isWhole(count, i)) return count;
        return byte === comments[i]?.[count] ? count + 1 : undefined;
      });
      return alike.some(isWhole);
    },
  };
}

/** The error for digests of which the last one is cut off. */
export function cutDigest(name: string): UnreadableInput {
  return new UnreadableInput(
    `cannot read ${displayName(name)}: its size is not a multiple of ${DIGEST_BYTES}, the bytes of a digest`,
    'name a file that bloom digest wrote; it may be cut between digests',
  );
}
