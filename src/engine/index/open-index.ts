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
  FILE_CHECKSUM_BYTES,
  INDEX_HEADER_BYTES,
  type IndexHeader,
  indexBytes,
  indexChecksum,
  sectionsOf,
} from '../../formats/index-file/index-header.ts';
import { createPageReader, KEPT_PAGES, pagesOf } from '../../formats/index-file/pages.ts';
import { commonColumns, onesOf, rangeOfRow } from '../../formats/index-file/rows.ts';
import { displayName } from '../../io/look.ts';
import {
  closePositioned,
  isRemote,
  keepBeginning,
  openPositioned,
  type PositionedFile,
  readAt,
} from '../../io/positioned.ts';
import type { ByteRange } from '../../io/remote/range-plan.ts';
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
  /** The checksum of the content of a file; undefined if the index has none. */
  checksum(index: number): bigint | undefined;
  /** The indices of the files of a group. */
  filesOf(group: GroupPlace): readonly number[];
  /** The bytes with rows `from` to `to` of a group. `from` is a multiple of 8. */
  rows(group: GroupPlace, from: number, to: number): Uint8Array;
  /** For each digest, the indices of the files that may have its key, sorted. */
  find(digests: Uint8Array): number[][];
  /** The same while this thread does other work, if the index is on a server. */
  findLater(digests: Uint8Array): Promise<number[][]>;
  /** Fetches what `file` reads of some files, if the index is on a server. */
  fetchFiles(indices: Iterable<number>): Promise<void>;
  /** Fetches what `filesOf` and `entry` read of all files, if the index is on a server. */
  fetchEntries(): Promise<void>;
  /** Reads every page. */
  verify(): Promise<void>;
  close(): void;
}

/** A file that can be read at any position, such as one on a server. */
export interface OpenedFile {
  readonly file: PositionedFile;
  close(): void;
}

/** Opens an index, or reads the opened file of one. Throws `input` and `format` errors. */
export async function openIndex(name: string, kernel: Kernel, opened = openLocal(name)): Promise<FileIndex> {
  try {
    return await openPages(opened, kernel);
  } catch (error) {
    opened.close();
    throw error;
  }
}

function openLocal(name: string): OpenedFile {
  const file = openPositioned(name, 'filter');
  if (file === undefined)
    throw new BloomError('input', `${displayName(name)} is not a regular file`, 'copy the index to one');
  return { file, close: () => closePositioned(file) };
}

/** Bytes of the table, at most, if it is fetched whole from a server. The parts of a larger one are fetched when they are needed. */
const TABLE_LIMIT = 2 ** 20;

