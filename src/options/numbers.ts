// The grammars of numbers on the command line. Each parser returns the value, or throws `Unreadable` with what it
// expected. A space may precede a unit, `_` may separate two digits, and commas may separate groups of three digits
// of a whole number, as in bloom's output. They are not allowed elsewhere.

import type { FieldChoice } from '../engine/input/record-keys.ts';
import { SMALLEST_RATE } from '../sizing/solve.ts';

/** A value that violates its grammar. */
export class Unreadable extends Error {}

const COUNT_UNITS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, b: 1e9, t: 1e12 };

/** Digits with separators, without a power of ten. */
const DIGITS = String.raw`\d{1,3}(?:,\d{3})+|\d+(?:_\d+)*(?:\.\d+)?`;
const COUNT = new RegExp(String.raw`^(${DIGITS}|\d+(?:_\d+)*(?:\.\d+)?e\+?\d+)(?:\s*([kmgbt]))?$`, 'i');

function digitsOf(text: string | undefined): number {
  return Number(text?.replace(/[_,]/g, ''));
}

/** The parser of counts in a range: `10k`, `1M`, `1B`, `1e6`, `1_000_000`, `1,000,000`. */
export function countBetween(least: number, most: number): (text: string) => number {
  const range = most === Number.MAX_SAFE_INTEGER ? '2^53 - 1, such as 10k, 1M, 1e6 or 1,000,000' : most;
  return (text) => {
    const match = COUNT.exec(text);
    const value = digitsOf(match?.[1]) * (COUNT_UNITS[match?.[2]?.toLowerCase() ?? ''] ?? 1);
    // 4.1M is 4099999.9999999995 in binary, so the nearest whole number is used.
    const whole = Math.round(value);
    if (whole >= least && whole <= most && Math.abs(value - whole) <= 1e-12 * whole) return whole;
    throw new Unreadable(`expected a whole number from ${least} to ${range}`);
  };
}

/** A count from 1 to 2^53 - 1. */
export const parseCount = countBetween(1, Number.MAX_SAFE_INTEGER);

/** A number of records, or a time. */
export type Span = { readonly records: number } | { readonly milliseconds: number };

/**
 * Milliseconds per unit of time. Counts accept capital and small letters, but here `m` is a minute and `M` a million.
 */
const TIME_UNITS: Readonly<Record<string, number>> = { s: 1e3, m: 60e3, h: 3600e3, d: 86_400e3 };
const TIME = new RegExp(String.raw`^(${DIGITS})\s*([smhd])$`);

/** A number of records or a time: `1M`, `10m`, `1h`. */
export function parseSpan(text: string): Span {
  const [, digits, unit = ''] = TIME.exec(text) ?? [];
  const milliseconds = Math.round(digitsOf(digits) * (TIME_UNITS[unit] ?? 0));
  if (milliseconds >= 1 && milliseconds <= Number.MAX_SAFE_INTEGER) return { milliseconds };
  try {
    return { records: parseCount(text) };
  } catch {
    throw new Unreadable('expected a number of records, such as 1M, or a time, such as 30s, 10m, 1h or 7d');
  }
}

/** A number of keys, or the file of a sketch. */
export type Items = number | { readonly sketch: string };

/** A count, or `@FILE`. */
export function parseItems(text: string): Items {
  if (!text.startsWith('@')) return parseCount(text);
  const sketch = text.slice(1);
  if (sketch === '' || sketch === '-') throw new Unreadable('expected the name of a file after @');
  return { sketch };
}

/** A whole number from 0, for --probes. */
export const parseCountOrZero = countBetween(0, Number.MAX_SAFE_INTEGER);

/** A number of bits. A size in bytes is an error. */
export function parseBits(text: string): number {
  if (!/[bi]/i.test(text)) return parseCount(text);
  throw new Unreadable('expected a whole number of bits, such as 96M; --memory takes a size, such as 12MB or 96Mbit');
}

function parseFraction(text: string): number {
  const match = /^(\d*\.?\d+(?:e[+-]?\d+)?)(?:\s*(%))?$/i.exec(text);
  return match === null ? Number.NaN : Number(match[1]) / (match[2] === '%' ? 100 : 1);
}

/** A rate between 0 and 1: `1%`, `0.01`, `1e-3`. */
export function parseRate(text: string): number {
  const rate = parseFraction(text);
  if (!(rate >= SMALLEST_RATE && rate < 1)) {
    throw new Unreadable('expected a rate above 0 and below 1 (at least 1e-15), such as 1%, 0.01 or 1e-3');
  }
  return rate;
}

/** A share of at least 0: `30%`, `0.3`, `200%`. Without the sign it is at most 1, because 30 hardly means 31 times. */
export function parseShare(text: string): number {
  const share = parseFraction(text);
  if (share >= 0 && share <= (text.endsWith('%') ? 1000 : 1)) return share;
  throw new Unreadable('expected a percentage with its sign or a number from 0 to 1, such as 30% or 0.3');
}

/** A number above 0: `9.6`. */
export function parsePositive(text: string): number {
  const value = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value > 0 && value <= 1e6)) throw new Unreadable('expected a number above 0, such as 9.6');
  return value;
}

const BINARY_PREFIXES = ['', 'k', 'm', 'g', 't'];
const SIZE = new RegExp(String.raw`^(${DIGITS})(?:\s+(?=\S))?([kmgt]?)(i?)(b|bits?)?$`, 'i');

