import type { KeyRules } from '../../formats/description.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { csvDelimiterOf, type KeySelection, terminatorOf } from './key-selection.ts';
import { PADDING } from './record-buffer.ts';
import {
  BLANKS,
  type FieldKeys,
  type FieldRange,
  isEveryField,
  isRange,
  mayBeSeveral,
  type Separator,
} from './record-keys.ts';

/** Codes of the kernel's `configureRecords`. */
const SELECT = { field: 1, fields: 2, tokens: 3, csv: 6 };
const OTHERS = { record: 0, words: 4, value: 5 };

/** Codes of the kernel's `configureSeparator`. */
const SEPARATE = { blanks: 0, set: 1, text: 2, csv: 3 };

/** Fields are counted in 31 bits and a sign. */
const LAST = 2 ** 31 - 1;

/** Configures the kernel's scanner for the keys of a record, which become digests by some rules. */
export function configureSelection(kernel: Kernel, selection: KeySelection, rules: readonly KeyRules[]): void {
  const { keys } = selection;
  if (keys.type === 'value') configurePath(kernel, keys.path);
  const { configureAddresses, configureWords, wordTableBytes } = kernel.exports;
  if (keys.type === 'words') {
    const ofNetworks = rules.filter(({ encoding }) => encoding === 'network').length;
    configureWords(kernel.reserve(wordTableBytes()));
    configureAddresses(Number(ofNetworks > 0), Number(ofNetworks === rules.length));
  }
  const { select, field } =
    keys.type === 'fields'
      ? configureFields(kernel, keys, selection.needsAll)
      : { select: OTHERS[keys.type], field: 0 };
  kernel.exports.configureRecords(terminatorOf(selection), select, field);
  configureSkipped(kernel, selection);
}

/** Configures which records are skipped. */
function configureSkipped(kernel: Kernel, selection: KeySelection): void {
  const { comments = [], endsAtComments = false, skipsEmpty = false } = selection;
  const prefixes = comments.map((prefix) => Buffer.from(prefix));
  const listed = Buffer.concat(
    prefixes.flatMap((prefix) => [Buffer.from(Uint32Array.of(prefix.length).buffer), prefix]),
  );
  const isCsv = csvDelimiterOf(selection) !== undefined;
  kernel.exports.configureSkipped(
    listed.length === 0 ? 0 : placed(kernel, listed),
    prefixes.length,
    Number(!isCsv),
    Number(skipsEmpty),
    Number(endsAtComments),
    terminatorOf(selection),
  );
}

/**
 * Configures fields and the list of wanted ones. Returns the code of the loop that finds them, and the number of the field if only one is
 * wanted.
 */
function configureFields(
  kernel: Kernel,
  keys: FieldKeys,
  needsAll = false,
): { readonly select: number; readonly field: number } {
  const { separator, areOne } = keys;
  const ranges = keys.ranges.filter(isRange);
  if (ranges.length < keys.ranges.length) throw new Error('a column has no number');
  configureSeparator(kernel, separator);
  const least = needsAll ? leastFields(ranges) : 0;
  // The loop of tokens does not count fields, but a record with one token has at least one field.
  if (separator.type === 'runs' && isEveryField(keys) && !areOne && least <= 1)
    return { select: SELECT.tokens, field: 0 };
  const [{ from } = { from: 0 }] = ranges;
  if (separator.type !== 'csv' && !areOne && !mayBeSeveral(keys) && from > 0)
    return { select: SELECT.field, field: from };
  configureList(kernel, ranges, least);
  if (areOne) configureGlue(kernel, separator);
  return { select: separator.type === 'csv' ? SELECT.csv : SELECT.fields, field: 0 };
}

function configureSeparator(kernel: Kernel, separator: Separator): void {
  const { exports } = kernel;
  if (separator.type === 'runs') {
    exports.configureSet(placed(kernel, rowsOf(separator.of)));
    exports.configureSeparator(separator.of === BLANKS.of ? SEPARATE.blanks : SEPARATE.set, 0, 0);
    return;
  }
  if (separator.type === 'csv') {
    exports.configureSeparator(SEPARATE.csv, 0, 0);
    exports.configureCsv(separator.delimiter.charCodeAt(0));
    return;
  }
  const text = Buffer.from(separator.text);
  exports.configureSeparator(SEPARATE.text, placed(kernel, text), text.length);
}

/** Nesting depth of JSON, at most. */
const DEEPEST = 10_000;

function configurePath(kernel: Kernel, path: readonly string[]): void {
  const names = path.map((name) => Buffer.from(name));
  const numbers = Uint32Array.from(names.flatMap((name) => [placed(kernel, name), name.length]));
  const at = placed(kernel, new Uint8Array(numbers.buffer));
  kernel.exports.configurePath(at, names.length, kernel.reserve(DEEPEST), DEEPEST);
}

/** Whether keys may differ from their bytes in the records, so that the kernel needs memory for them. */
export function areDecoded({ keys }: KeySelection): boolean {
  return keys.type === 'value' || (keys.type === 'fields' && (keys.areOne === true || keys.separator.type === 'csv'));
}

/** A set of ASCII characters in the kernel's form: bit h of byte l stands for the character 16 h + l. */
function rowsOf(characters: string): Uint8Array {
  const rows = new Uint8Array(16);
  for (const byte of Buffer.from(characters)) rows[byte & 15] = (rows[byte & 15] ?? 0) | (1 << (byte >> 4));
  return rows;
}

/** The smallest number of fields in a record that has all named fields. */
function leastFields(ranges: readonly FieldRange[]): number {
  return Math.max(0, ...ranges.flatMap(({ from, to }) => [Math.abs(from), Math.abs(to)]));
}

function configureList(kernel: Kernel, ranges: readonly FieldRange[], least: number): void {
  const last = ({ from, to }: FieldRange) => (from > 0 && to === -1 ? LAST : to);
  const numbers = Int32Array.from(ranges.flatMap((range) => [range.from, last(range)]));
  kernel.exports.configureList(placed(kernel, new Uint8Array(numbers.buffer)), ranges.length, least);
}

/** Configures the text between fields that are one key. */
function configureGlue(kernel: Kernel, separator: Separator): void {
  // CSV fields may contain delimiters, so NUL is between them.
  const glue = Buffer.from(
    separator.type === 'runs' ? separator.of.slice(0, 1) : separator.type === 'csv' ? '\0' : separator.text,
  );
  kernel.exports.configureGlue(placed(kernel, glue), glue.length);
}

/** Copies bytes to kernel memory, for the life of the kernel; returns their address. */
function placed(kernel: Kernel, bytes: Uint8Array): number {
  const address = kernel.reserve(bytes.length + PADDING);
  kernel.bytes(address, bytes.length).set(bytes);
  return address;
}
