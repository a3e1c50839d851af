// The header of an input: its first record, which names the columns. It is read before the records, and is not one of them.

import { printable, UnreadableInput } from '../../errors.ts';
import { putBack } from '../../io/head.ts';
import { displayName } from '../../io/look.ts';
import type { ByteSource } from '../../io/source.ts';
import { csvDelimiterOf, type KeySelection, terminatorOf } from './key-selection.ts';
import type { FieldChoice, FieldRange, Separator } from './record-keys.ts';

/** The records of an input. */
export interface RecordSource extends ByteSource {
  /** The fields that the header of this input gives the wanted columns; undefined without a header. */
  readonly fields?: readonly FieldRange[] | undefined;
}

/** Bytes of a header, with the skipped records before it, at most. */
const HEADER_LIMIT = 2 ** 20;

/** Bytes of the first read. */
const FIRST_READ = 2 ** 12;

/**
 * The records after the header of a source. An empty source needs no header. Throws `UnreadableInput` for a column that
 * the header lacks or has twice, and for a header that is too long.
 */
export async function afterHeader(source: ByteSource, selection: KeySelection): Promise<RecordSource> {
  const find = headerFinder(selection);
  let bytes = Buffer.alloc(FIRST_READ);
  for (let end = 0; ; ) {
    const space = bytes.subarray(end);
    const count = source.read(space) ?? (await source.wait(space));
    end += count;
    const read = bytes.subarray(0, end);
    const header = find(count === 0 ? closed(read, selection) : read);
    if (header.names !== undefined) {
      const { keys } = selection;
      const fields = keys.type === 'fields' ? fieldsIn(keys.ranges, header.names, source.name) : undefined;
      return { ...afterBytes(Math.min(header.end, end), read, source), fields };
    }
    if (count === 0) {
      if (header.end < end) throw noHeader(source.name, 'has a quote that does not end');
      return afterBytes(end, read, source);
    }
    if (end > HEADER_LIMIT) throw noHeader(source.name, 'is longer than 1 MiB');
    if (end === bytes.length) bytes = Buffer.concat([bytes], 2 * end);
  }
}

function noHeader(name: string, why: string): UnreadableInput {
  const message = `cannot read ${displayName(name)}: its first record, the header, ${why}`;
  return new UnreadableInput(message, 'correct the file, or leave out --header if it has no header');
}

/** The source after its first bytes. `read` are the bytes that were read from it. */
function afterBytes(count: number, read: Uint8Array, source: ByteSource): ByteSource {
  const size = source.size === undefined ? undefined : source.size - count;
  return putBack(read.subarray(count), { ...source, begin: (source.begin ?? 0) + count, size });
}

/** The last record may lack its terminator. */
function closed(read: Buffer, selection: KeySelection): Buffer {
  const terminator = terminatorOf(selection);
  return read.length === 0 || read.at(-1) === terminator ? read : Buffer.concat([read, Buffer.of(terminator)]);
}

/** The selection in an input, with the numbers that its header gives to the wanted columns. */
export function selectionIn(selection: KeySelection, fields: readonly FieldRange[] = []): KeySelection {
  const { keys } = selection;
  if (!selection.hasHeader) return selection;
  return { ...selection, hasHeader: false, keys: keys.type === 'fields' ? { ...keys, ranges: fields } : keys };
}

/** The header of an input as far as it is known. Its bytes are characters of latin1. */
interface Header {
  /** The names of the columns; undefined if the header has not ended. */
  readonly names: readonly string[] | undefined;
  /** Bytes up to the end of the header, or up to its beginning if it has not ended. */
  readonly end: number;
}

/** Finds the header in the first bytes of an input. */
type FindHeader = (bytes: Buffer) => Header;