/** A size in bits: `12MB` (decimal), `12MiB` (binary), `96Mbit`, `1500` (bytes). */
export function parseSize(text: string): number {
  const match = SIZE.exec(text);
  const prefix = match?.[2]?.toLowerCase() ?? '';
  const binary = match?.[3] !== undefined && match[3] !== '';
  const unit = binary ? 1024 ** BINARY_PREFIXES.indexOf(prefix) : (COUNT_UNITS[prefix] ?? 1);
  const bitsEach = match?.[4]?.toLowerCase().startsWith('bit') ? 1 : 8;
  const bits = Math.floor(digitsOf(match?.[1]) * unit * bitsEach);
  if (!(bits >= 1 && bits <= Number.MAX_SAFE_INTEGER) || (binary && prefix === '')) {
    throw new Unreadable('expected a size, such as 12MB (decimal), 12MiB (binary) or 96Mbit');
  }
  return bits;
}

/** An unsigned 64-bit number: `42`, `0x2a`. */
export function parseSeed(text: string): bigint | 'random' {
  if (text === 'random') return text;
  const seed = /^(\d+|0x[\da-f]+)$/i.test(text) ? BigInt(text) : -1n;
  if (seed < 0n || seed >= 2n ** 64n)
    throw new Unreadable('expected a whole number from 0 to 2^64 - 1, such as 42 or 0x2a, or random');
  return seed;
}

/** One of several parts, counted from 1: `3/16`. */
export function parsePart(text: string): { readonly number: number; readonly of: number } {
  const [, number, of] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (number !== undefined && of !== undefined && number >= 1 && number <= of && Number.isSafeInteger(of))
    return { number, of };
  throw new Unreadable('expected K/N with K from 1 to N, such as 3/16');
}

/** The kernel must not compare more bytes than it may read after its input. */
const COMMENT_LIMIT = 64;

/** The prefix of a comment. */
export function parseComment(text: string): string {
  const bytes = Buffer.byteLength(text);
  if (bytes >= 1 && bytes <= COMMENT_LIMIT && !/[\0\r\n]/.test(text)) return text;
  throw new Unreadable(`expected from 1 to ${COMMENT_LIMIT} bytes of one line, such as #`);
}

/** A field separator. `\t` is a tab. */
export function parseDelimiter(text: string): string {
  if (text === '') throw new Unreadable('expected at least one character; without -d, runs of blanks separate fields');
  return text === '\\t' ? '\t' : text;
}

const ESCAPES: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', 0: '\0', '\\': '\\' };

/** A set of ASCII characters. Some of them are written as letters after a backslash: ` ,\t`. */
export function parseSet(text: string): string {
  const set = text.replace(/\\(.)/gs, (escaped, letter: string) => ESCAPES[letter] ?? escaped);
  if (/^[\0-\x7f]+$/.test(set)) return set;
  throw new Unreadable('expected some ASCII characters, such as " ,;", where \\t is a tab and \\\\ a backslash');
}

const NAME = String.raw`(?:"(?:[^"\\\p{Cc}]|\\["\\/bfnrt]|\\u[\da-fA-F]{4})*"|[^."[\]]+)`;
const PATH = new RegExp(String.raw`^\.?${NAME}(?:\.${NAME})*$`, 'u');

/** A path to a member of nested JSON objects: `user.id`, `."a.b".c`. The `$` of JSONPath is not a member. */
export function parsePath(text: string): readonly string[] {
  if (!PATH.test(text) || text.startsWith('$.'))
    throw new Unreadable('expected names with dots between them, such as user.id or "a.b".c');
  const names = text.match(new RegExp(NAME, 'gu')) ?? [];
  return names.map((name) => (name.startsWith('"') ? String(JSON.parse(name)) : name));
}

/** Fields have 31 bits and a sign. */
const FIELD_LIMIT = 2 ** 31 - 1;
const FIELD_RANGE = /^(-?\d+)(?:(-)(-?\d+)?)?$/;

export const FIELDS_EXPECTED =
  'expected fields such as 2 or 1,3-5,-1: they count from 1, negative ones from the last field';

/**
 * A list of fields and ranges as in `cut`. Negative numbers count from the end: `1,3-5,-1`, `2-`, `-3-`. Anything else is the name of a
 * column, such as `email` or, with a comma in it, `"last, first"`.
 */
export function parseFields(text: string): readonly FieldChoice[] {
  return itemsOf(text).map((range) => {
    const [, first, hyphen, last] = FIELD_RANGE.exec(range) ?? [];
    if (/[^-\d. ]/.test(range)) return { column: unquoted(range) };
    const from = Number(first);
    const to = hyphen === undefined ? from : Number(last ?? -1);
    const areFields = [from, to].every((number) => number !== 0 && Math.abs(number) <= FIELD_LIMIT);
    if (areFields && (from < 0 !== to < 0 || from <= to)) return { from, to };
    throw new Unreadable(FIELDS_EXPECTED);
  });
}

/** The items between commas, which may be in quotes as in CSV. */
function itemsOf(text: string): readonly string[] {
  return text.match(/(?:"(?:[^"]|"")*"|[^,])+|(?<=^|,)(?=,|$)/g) ?? [''];
}

function unquoted(item: string): string {
  return /^"(?:[^"]|"")*"$/.test(item) ? item.slice(1, -1).replaceAll('""', '"') : item;
}
