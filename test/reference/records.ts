// Bytes -> records -> keys, one byte at a time, as the scanner must find them. It follows FORMAT.md; fields follow awk
// (runs of blanks) and cut (delimiters).

import { isUtf8 } from 'node:buffer';
import { isIPv6 } from 'node:net';
import { isRange, type RecordKeys, type Separator } from '../../src/engine/input/record-keys.ts';
import { fieldsOfCsv, splitCsv } from './csv.ts';

/** How a user selects keys. */
export interface Splitting {
  readonly nullTerminated: boolean;
  readonly keys: RecordKeys;
  readonly comments?: readonly string[] | undefined;
  readonly endsAtComments?: boolean | undefined;
  readonly skipsEmpty?: boolean | undefined;
  readonly needsAll?: boolean | undefined;
}

const NUL = 0x00;
const LF = 0x0a;
const CR = 0x0d;

/** The records of an input, each with its terminator; the last one may lack it. */
export function splitRaw(input: Uint8Array, { nullTerminated, keys, comments }: Splitting): Uint8Array[] {
  if (keys.type === 'fields' && keys.separator.type === 'csv')
    return splitCsv(input, keys.separator.delimiter, comments);
  const terminator = nullTerminated ? NUL : LF;
  const records: Uint8Array[] = [];
  let start = 0;
  for (let i = 0; i < input.length; i++) {
    if (input[i] !== terminator) continue;
    records.push(input.subarray(start, i + 1));
    start = i + 1;
  }
  return start < input.length ? [...records, input.subarray(start)] : records;
}

/** A record without its terminator, and without one CR before the newline. */
export function withoutTerminator(raw: Uint8Array, { nullTerminated }: Splitting): Uint8Array {
  const terminator = nullTerminated ? NUL : LF;
  const record = raw.at(-1) === terminator ? raw.subarray(0, -1) : raw;
  return !nullTerminated && record.at(-1) === CR ? record.subarray(0, -1) : record;
}

/** Fields as in awk: runs of separator bytes separate them, and none is empty. */
function splitAtRuns(record: Uint8Array, bytes: Uint8Array): Uint8Array[] {
  const fields: Uint8Array[] = [];
  let start = 0;
  for (const [end, byte] of record.entries()) {
    if (!bytes.includes(byte)) continue;
    fields.push(record.subarray(start, end));
    start = end + 1;
  }
  return [...fields, record.subarray(start)].filter((field) => field.length > 0);
}

/** Fields as in cut: delimiters, found from left to right, separate them, and a field may be empty. */
function splitAtDelimiter(record: Uint8Array, delimiter: Uint8Array): Uint8Array[] {
  const fields: Uint8Array[] = [];
  let start = 0;
  for (let i = 0; i + delimiter.length <= record.length; ) {
    if (delimiter.every((byte, j) => record[i + j] === byte)) {
      fields.push(record.subarray(start, i));
      i += delimiter.length;
      start = i;
    } else {
      i++;
    }
  }
  return [...fields, record.subarray(start)];
}

/** Returns whether a record is skipped, as a comment or as empty. A comment in CSV is not indented. */
export function isSkipped(record: Uint8Array, { keys, comments = [], skipsEmpty = false }: Splitting): boolean {
  const text = Buffer.from(record).toString('latin1');
  const isCsv = keys.type === 'fields' && keys.separator.type === 'csv';
  const trimmed = text.replace(/^[ \t]+/, '');
  const texts = isCsv ? [text] : [text, trimmed];
  return (
    (skipsEmpty && trimmed === '') || comments.some((comment) => texts.some((some) => some.startsWith(latin1(comment))))
  );
}

/** A record up to its first comment that follows a blank, without the blanks before the comment. */
function beforeComment(record: Uint8Array, { comments = [], endsAtComments = false }: Splitting): Uint8Array {
  const text = Buffer.from(record).toString('latin1');
  const at = [...text.matchAll(/[ \t]+(?=[^ \t])/g)].find(({ index, 0: blanks }) =>
    comments.some((comment) => text.startsWith(latin1(comment), index + blanks.length)),
  )?.index;
  return endsAtComments && at !== undefined ? record.subarray(0, at) : record;
}

/** The keys of a record, before normalisation. */
export function keysOf(whole: Uint8Array, splitting: Splitting): Uint8Array[] {
  const { keys, needsAll } = splitting;
  if (isSkipped(whole, splitting)) return [];
  const record = beforeComment(whole, splitting);
  if (keys.type === 'record') return [record];
  if (keys.type === 'words') return wordsOf(record);
  if (keys.type === 'value') return valueAt(record, keys.path);
  const fields = split(record, keys.separator);
  const ranges = keys.ranges.filter(isRange);
  const named = ranges.flatMap(({ from, to }) => [Math.abs(from), Math.abs(to)]);
  if (needsAll && named.some((number) => number > fields.length)) return [];
  const numberOf = (wanted: number) => (wanted < 0 ? fields.length + 1 + wanted : wanted);
  const found = fields.filter((_, i) =>
    ranges.some(({ from, to }) => numberOf(from) <= i + 1 && i + 1 <= numberOf(to)),
  );
  return keys.areOne && found.length > 0 ? [joined(found, keys.separator)] : found;
}

