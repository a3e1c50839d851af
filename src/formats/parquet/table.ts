import { BloomError, damaged } from '../../errors.ts';
import { linkShape } from '../../filters/linked.ts';
import { splitBlocks } from '../../filters/split-blocks.ts';
import { displayName } from '../../io/look.ts';
import { type RandomAccess, randomAccess } from '../../io/random-access.ts';
import type { ByteSource } from '../../io/source.ts';
import { arraysOf, openEach, openSelected, type TableFile } from '../columns.ts';
import type { BitArrayFile, FilterFile, Format } from '../format.ts';
import { withRecordKeys } from '../hadoop/hudi.ts';
import type { Opening } from '../opening.ts';
import { columnsOf } from './columns.ts';
import { readFooter } from './footer.ts';
import { RULES, readHeader, requireBlocks, shapeOf } from './header.ts';
import { BITS_ALONE, ENCRYPTED_MAGIC, HEADER_LIMIT, isMagic, MAGIC, MAGIC_BYTES, TAIL_BYTES, textOf } from './sizes.ts';

/** The largest metadata that is read. A hundred thousand columns need less. */
const FOOTER_LIMIT = 2 ** 27;

/** Opens the filters of the column to query: see `Format.open`. */
export async function open(source: ByteSource, format: Format, opening: Opening): Promise<FilterFile> {
  const bytes = await randomAccess(source);
  return bareIn(bytes, source, format, opening) ?? openSelected(readTable(bytes, source, format), opening);
}

/** Opens the filters of each column: see `Format.openColumns`. */
export async function openColumns(
  source: ByteSource,
  format: Format,
  opening: Opening,
): Promise<readonly FilterFile[]> {
  const bytes = await randomAccess(source);
  const bare = bareIn(bytes, source, format, opening);
  return bare === undefined ? openEach(readTable(bytes, source, format)) : [bare];
}

/** The filter of a file without a table. Undefined for a file with a table. */
function bareIn(
  bytes: RandomAccess,
  source: ByteSource,
  format: Format,
  { format: stated }: Opening,
): BitArrayFile | undefined {
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

/** The bytes of the metadata. Throws a `format` error if the end of the file is wrong. */
function footerIn(bytes: RandomAccess, name: string): Uint8Array {
  const bodyBytes = bytes.size - TAIL_BYTES;
  if (bodyBytes < MAGIC_BYTES) throw damaged(name, `it has only ${bytes.size} bytes`);
  const { buffer, byteOffset } = bytes.read(bodyBytes, TAIL_BYTES);
  const tail = new DataView(buffer, byteOffset, TAIL_BYTES);
  const magic = textOf(tail, TAIL_BYTES - MAGIC_BYTES);
  if (magic === ENCRYPTED_MAGIC)
    throw new BloomError('format', `${name} is an encrypted Parquet file (${ENCRYPTED_MAGIC})`, 'decrypt it first');
  if (magic !== MAGIC) throw damaged(name, `it begins like a Parquet file, but it does not end with ${MAGIC}`);
  const length = tail.getUint32(0, true);
  if (length > bodyBytes - MAGIC_BYTES)
    throw damaged(name, `it has ${bytes.size} bytes, too few for ${length} bytes of metadata`);
  if (length > FOOTER_LIMIT)
    throw new BloomError('memory', `${name} has ${length} bytes of metadata, which is too large`, 'split the file');
  return bytes.read(bodyBytes - length, length);
}

// The filter of one column chunk in a file of its own: a header and the bits, or the bits alone.

/** The filter of a file that has only this filter: a header and bits, or only bits. Throws a `format` error if the file is not such a filter. */
function openBare(
  bytes: RandomAccess,
  { name, format, hasHeader, close }: { name: string; format: Format; hasHeader: boolean; close: () => void },
): BitArrayFile {
  const { headerBytes, length } = hasHeader
    ? readHeader(bytes.read(0, HEADER_LIMIT), name)
    : { headerBytes: 0, length: bytes.size };
  requireBlocks(length, name);
  if (headerBytes + length !== bytes.size)
    throw damaged(name, `it has ${bytes.size} bytes instead of the ${headerBytes + length} of its header`);
  const shape = shapeOf(length);
  const description = { format, kind: splitBlocks, shape: linkShape(shape), rules: RULES, bytes: bytes.size };
  return {
    layout: 'arrays',
    name,
    description: { ...description, target: undefined, inserted: undefined },
    ...arraysOf(bytes, [{ shape, bytes: length, bits: headerBytes }]),
    verified: undefined,
    close,
  };
}
