// The tables of an index, little-endian:
//
//   a group   8 bytes offset of its rows in the content, 8 rows, 4 files, 4 index of its first column
//   a column  4 bytes index of its file
//   a file    8 bytes offset of the end of its name among all names, 8 size, 8 time of the last change in milliseconds since 1970, a double,
//             8 distinct keys, 8 ones of its signature
//   a checksum of the content of a file, 8 bytes

import { COLUMN_BYTES, FILE_BYTES, FILE_CHECKSUM_BYTES, GROUP_BYTES } from './index-header.ts';

/** Files whose signatures have one length. */
export interface SignatureGroup {
  readonly rows: number;
  /** Indices of files. */
  readonly columns: readonly number[];
}

/** A file of an index. */
export interface IndexedFile {
  readonly name: string;
  /** Bytes, and the time of the last change in milliseconds since 1970, before the file was read. */
  readonly size: number;
  readonly modified: number;
  /** Distinct keys. */
  readonly keys: number;
  /** The bits of the signature that are set. */
  readonly ones: number;
  /** A checksum of the content, if the index has them. */
  readonly checksum?: bigint | undefined;
}

/** Bytes of the rows of a group, which follow each other without a gap. */
export function rowBytesOf(rows: number, columns: number): number {
  return Math.ceil((rows * columns) / 8);
}

export function encodeGroups(groups: readonly SignatureGroup[]): Uint8Array {
  const bytes = new Uint8Array(GROUP_BYTES * groups.length);
  const view = new DataView(bytes.buffer);
  let [start, column] = [0, 0];
  for (const [i, { rows, columns }] of groups.entries()) {
    const at = GROUP_BYTES * i;
    view.setBigUint64(at, BigInt(start), true);
    view.setBigUint64(at + 8, BigInt(rows), true);
    view.setUint32(at + 16, columns.length, true);
    view.setUint32(at + 20, column, true);
    start += rowBytesOf(rows, columns.length);
    column += columns.length;
  }
  return bytes;
}

export function encodeColumns(groups: readonly SignatureGroup[]): Uint8Array {
  const files = groups.flatMap(({ columns }) => columns);
  const bytes = new Uint8Array(COLUMN_BYTES * files.length);
  const view = new DataView(bytes.buffer);
  for (const [i, file] of files.entries()) view.setUint32(COLUMN_BYTES * i, file, true);
  return bytes;
}

export function encodeFiles(files: readonly IndexedFile[]): Uint8Array {
  const bytes = new Uint8Array(FILE_BYTES * files.length);
  const view = new DataView(bytes.buffer);
  let end = 0;
  for (const [i, { name, size, modified, keys, ones }] of files.entries()) {
    end += Buffer.byteLength(name);
    const at = FILE_BYTES * i;
    view.setBigUint64(at, BigInt(end), true);
    view.setBigUint64(at + 8, BigInt(size), true);
    view.setFloat64(at + 16, modified, true);
    view.setBigUint64(at + 24, BigInt(keys), true);
    view.setBigUint64(at + 32, BigInt(ones), true);
  }
  return bytes;
}

export function encodeChecksums(files: readonly IndexedFile[]): Uint8Array {
  const checksums = files.map(({ name, checksum }) => {
    if (checksum === undefined) throw new Error(`${name} has no checksum`);
    return checksum;
  });
  const bytes = new Uint8Array(FILE_CHECKSUM_BYTES * files.length);
  const view = new DataView(bytes.buffer);
  for (const [i, checksum] of checksums.entries()) view.setBigUint64(FILE_CHECKSUM_BYTES * i, checksum, true);
  return bytes;
}

/** The position of the rows of a group. */
export interface GroupPlace {
  readonly start: number;
  readonly rows: number;
  readonly columns: number;
  readonly firstColumn: number;
}

/** The groups. Undefined if they do not follow each other, or do not have all files. */
export function decodeGroups(bytes: Uint8Array, rowBytes: number, files: number): readonly GroupPlace[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const groups: GroupPlace[] = [];
  let [start, firstColumn] = [0, 0];
  for (let at = 0; at < bytes.length; at += GROUP_BYTES) {
    const rows = Number(view.getBigUint64(at + 8, true));
    const columns = view.getUint32(at + 16, true);
    const isNext =
      view.getBigUint64(at, true) === BigInt(start) &&
      view.getUint32(at + 20, true) === firstColumn &&
      rows >= 1 &&
      rows < 2 ** 32 &&
      columns >= 1;
    if (!isNext) return undefined;
    groups.push({ start, rows, columns, firstColumn });
    start += rowBytesOf(rows, columns);
    firstColumn += columns;
  }
  return start === rowBytes && firstColumn === files ? groups : undefined;
}

/** A file without its name, which ends at `nameEnd` among all names. */
export type FileEntry = Omit<IndexedFile, 'name' | 'checksum'> & { readonly nameEnd: number };

export function decodeFile(bytes: Uint8Array): FileEntry {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const number = (at: number) => Number(view.getBigUint64(at, true));
  return {
    nameEnd: number(0),
    size: number(8),
    modified: view.getFloat64(16, true),
    keys: number(24),
    ones: number(32),
  };
}
