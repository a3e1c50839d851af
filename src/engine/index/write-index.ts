// Writes an index of signatures. Signatures of one length form groups, and a group is written row by row: a key then needs one row of each
// group per hash function.

import { kernelChecksum } from '../../formats/checksum.ts';
import {
  encodeChecksums,
  encodeColumns,
  encodeFiles,
  encodeGroups,
  type IndexedFile,
  rowBytesOf,
  type SignatureGroup,
} from '../../formats/index-file/entries.ts';
import {
  encodeIndexHeader,
  type IndexHeader,
  indexBytes,
  indexChecksum,
} from '../../formats/index-file/index-header.ts';
import { createPageWriter, type PageWriter } from '../../formats/index-file/pages.ts';
import type { Append } from '../../io/atomic-file.ts';
import { readNow } from '../../io/descriptors.ts';
import { type Kernel, loadKernel } from '../../kernel/kernel.ts';

/** What the signatures of an index have in common. */
export type IndexDesign = Pick<IndexHeader, 'rules' | 'k' | 'targetFpr' | 'selectionChecksum' | 'hasChecksums'>;

/** A file whose signature is in a temporary file. */
export interface SignedFile extends IndexedFile {
  /** The length of the signature in bits. */
  readonly rows: number;
  /** The temporary file, and where the signature begins in it. */
  readonly fd: number;
  readonly at: number;
}

/** The signatures of some files, ready to be written. */
export interface UnwrittenIndex extends IndexDesign {
  readonly files: readonly IndexedFile[];
  /** Bytes of the index. */
  readonly bytes: number;
  readonly groups: number;
  write(append: Append): Promise<void>;
}

/** Arranges signatures. Their temporary files stay open until they are written. */
export function arrange(design: IndexDesign, files: readonly SignedFile[]): UnwrittenIndex {
  const groups = groupsOf(files);
  const { rules, k, targetFpr, selectionChecksum, hasChecksums } = design;
  const common: IndexDesign = { rules, k, targetFpr, selectionChecksum, hasChecksums };
  const header: IndexHeader = {
    ...{ ...common, files: files.length, groups: groups.length },
    rowBytes: groups.reduce((sum, group) => sum + rowBytesOf(group.rows, group.columns.length), 0),
    nameBytes: files.reduce((sum, { name }) => sum + Buffer.byteLength(name), 0),
  };
  return {
    ...common,
    ...{ files, groups: groups.length, bytes: indexBytes(header) },
    write: (append) => writeIndex(append, header, files, groups),
  };
}

/** Bytes of a group, at most, if it has several files: all of its signatures are in memory at once. */
const GROUP_LIMIT = 2 ** 26;

/** The groups, from short signatures to long ones. The files of a group are in the order of the index. */
function groupsOf(files: readonly Pick<SignedFile, 'rows'>[]): SignatureGroup[] {
  const byRows = new Map<number, number[]>();
  for (const [index, { rows }] of files.entries()) {
    const columns = byRows.get(rows);
    if (columns === undefined) byRows.set(rows, [index]);
    else columns.push(index);
  }
  return [...byRows]
    .sort(([a], [b]) => a - b)
    .flatMap(([rows, columns]) => {
      const most = Math.max(1, Math.floor(GROUP_LIMIT / Math.ceil(rows / 8)));
      const count = Math.ceil(columns.length / most);
      return Array.from({ length: count }, (_, i) => ({ rows, columns: columns.slice(i * most, (i + 1) * most) }));
    });
}

async function writeIndex(
  append: Append,
  header: IndexHeader,
  files: readonly SignedFile[],
  groups: readonly SignatureGroup[],
): Promise<void> {
  const kernel = loadKernel();
  const head = await encodeIndexHeader(header, kernelChecksum(kernel));
  await append(head);
  const pages = createPageWriter(kernel, indexChecksum(head), append);
  for (const group of groups) await writeGroup(pages, group, files);
  await pages.write(encodeGroups(groups));
  await pages.write(encodeColumns(groups));
  await pages.write(encodeFiles(files));
  await pages.write(Buffer.from(files.map(({ name }) => name).join('')));
  if (header.hasChecksums) await pages.write(encodeChecksums(files));
  await pages.end();
}

/** Bytes of the rows that are made at once. */
const WINDOW = 2 ** 20;

/** Rows that are made at once, so that they begin at whole bytes. */
export function rowsTogether(columns: number): number {
  return 8 * Math.max(1, Math.floor(WINDOW / columns));
}

/** Reads the signatures of a group into memory, and writes their rows. */
async function writeGroup(
  pages: PageWriter,
  { rows, columns }: SignatureGroup,
  files: readonly SignedFile[],
): Promise<void> {
  const kernel = groupKernel();
  const begin = kernel.reserve(0);
  const stride = Math.ceil(rows / 8);
  const signatures = kernel.reserve(stride * columns.length);
  readSignatures(
    kernel,
    signatures,
    stride,
    columns.map((index) => fileAt(files, index)),
  );
  if (columns.length === 1) await pages.write(kernel.bytes(signatures, stride));
  else {
    const together = rowsTogether(columns.length);
    const out = kernel.reserve(Math.ceil((together * columns.length) / 8) + 1);
    for (let from = 0; from < rows; from += together) {
      const to = Math.min(rows, from + together);
      const bytes = Math.ceil(((to - from) * columns.length) / 8);
      kernel.exports.clear(out, bytes + 1);
      kernel.exports.layRows(signatures, stride, columns.length, from, to, out);
      await pages.write(kernel.bytes(out, bytes));
    }
  }
  kernel.release(begin);
}

let kernelOfGroups: Kernel | undefined;

/** One memory for all groups. */
export function groupKernel(): Kernel {
  kernelOfGroups ??= loadKernel();
  return kernelOfGroups;
}

function fileAt(files: readonly SignedFile[], index: number): SignedFile {
  const file = files[index];
  if (file === undefined) throw new Error(`there is no file ${index}`);
  return file;
}

/** Bytes of signatures that are read at once, if they follow each other in a temporary file. */
const READ_BYTES = 2 ** 20;

/** Reads signatures of `stride` bytes to an address, one after the other. */
function readSignatures(kernel: Kernel, address: number, stride: number, files: readonly SignedFile[]): void {
  for (let first = 0; first < files.length; ) {
    const { fd, at } = fileAt(files, first);
    let last = first + 1;
    const follows = (file: SignedFile | undefined) => file?.fd === fd && file.at === at + stride * (last - first);
    while (stride * (last - first) < READ_BYTES && follows(files[last])) last++;
    readAll(fd, kernel.bytes(address + stride * first, stride * (last - first)), at);
    first = last;
  }
}

function readAll(fd: number, into: Uint8Array, position: number): void {
  for (let done = 0; done < into.length; ) {
    const bytes = readNow(fd, into.subarray(done), position + done);
    if (bytes === 0) throw new Error('a temporary file was cut off');
    done += bytes;
  }
}
