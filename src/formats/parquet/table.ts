import { BloomError, damaged } from '../../errors.ts';
import { displayName } from '../../io/look.ts';
import { type RandomAccess, randomAccess } from '../../io/random-access.ts';
import type { ByteSource } from '../../io/source.ts';
import { openAsked, openEach, type TableFile } from '../columns.ts';
import type { FilterFile, FlatFile, Format } from '../format.ts';
import { withRecordKeys } from '../hadoop/hudi.ts';
import type { Opening } from '../opening.ts';
import { openBare } from './bare.ts';
import { columnsOf } from './columns.ts';
import { readFooter } from './footer.ts';
import { BITS_ALONE, ENCRYPTED_MAGIC, isMagic, MAGIC, MAGIC_BYTES, TAIL_BYTES, textOf } from './sizes.ts';

/** Bytes of metadata that are read: of a hundred thousand columns it has less. */
const FOOTER_LIMIT = 2 ** 27;

/** Opens the filters of the column that is asked: see `Format.open`. */
export async function open(source: ByteSource, format: Format, opening: Opening): Promise<FilterFile> {
  const bytes = await randomAccess(source);
  return bareIn(bytes, source, format, opening) ?? openAsked(readTable(bytes, source, format), opening);
}

/** Opens those of each column: see `Format.openColumns`. */
export async function openColumns(
  source: ByteSource,
  format: Format,
  opening: Opening,
): Promise<readonly FilterFile[]> {
  const bytes = await randomAccess(source);
  const bare = bareIn(bytes, source, format, opening);
  return bare === undefined ? openEach(readTable(bytes, source, format)) : [bare];
}

/** The filter of a file that has no table; undefined for one that has. */
function bareIn(
  bytes: RandomAccess,
  source: ByteSource,
  format: Format,
  { format: stated }: Opening,
): FlatFile | undefined {
  const name = displayName(source.name);
  const hasHeader = stated !== BITS_ALONE;
  const begin = bytes.read(0, MAGIC_BYTES);
  if (hasHeader && (begin.length < MAGIC_BYTES || isMagic(Buffer.from(begin).toString('latin1')))) return undefined;
  return openBare(bytes, { name, format, hasHeader, close: () => source.close() });
}

function readTable(bytes: RandomAccess, source: ByteSource, format: Format): TableFile {
  const name = displayName(source.name);
  const footer = readFooter(footerIn(bytes, name), name);
  const columns = withRecordKeys(columnsOf(footer, bytes, name), footer.properties, name);
  return { name, format, bytes, columns, close: () => source.close() };
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
