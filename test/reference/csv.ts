// CSV after RFC 4180, a character at a time. The RFC leaves three cases open, and this reader decides:
// - A quote that does not begin a field is an ordinary character.
// - The text between a closing quote and the delimiter belongs to the field.
// - The last quote may be missing.

const LF = 0x0a;
const QUOTE = 0x22;

interface CsvRecord {
  /** In bytes, with the newline if the record has one. */
  readonly length: number;
  readonly fields: readonly Uint8Array[];
}

/** Reads the record at the beginning of the bytes. */
function readRecord(bytes: Uint8Array, delimiter: number): CsvRecord {
  const fields: Uint8Array[] = [];
  let at = 0;
  for (;;) {
    const field: number[] = [];
    if (bytes[at] === QUOTE) {
      for (at++; at < bytes.length; at++) {
        if (bytes[at] === QUOTE && bytes[at + 1] !== QUOTE) break;
        if (bytes[at] === QUOTE) at++;
        field.push(bytes[at] ?? 0);
      }
      at++;
    }
    for (; at < bytes.length && bytes[at] !== delimiter && bytes[at] !== LF; at++) field.push(bytes[at] ?? 0);
    fields.push(Uint8Array.from(field));
    if (at >= bytes.length || bytes[at] === LF) return { length: Math.min(at + 1, bytes.length), fields };
    at++;
  }
}

/** The records of an input, unchanged; the last one may lack its newline. A comment is one line. */
export function splitCsv(input: Uint8Array, delimiter: string, comments: readonly string[] = []): Uint8Array[] {
  const records: Uint8Array[] = [];
  for (let start = 0; start < input.length; ) {
    const rest = Buffer.from(input.subarray(start));
    const isComment = comments.some((comment) => rest.indexOf(comment) === 0);
    const line = rest.indexOf(LF) + 1 || rest.length;
    const length = isComment ? line : readRecord(rest, delimiter.charCodeAt(0)).length;
    records.push(input.subarray(start, start + length));
    start += length;
  }
  return records;
}

/** The values of the fields of a record without its newline. */
export function fieldsOfCsv(record: Uint8Array, delimiter: string): readonly Uint8Array[] {
  return readRecord(record, delimiter.charCodeAt(0)).fields;
}
