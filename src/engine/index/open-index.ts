import { BloomError, damaged } from '../../errors.ts';
import { kernelChecksum } from '../../formats/checksum.ts';
import {
  decodeFile,
  decodeGroups,
  type FileEntry,
  type GroupPlace,
  type IndexedFile,
} from '../../formats/index-file/entries.ts';
import {
  COLUMN_BYTES,
  decodeIndexHeader,
  FILE_BYTES,
  INDEX_HEADER_BYTES,
  type IndexHeader,
  indexBytes,
  indexChecksum,
  sectionsOf,
} from '../../formats/index-file/index-header.ts';
import { createPageReader } from '../../formats/index-file/pages.ts';
import { displayName } from '../../io/look.ts';
import { closePositioned, openPositioned, type PositionedFile, readAt } from '../../io/positioned.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { VISIT_LIMIT } from '../input/digests.ts';

/** An open index of files. Pages are read and verified when they are needed; reading throws `input` and `format` errors. */
export interface FileIndex {
  readonly name: string;
  readonly header: IndexHeader;
  readonly groups: readonly GroupPlace[];
  /** A file by its index, without its name. */
  entry(index: number): FileEntry;
  /** The same with its name. */
  file(index: number): IndexedFile;
  /** The indices of the files of a group. */
  filesOf(group: GroupPlace): readonly number[];
  /** The bytes with rows `from` to `to` of a group. `from` is a multiple of 8. */
  rows(group: GroupPlace, from: number, to: number): Uint8Array;
  /** For each digest, the indices of the files that may have its key, sorted. */
  find(digests: Uint8Array): number[][];
  /** Reads every page. */
  verify(): void;
  close(): void;
}

/** Opens an index. Throws `input` and `format` errors. */
export async function openIndex(name: string, kernel: Kernel): Promise<FileIndex> {
  const file = openPositioned(name, 'filter');
  if (file === undefined) throw new BloomError('input', `${displayName(name)} is not a regular file`);
  try {
    return await openPages(file, kernel);
  } catch (error) {
    closePositioned(file);
    throw error;
  }
}

async function openPages(file: PositionedFile, kernel: Kernel): Promise<FileIndex> {
  const { name } = file;
  const bytes = new Uint8Array(INDEX_HEADER_BYTES);
  const head = bytes.subarray(0, readAt(file, bytes, 0));
  const header = await decodeIndexHeader(head, name, kernelChecksum(kernel));
  const expected = indexBytes(header);
  if (file.size !== expected) throw damaged(name, `it has ${file.size} bytes instead of the ${expected} of its header`);
  const sections = sectionsOf(header);
  const pages = createPageReader(kernel, {
    ...{ file, begin: INDEX_HEADER_BYTES, content: sections.end, header: indexChecksum(head) },
  });
  const groups = decodeGroups(pages.read(sections.groups, sections.columns), header.rowBytes, header.files);
  if (groups === undefined) throw damaged(name, 'its groups are not those of its rows and files');
  const entry = (index: number): FileEntry => {
    const at = sections.entries + FILE_BYTES * index;
    return decodeFile(pages.read(at, at + FILE_BYTES));
  };
  const filesOf = ({ firstColumn, columns }: GroupPlace): number[] => {
    const at = sections.columns + COLUMN_BYTES * firstColumn;
    const table = pages.read(at, at + COLUMN_BYTES * columns);
    const view = new DataView(table.buffer, table.byteOffset, table.length);
    const files = Array.from({ length: columns }, (_, i) => view.getUint32(COLUMN_BYTES * i, true));
    if (files.some((index) => index >= header.files)) throw damaged(name, 'it names a file that it does not have');
    return files;
  };
  const rowsAt = kernel.reserve(4 * header.k * VISIT_LIMIT);
  const digestsAt = kernel.reserve(8 * VISIT_LIMIT);
  /** Adds the files of a group that may have the keys of some digests. */
  const findIn = (group: GroupPlace, count: number, found: number[][]): void => {
    kernel.exports.signatureRows(digestsAt, count, group.rows, header.k, rowsAt);
    let files: readonly number[] | undefined;
    for (let key = 0; key < count; key++) {
      // A copy: the memory may grow while pages are verified.
      const rows = new Uint32Array(kernel.memory.buffer, rowsAt + 4 * header.k * key, header.k).slice();
      const left = commonColumns(group, rows, pages.read);
      if (left === undefined) continue;
      files ??= filesOf(group);
      for (const column of onesOf(left)) found[key]?.push(files[column] as number);
    }
  };
  return {
    name,
    header,
    groups,
    entry,
    file(index) {
      const { nameEnd, ...known } = entry(index);
      const begin = index === 0 ? 0 : entry(index - 1).nameEnd;
      if (begin > nameEnd || nameEnd > header.nameBytes) throw damaged(name, 'it refers to bytes after its end');
      const text = Buffer.from(pages.read(sections.names + begin, sections.names + nameEnd)).toString();
      return { name: text, ...known };
    },
    filesOf,
    rows: ({ start, columns }, from, to) =>
      pages.read(start + (from * columns) / 8, start + Math.ceil((to * columns) / 8)),
    find(digests) {
      const all: number[][] = [];
      for (let from = 0; from < digests.length; from += 8 * VISIT_LIMIT) {
        const some = digests.subarray(from, from + 8 * VISIT_LIMIT);
        kernel.bytes(digestsAt, some.length).set(some);
        const found = Array.from({ length: some.length / 8 }, (): number[] => []);
        for (const group of groups) findIn(group, found.length, found);
        for (const files of found) all.push(files.sort((a, b) => a - b));
      }
      return all;
    },
    verify() {
      for (let from = 0; from < sections.end; from += VERIFIED_BYTES)
        pages.read(from, Math.min(sections.end, from + VERIFIED_BYTES));
    },
    close: () => closePositioned(file),
  };
}

/** Bytes that are verified at once. */
const VERIFIED_BYTES = 2 ** 18;

/** The columns of a group that have ones in all of some rows, one bit each; undefined if there is none. */
function commonColumns(
  { start, columns }: GroupPlace,
  rows: Uint32Array,
  read: (from: number, to: number) => Uint8Array,
): Uint8Array | undefined {
  let left: Uint8Array | undefined;
  for (const row of rows) {
    const first = row * columns;
    const [from, shift] = [Math.floor(first / 8), first % 8];
    const bytes = read(start + from, start + Math.ceil((first + columns) / 8));
    left ??= new Uint8Array(Math.ceil(columns / 8)).fill(0xff);
    // Bits of the next row follow the last column.
    const end = left.length - 1;
    const last = columns % 8 === 0 ? 0xff : 2 ** (columns % 8) - 1;
    let some = 0;
    for (let i = 0; i <= end; i++) {
      const bits = ((bytes[i] ?? 0) | ((bytes[i + 1] ?? 0) << 8)) >> shift;
      const common = (left[i] as number) & bits & (i === end ? last : 0xff);
      left[i] = common;
      some |= common;
    }
    if (some === 0) return undefined;
  }
  return left;
}

/** The indices of the bits that are set. */
function onesOf(bits: Uint8Array): number[] {
  const ones: number[] = [];
  for (let i = 0; i < bits.length; i++) {
    const byte = bits[i] as number;
    for (let bit = 0; byte >> bit !== 0; bit++) if ((byte >> bit) & 1) ones.push(8 * i + bit);
  }
  return ones;
}
