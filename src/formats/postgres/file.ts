import { BloomError, damaged } from '../../errors.ts';
import { falseRows, signatures as kind, onesOfRows, type Signatures } from '../../filters/signatures.ts';
import { displayName } from '../../io/look.ts';
import { type ByteSource, readFully } from '../../io/source.ts';
import { amount, count } from '../../quantities.ts';
import { readHead } from '../bit-array-file.ts';
import type { Format, SignatureFile } from '../format.ts';
import type { Opening } from '../opening.ts';
import { HEADER_BYTES, MAGIC, PAGE_BYTES } from './head.ts';

const SPECIAL_AT = PAGE_BYTES - 8;
const PAGE_ID = 0xff83;
const DELETED = 2;

/** Offsets in the metadata, which follows the header of the first page. */
const WORDS_AT = HEADER_BYTES + 12;
const COLUMNS_AT = HEADER_BYTES + 16;
const COLUMNS = 32;
const WORDS_LIMIT = 256;

/** The position of a row: u16 high half and u16 low half of its block, and u16. */
const ROW_BYTES = 6;

export async function open(source: ByteSource, format: Format, { column: stated }: Opening): Promise<SignatureFile> {
  const name = displayName(source.name);
  const column = columnOf(stated);
  const meta = await readHead(source, name, PAGE_BYTES);
  const words = meta.getInt32(WORDS_AT, true);
  const k = meta.getInt32(COLUMNS_AT + 4 * column, true);
  if (pageId(meta) !== PAGE_ID || meta.getUint32(HEADER_BYTES, true) !== MAGIC)
    throw damaged(name, 'its first page is not that of a bloom index');
  const bits = 16 * words;
  if (words <= 0 || words > WORDS_LIMIT || k <= 0 || k > bits)
    throw damaged(name, `its metadata states impossible signatures: ${words} words, and ${k} bits per column`);
  const rows = await readRows(source, name, words);
  const signatures: Signatures = { ...rows, bits, column, k };
  const number = rows.blocks.length;
  const expected = falseRows(onesOfRows(signatures), bits, k);
  return {
    layout: 'signatures',
    name,
    signatures,
    description: {
      format,
      kind,
      shape: { bits: number * bits, segments: number, segmentBits: bits, k },
      rules: { hash: 'postgres', seed: 0n, ignoreCase: false, trim: false },
      target: undefined,
      inserted: number,
      remarks: [
        `it has a signature of ${count(bits)} bits for each of ${count(number)} rows; column ${column + 1} sets ${k} bits, and other columns set as many as the index states (by default 2)`,
        `${amount(expected)} rows are expected to match an absent value by chance`,
      ],
      bytes: PAGE_BYTES * (rows.pages + 1),
    },
    close: () => source.close(),
  };
}

/** The column to query, from 0. Users count from 1. */
function columnOf(stated = '1'): number {
  const number = Number(stated);
  if (Number.isInteger(number) && number >= 1 && number <= COLUMNS) return number - 1;
  throw new BloomError(
    'usage',
    `an index of PostgreSQL has no column ${stated}`,
    `state --column with a number from 1 to ${COLUMNS}`,
  );
}

const pageId = (page: DataView) => page.getUint16(PAGE_BYTES - 2, true);

/** Reads the rows of all pages except the first. Throws a `format` error if a page is malformed. */
async function readRows(source: ByteSource, name: string, words: number) {
  const size = ROW_BYTES + 2 * words;
  const pieces: Uint8Array[] = [];
  let pages = 0;
  for (let bytes = PAGE_BYTES; bytes === PAGE_BYTES; ) {
    const page = new Uint8Array(PAGE_BYTES);
    bytes = await readFully(source, page);
    if (bytes === 0) break;
    pages++;
    if (bytes < PAGE_BYTES) throw damaged(name, `it ends within page ${pages}`);
    const rows = rowsOf(page, size, `${name}: page ${pages}`);
    if (rows.length > 0) pieces.push(rows);
  }
  return { pages, ...tabled(pieces, size) };
}

/** The bytes of the rows of a page. An empty or deleted page has none. */
function rowsOf(page: Uint8Array, size: number, name: string): Uint8Array {
  const fields = new DataView(page.buffer);
  const number = fields.getUint16(SPECIAL_AT, true);
  if (page.every((byte) => byte === 0)) return new Uint8Array();
  if (pageId(fields) !== PAGE_ID) throw damaged(name, 'it is not a page of a bloom index');
  if ((fields.getUint16(SPECIAL_AT + 2, true) & DELETED) !== 0) return new Uint8Array();
  const end = HEADER_BYTES + number * size;
  if (end > SPECIAL_AT) throw damaged(name, `it is too small for ${number} rows`);
  return page.subarray(HEADER_BYTES, end);
}

/** The rows in memory that threads share. */
function tabled(pieces: readonly Uint8Array[], size: number): Pick<Signatures, 'words' | 'blocks' | 'numbers'> {
  const rows = pieces.reduce((sum, { length }) => sum + length / size, 0);
  const wordsEach = (size - ROW_BYTES) / 2;
  const words = new Uint16Array(new SharedArrayBuffer(2 * wordsEach * rows));
  const blocks = new Uint32Array(new SharedArrayBuffer(4 * rows));
  const numbers = new Uint16Array(new SharedArrayBuffer(2 * rows));
  let row = 0;
  for (const piece of pieces) {
    const fields = new DataView(piece.buffer, piece.byteOffset, piece.length);
    for (let at = 0; at < piece.length; at += size, row++) {
      blocks[row] = fields.getUint16(at, true) * 65_536 + fields.getUint16(at + 2, true);
      numbers[row] = fields.getUint16(at + 4, true);
      for (let i = 0; i < wordsEach; i++) words[row * wordsEach + i] = fields.getUint16(at + ROW_BYTES + 2 * i, true);
    }
  }
  return { words, blocks, numbers };
}
