import { UnreadableInput } from '../../errors.ts';
import { displayName } from '../../io/look.ts';
import { DIGEST_BYTES, type PlainEnds, type RecordEnds } from './record-ends.ts';
import { type RecordKeys, WHOLE_RECORD } from './record-keys.ts';

/** Which bytes of an input are records, and which bytes of a record are its keys. */
export interface KeySelection {
  /** Inputs are read unchanged. Otherwise they may be compressed, or begin with a byte order mark. */
  readonly raw?: boolean;
  /** Inputs consist of digests that were made before, instead of records; they are read unchanged. */
  readonly areDigests?: boolean;
  /** Records end with NUL instead of a newline. */
  readonly nullTerminated: boolean;
  /** The first record of each input is its header. It names the columns, and is not a record. */
  readonly hasHeader?: boolean | undefined;
  readonly keys: RecordKeys;
  /** A query selects a record with several keys only if it has all named keys and all are present. Otherwise any present key is enough. */
  readonly needsAll?: boolean | undefined;
  /** A record that begins with one of these prefixes is skipped. Outside CSV, blanks may precede the prefix. */
  readonly comments?: readonly string[] | undefined;
  /** A record ends before blanks and one of these prefixes. */
  readonly endsAtComments?: boolean | undefined;
  /** A record that is empty or has only blanks is skipped. */
  readonly skipsEmpty?: boolean | undefined;
}

/** Whole lines. */
export const WHOLE_LINES: KeySelection = { nullTerminated: false, keys: WHOLE_RECORD };

const NUL = 0;
export const LF = 10;

/** The byte that ends a record. */
export function terminatorOf({ nullTerminated }: KeySelection): number {
  return nullTerminated ? NUL : LF;
}

/** The delimiter of CSV, as a byte; undefined for other records. */
export function csvDelimiterOf({ keys }: KeySelection): number | undefined {
  return keys.type === 'fields' && keys.separator.type === 'csv' ? keys.separator.delimiter.charCodeAt(0) : undefined;
}

/** How records end. */
export function recordEndsOf(selection: KeySelection): RecordEnds {
  const csvDelimiter = csvDelimiterOf(selection);
  if (csvDelimiter === undefined) return plainEndsOf(selection);
  return { csvDelimiter, comments: (selection.comments ?? []).map((prefix) => Buffer.from(prefix)) };
}

/** How records end if they are not CSV. */
export function plainEndsOf(selection: KeySelection): PlainEnds {
  return selection.areDigests === true ? { length: DIGEST_BYTES } : { terminator: terminatorOf(selection) };
}

/** Bytes of a record before its terminator, at most: the whole record is in memory. */
export const LONGEST_RECORD = 2 ** 30;

/** The error for an input with a longer record. */
export function tooLong(name: string, terminator: number): UnreadableInput {
  const [record, hint] =
    terminator === NUL
      ? ['a record', 'if its records end with newlines, leave out -0']
      : ['a line', 'if its records end with NUL, add -0'];
  return new UnreadableInput(`${displayName(name)}: ${record} is longer than 1 GiB, which is the limit`, hint);
}

/** A record is its only key and no record is skipped, so keys and records have the same numbers. */
export function isWhole({ keys, comments = [], skipsEmpty }: KeySelection): boolean {
  return keys.type === 'record' && comments.length === 0 && !skipsEmpty;
}