/** Joins fields to one key. NUL joins fields of CSV, the first separator character joins runs, and the delimiter all others. */
function joined(fields: readonly Uint8Array[], separator: Separator): Uint8Array {
  const between = Buffer.from(glueOf(separator));
  return Buffer.concat(fields.flatMap((field, i) => (i === 0 ? [field] : [between, field])));
}

function glueOf(separator: Separator): string {
  if (separator.type === 'csv') return '\0';
  return separator.type === 'runs' ? separator.of.slice(0, 1) : separator.text;
}

/** The UTF-8 bytes of a text, one character per byte. */
function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function split(record: Uint8Array, separator: Separator): readonly Uint8Array[] {
  if (separator.type === 'csv') return fieldsOfCsv(record, separator.delimiter);
  return separator.type === 'runs'
    ? splitAtRuns(record, Buffer.from(separator.of))
    : splitAtDelimiter(record, Buffer.from(separator.text));
}

const WORD = /[a-z0-9\x80-\xff]([a-z0-9\x80-\xff._-]*[a-z0-9\x80-\xff])?/gi;

/** Four numbers of at most three digits, between dots, hyphens or the ends of the word. Matches can overlap. */
const ADDRESS = /(?<![^.-])(?=((?:\d{1,3}\.){3}\d{1,3})(?![^.-]))/g;

/** Characters beyond ASCII that separate words, as REFERENCE.md lists them. */
const SEPARATOR = /^[\p{P}\p{S}\p{Z}\p{Cc}\p{Bidi_Control}\u200b\u2060\ufeff]$/u;

/** Replaces each byte of a separator beyond ASCII by a space. Bytes that are not UTF-8 stay. */
function withSpaces(record: Uint8Array): Buffer {
  const spaced = Buffer.from(record);
  for (let at = 0; at < spaced.length; at++) {
    const lengths = [2, 3, 4].filter((length) => (record[at] ?? 0) >= 0x80 && isUtf8(record.subarray(at, at + length)));
    const separator = lengths.find((length) =>
      SEPARATOR.test(Buffer.from(record.subarray(at, at + length)).toString()),
    );
    if (separator !== undefined) spaced.fill(' ', at, at + separator);
  }
  return spaced;
}

/** The words of a record. The addresses within a word follow it, unless the word is the address. */
function wordsOf(record: Uint8Array): Uint8Array[] {
  const words = withSpaces(record).toString('latin1').match(WORD) ?? [];
  return words
    .flatMap((word) => {
      const addresses = [...word.matchAll(ADDRESS)].map(([, address = '']) => address);
      return [word, ...addresses.filter((address) => address !== word)];
    })
    .map((word) => Buffer.from(word, 'latin1'));
}

/** Hexadecimal digits, colons and dots, with a colon at least. */
const RUN = /[0-9a-f:.]*:[0-9a-f:.]*/gi;

/**
 * The IPv6 addresses in a record. A letter or `_` beside a run belongs to a word, which ends at the next colon. What is left of the run
 * may have dots around it, one colon too many at its ends, and a port after its last dot.
 */
export function longAddressesOf(record: Uint8Array): Uint8Array[] {
  const text = Buffer.from(record).toString('latin1');
  return [...text.matchAll(RUN)].flatMap(({ 0: run, index }) => {
    const [isAfterWord, isBeforeWord] = [text[index - 1], text[index + run.length]].map((beside) =>
      /^[a-z_]$/i.test(beside ?? ''),
    );
    const after = isAfterWord ? run.replace(/^[^:]*:/, '') : run;
    if (isAfterWord && /^(?:.?|:[^:].*|:::.*)$/.test(after)) return [];
    const whole = isBeforeWord ? after.replace(/(?:^|:)[^:]*$/, '') : after;
    if (isBeforeWord && /^(?:.?|.*[^:]:|.*:::)$/.test(whole)) return [];
    const trimmed = whole
      .replace(/^\.+/, '')
      .replace(/\.+$/, '')
      .replace(/^:(?=[^:]|::)/, '')
      .replace(/(?<=[^:]|::):$/, '');
    const address = [trimmed, trimmed.replace(/\.[^.]*$/, '')].find((some) => isIPv6(some));
    return address === undefined ? [] : [Buffer.from(address, 'latin1')];
  });
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The value at a path of a JSON record: a string, or the text of a number or boolean. */
function valueAt(record: Uint8Array, path: readonly string[]): Uint8Array[] {
  const text = Buffer.from(record).toString();
  let value: unknown;
  try {
    JSON.parse(text);
    // Quote numbers, so that their text stays as in the record.
    value = JSON.parse(text.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`)));
  } catch {
    return [];
  }
  for (const name of path) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name);
    value = isObject ? Object.entries(value as object).find(([own]) => own === name)?.[1] : undefined;
  }
  if (typeof value === 'string') return [Buffer.from(value)];
  return typeof value === 'boolean' ? [Buffer.from(String(value))] : [];
}

/** Returns whether a set selects a record. One member suffices, but `needsAll` demands every named field as a member. */
export function isSelected(record: Uint8Array, selection: Splitting, isMember: (key: Uint8Array) => boolean): boolean {
  const keys = keysOf(record, selection);
  return selection.needsAll ? keys.length > 0 && keys.every(isMember) : keys.some(isMember);
}
