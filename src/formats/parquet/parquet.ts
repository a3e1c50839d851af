import { BloomError, damaged } from '../../errors.ts';
import { displayName } from '../../io/look.ts';
import { type RandomAccess, randomAccess } from '../../io/random-access.ts';
import { signatureOf } from '../../io/signature.ts';
import type { ByteSource } from '../../io/source.ts';
import { openAsked, openEach, type TableFile } from '../columns.ts';
import type { FlatFile, Format } from '../format.ts';
import { withRecordKeys } from '../hudi.ts';
import type { Opening } from '../opening.ts';
import { isBare, openBare } from './bare.ts';
import { columnsOf } from './columns.ts';
import { readFooter } from './footer.ts';
import { PARQUET_KEYS } from './types.ts';

/** What is to be stated of bits without a header. */
const BITS_ALONE = 'parquet-bits';

const MAGIC = 'PAR1';
const ENCRYPTED_MAGIC = 'PARE';
const MAGIC_BYTES = 4;
const TAIL_BYTES = 4 + MAGIC_BYTES;

/** Bytes of metadata that are read: of a hundred thousand columns it has less. */
const FOOTER_LIMIT = 2 ** 27;

/**
 * Apache Parquet: pages of columns, then metadata, a u32le of its bytes, and "PAR1". A column chunk, which is a column in a row
 * group, may have a split-block filter somewhere in the file, to which the metadata points.
 */
export const parquet: Format = {
  name: 'parquet',
  system: 'Parquet',
  purpose: 'Spark, DuckDB, Arrow, parquet-java and others that write tables',
  // What follows is the header of a page, or the metadata of no rows.
  signatures: [signatureOf(`${MAGIC}\x15`)],
  fits: (head, size) => (size === undefined && isMagic(textOf(head, 0))) || isBare(head, size),
  // A length of metadata, which is none where these are letters.
  ends: (tail, size) => {
    const at = tail.byteLength - TAIL_BYTES;
    return isMagic(textOf(tail, at + 4)) && tail.getUint32(at, true) <= size - TAIL_BYTES - MAGIC_BYTES;
  },
  abilities: ['ask', 'report'],
  keyTypes: PARQUET_KEYS,
  integrity: undefined,
  limits: ['filters of encrypted files and columns are not read'],
  fileBytes: ({ bits }) => bits / 8,
  variants: [{ name: BITS_ALONE, purpose: 'the bits of one filter and nothing else', beginsAnyhow: true }],
  async open(source, _, opening) {
    const bytes = await randomAccess(source);
    return bareIn(bytes, source, opening) ?? openAsked(readTable(bytes, source), opening);
  },
  async openColumns(source, _, opening) {
    const bytes = await randomAccess(source);
    const bare = bareIn(bytes, source, opening);
    return bare === undefined ? openEach(readTable(bytes, source)) : [bare];
  },
};

const isMagic = (text: string) => text === MAGIC || text === ENCRYPTED_MAGIC;

function textOf({ buffer, byteOffset }: DataView, at: number): string {
  return Buffer.from(buffer, byteOffset + at, MAGIC_BYTES).toString('latin1');
}

/** The filter of a file that has no table; undefined for one that has. */
function bareIn(bytes: RandomAccess, source: ByteSource, { format: stated }: Opening): FlatFile | undefined {
  const name = displayName(source.name);
  const hasHeader = stated !== BITS_ALONE;
  const begin = bytes.read(0, MAGIC_BYTES);
  if (hasHeader && (begin.length < MAGIC_BYTES || isMagic(Buffer.from(begin).toString('latin1')))) return undefined;
  return openBare(bytes, { name, format: parquet, hasHeader, close: () => source.close() });
}

function readTable(bytes: RandomAccess, source: ByteSource): TableFile {
  const name = displayName(source.name);
  const footer = readFooter(footerIn(bytes, name), name);
  const columns = withRecordKeys(columnsOf(footer, bytes, name), footer.properties, name);
  return { name, format: parquet, bytes, columns, close: () => source.close() };
}

/** The bytes of the metadata. Throws a `format` error for a file that does not end as it should. */
function footerIn(bytes: RandomAccess, name: string): Uint8Array {
  const bodyBytes = bytes.size - TAIL_BYTES;
  if (bodyBytes < MAGIC_BYTES) throw damaged(name, `it has only ${bytes.size} bytes`);
  const { buffer, byteOffset } = bytes.read(bodyBytes, TAIL_BYTES);
  const tail = new DataView(buffer, byteOffset, TAIL_BYTES);
  const magic = textOf(tail, TAIL_BYTES - MAGIC_BYTES);
  if (magic === ENCRYPTED_MAGIC)
    throw new BloomError('format', `${name} is an encrypted Parquet file (${ENCRYPTED_MAGIC})`, 'decrypt it first');
  if (magic !== MAGIC) throw damaged(name, `it begins as a Parquet file, and does not end with ${MAGIC}`);
  const length = tail.getUint32(0, true);
  if (length > bodyBytes - MAGIC_BYTES)
    throw damaged(name, `it has ${bytes.size} bytes, of which ${length} should be metadata`);
  if (length > FOOTER_LIMIT)
    throw new BloomError(
      'memory',
      `${name} has ${length} bytes of metadata, more than this program reads`,
      'split it up',
    );
  return bytes.read(bodyBytes - length, length);
}
