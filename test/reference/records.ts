// Bytes -> records -> keys, one byte at a time: what the scanner must find, after FORMAT.md and, for fields, after
// awk (runs of blanks) and cut (delimiters).

/** How a user selects keys; the words are those of the flags. */
export interface Splitting {
  readonly nullTerminated: boolean;
  readonly field?: number | undefined;
  readonly delimiter?: string | undefined;
  readonly anyToken: boolean;
}

const NUL = 0x00;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

/** The records of an input as they lie there, each with its terminator; the last one may have none. */
export function splitRaw(input: Uint8Array, { nullTerminated }: Splitting): Uint8Array[] {
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

/** A record without its terminator, and without the one CR before it. */
export function withoutTerminator(raw: Uint8Array, { nullTerminated }: Splitting): Uint8Array {
  const terminator = nullTerminated ? NUL : LF;
  const record = raw.at(-1) === terminator ? raw.subarray(0, -1) : raw;
  return !nullTerminated && record.at(-1) === CR ? record.subarray(0, -1) : record;
}

/** Fields as awk has them: what stands between runs of blanks, none of them empty. */
function splitAtBlanks(record: Uint8Array): Uint8Array[] {
  const fields: number[][] = [[]];
  for (const byte of record) {
    if (byte === SPACE || byte === TAB) fields.push([]);
    else fields.at(-1)?.push(byte);
  }
  return fields.filter((field) => field.length > 0).map((field) => Uint8Array.from(field));
}

/** Fields as cut has them: what stands between delimiters, found from left to right, empty ones included. */
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

/** The keys of a record, before normalisation. */
export function keysOf(record: Uint8Array, { field, delimiter, anyToken }: Splitting): Uint8Array[] {
  if (field === undefined && !anyToken) return [record];
  const fields =
    delimiter === undefined ? splitAtBlanks(record) : splitAtDelimiter(record, new TextEncoder().encode(delimiter));
  if (anyToken) return fields;
  return fields.slice((field ?? 1) - 1, field);
}