async function openPages({ file, close }: OpenedFile, kernel: Kernel): Promise<FileIndex> {
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
  const tableEnd = sections.checksums - sections.groups <= TABLE_LIMIT ? sections.checksums : sections.entries;
  await pages.fetchLater([{ from: sections.groups, to: tableEnd }]);
  keepBeginning(file);
  const groups = decodeGroups(pages.read(sections.groups, sections.columns), header.rowBytes, header.files);
  if (groups === undefined) throw damaged(name, 'its groups are not those of its rows and files');
  const entry = (index: number): FileEntry => {
    const { from, to } = placeOf(index);
    return decodeFile(pages.read(from, to));
  };
  const filesOf = ({ firstColumn, columns }: GroupPlace): number[] => {
    const at = sections.columns + COLUMN_BYTES * firstColumn;
    const table = pages.read(at, at + COLUMN_BYTES * columns);
    const view = new DataView(table.buffer, table.byteOffset, table.length);
    const files = Array.from({ length: columns }, (_, i) => view.getUint32(COLUMN_BYTES * i, true));
    if (files.some((index) => index >= header.files)) throw damaged(name, 'it names a file that it does not have');
    return files;
  };
  const placeOf = (index: number): ByteRange => {
    const from = sections.entries + FILE_BYTES * index;
    return { from, to: from + FILE_BYTES };
  };
  const nameOf = (index: number): ByteRange => {
    const [begin, end] = [index === 0 ? 0 : entry(index - 1).nameEnd, entry(index).nameEnd];
    if (begin > end || end > header.nameBytes) throw damaged(name, 'it refers to bytes after its end');
    return { from: sections.names + begin, to: sections.names + end };
  };
  const rowsAt = kernel.reserve(4 * header.k * VISIT_LIMIT);
  const digestsAt = kernel.reserve(8 * VISIT_LIMIT);
  /** The rows of the keys in `digestsAt` in a group: k per key. A copy: the memory may grow while pages are verified. */
  const rowsOf = (group: GroupPlace, count: number): Uint32Array => {
    kernel.exports.signatureRows(digestsAt, count, group.rows, header.k, rowsAt);
    return new Uint32Array(kernel.memory.buffer, rowsAt, header.k * count).slice();
  };
  /** Adds the files of a group that may have the keys of some digests. */
  const findIn = (group: GroupPlace, count: number, found: number[][]): void => {
    const rows = rowsOf(group, count);
    let files: readonly number[] | undefined;
    for (let key = 0; key < count; key++) {
      const left = commonColumns(group, rows.subarray(header.k * key, header.k * (key + 1)), pages.read);
      if (left === undefined) continue;
      files ??= filesOf(group);
      for (const column of onesOf(left)) found[key]?.push(files[column] as number);
    }
  };
  const findSome = (digests: Uint8Array): number[][] => {
    kernel.bytes(digestsAt, digests.length).set(digests);
    const found = Array.from({ length: digests.length / 8 }, (): number[] => []);
    for (const group of groups) findIn(group, found.length, found);
    return found.map((files) => files.sort((a, b) => a - b));
  };
  /** Where the rows of some keys are. */
  const rangesOf = (digests: Uint8Array): ByteRange[] => {
    kernel.bytes(digestsAt, digests.length).set(digests);
    return groups.flatMap((group) => Array.from(rowsOf(group, digests.length / 8), (row) => rangeOfRow(group, row)));
  };
  // The pages of keys that are looked up together must be kept at the same time.
  const pagesPerKey = groups.reduce((sum, group) => sum + header.k * pagesIn(rangeOfRow(group, 0)), 0);
  const fits = !isRemote(file) || pagesIn({ from: 0, to: header.rowBytes }) <= KEPT_PAGES;
  const together = fits ? VISIT_LIMIT : Math.min(VISIT_LIMIT, Math.ceil(KEPT_PAGES / pagesPerKey));
  const partsOf = (digests: Uint8Array): Uint8Array[] =>
    Array.from({ length: Math.ceil(digests.length / (8 * together)) }, (_, i) =>
      digests.subarray(8 * together * i, 8 * together * (i + 1)),
    );
  return {
    name,
    header,
    groups,
    entry,
    file(index) {
      const { nameEnd, ...known } = entry(index);
      const { from, to } = nameOf(index);
      return { name: Buffer.from(pages.read(from, to)).toString(), ...known };
    },
    checksum(index) {
      if (!header.hasChecksums) return undefined;
      const at = sections.checksums + FILE_CHECKSUM_BYTES * index;
      const bytes = pages.read(at, at + FILE_CHECKSUM_BYTES);
      return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
    },
    filesOf,
    rows: ({ start, columns }, from, to) =>
      pages.read(start + (from * columns) / 8, start + Math.ceil((to * columns) / 8)),
    find: (digests) =>
      partsOf(digests).flatMap((part) => {
        pages.fetch(isRemote(file) ? rangesOf(part) : []);
        return findSome(part);
      }),
    async findLater(digests) {
      const found: number[][][] = [];
      for (const part of partsOf(digests)) {
        await pages.fetchLater(isRemote(file) ? rangesOf(part) : []);
        found.push(findSome(part));
      }
      return found.flat();
    },
    async fetchFiles(indices) {
      if (!isRemote(file)) return;
      const all = [...indices];
      await pages.fetchLater(all.flatMap((index) => [placeOf(Math.max(0, index - 1)), placeOf(index)]));
      await pages.fetchLater(all.map(nameOf));
    },
    // All of these pages stay in memory, 44 bytes per file, until others are fetched.
    fetchEntries: () => pages.fetchLater([{ from: sections.columns, to: sections.names }]),
    async verify() {
      for (let from = 0; from < sections.end; from += FETCHED_BYTES) {
        const to = Math.min(sections.end, from + FETCHED_BYTES);
        await pages.fetchLater([{ from, to }]);
        for (let next = from; next < to; next += VERIFIED_BYTES) pages.read(next, Math.min(to, next + VERIFIED_BYTES));
      }
    },
    close,
  };
}

/** Bytes that are fetched at once from a server to be verified. One request has their pages, and all can be kept. */
const FETCHED_BYTES = 7 * 2 ** 20;

/** Bytes that are verified at once. */
const VERIFIED_BYTES = 2 ** 18;

/** Pages that ranges of the same length have, at most. */
function pagesIn({ from, to }: ByteRange): number {
  const { first, last } = pagesOf({ from, to });
  return last - first + 2;
}