/** Comments and empty records before the header are skipped, if records are. */
function headerFinder(selection: KeySelection): FindHeader {
  const terminator = String.fromCharCode(terminatorOf(selection));
  const { keys } = selection;
  const delimiter = csvDelimiterOf(selection);
  const isSkipped = skippedBy(selection, delimiter !== undefined);
  const lengthOf = delimiter === undefined ? undefined : csvLength(String.fromCharCode(delimiter));
  return (bytes) => {
    const text = bytes.toString('latin1');
    for (let start = 0; ; ) {
      const lineEnd = text.indexOf(terminator, start);
      if (lineEnd < 0) return { names: undefined, end: start };
      if (isSkipped(withoutReturn(text.slice(start, lineEnd), terminator))) {
        start = lineEnd + 1;
        continue;
      }
      const end = lengthOf === undefined ? lineEnd : lengthOf(text, start);
      if (end === undefined) return { names: undefined, end: start };
      const record = withoutReturn(text.slice(start, end), terminator);
      return { names: keys.type === 'fields' ? fieldsOf(record, keys.separator) : [record], end: end + 1 };
    }
  };
}

function skippedBy({ comments = [], skipsEmpty }: KeySelection, isCsv: boolean): (line: string) => boolean {
  const prefixes = comments.map(latin1);
  return (line) => {
    const inner = line.replace(/^[ \t]+/, '');
    const places = isCsv ? [line] : [line, inner];
    return (skipsEmpty === true && inner === '') || prefixes.some((one) => places.some((text) => text.startsWith(one)));
  };
}

function withoutReturn(record: string, terminator: string): string {
  return terminator === '\n' ? record.replace(/\r$/, '') : record;
}

/** A field of CSV, by the rules of src/kernel/assembly/records/csv.ts. Its delimiter is an ASCII character. */
function csvField(delimiter: string): string {
  const ordinary = `[^${escaped(delimiter)}\\n]*`;
  return `(?:"[^"]*(?:""[^"]*)*"${ordinary}|(?!")${ordinary})`;
}

/** Finds the end of the CSV record that begins at `start`: the position of its newline. Undefined if it has none. */
function csvLength(delimiter: string): (text: string, start: number) => number | undefined {
  const field = new RegExp(`${csvField(delimiter)}([${escaped(delimiter)}\\n])`, 'y');
  return (text, start) => {
    field.lastIndex = start;
    for (let found = field.exec(text); found !== null; found = field.exec(text))
      if (found[1] === '\n') return field.lastIndex - 1;
    return undefined;
  };
}

function fieldsOf(record: string, separator: Separator): readonly string[] {
  if (separator.type === 'text') return record.split(latin1(separator.text));
  if (separator.type === 'runs') return record.split(new RegExp(`[${escaped(separator.of)}]+`)).filter(Boolean);
  const field = new RegExp(`(${csvField(separator.delimiter)})${escaped(separator.delimiter)}`, 'gy');
  return [...`${record}${separator.delimiter}`.matchAll(field)].map(([, text = '']) => csvValue(text));
}

function csvValue(field: string): string {
  const [, inner, behind] = /^"([^"]*(?:""[^"]*)*)"(.*)$/s.exec(field) ?? [];
  return inner === undefined ? field : `${inner.replaceAll('""', '"')}${behind}`;
}

function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** ASCII characters for a class of a regular expression. */
function escaped(characters: string): string {
  return characters.replace(/./gs, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** The fields of these choices, in an input with these names of columns. */
function fieldsIn(choices: readonly FieldChoice[], names: readonly string[], input: string): readonly FieldRange[] {
  return choices.map((choice) => {
    if (!('column' in choice)) return choice;
    const name = latin1(choice.column);
    const number = names.indexOf(name) + 1;
    const again = names.indexOf(name, number) + 1;
    if (number === 0)
      throw new UnreadableInput(
        `${displayName(input)} has no column ${printable(choice.column)}; its columns are ${listOf(names)}`,
        'select one of them with -f, or leave out --header if the first record has no names',
      );
    if (again > 0)
      throw new UnreadableInput(
        `columns ${number} and ${again} of ${displayName(input)} are both named ${printable(choice.column)}; its columns are ${listOf(names)}`,
        `select one by its number, such as -f ${number}`,
      );
    return { from: number, to: number };
  });
}

/** Columns that a message names, at most. */
const LISTED = 20;

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, LISTED).map((name) => displayName(Buffer.from(name, 'latin1').toString()));
  const left = names.length - shown.length;
  return left > 0 ? `${shown.join(', ')} and ${left} more` : shown.join(', ');
}
