// Makes an index of files. Each file gets a signature, whose length depends on the number of its keys alone. Signatures of one length form
// groups, and a group is written row by row: a key then needs one row of each group per hash function.

import { UnreadableInput } from '../../errors.ts';
import { kernelChecksum } from '../../formats/checksum.ts';
import type { KeyRules } from '../../formats/description.ts';
import {
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
import { lookAt } from '../../io/look.ts';
import { openTemporaryFile, type TemporaryFile } from '../../io/temporary-file.ts';
import { type Kernel, loadKernel } from '../../kernel/kernel.ts';
import type { Observer } from '../input/input.ts';
import type { KeySelection } from '../input/key-selection.ts';
import { openRecords } from '../input/open-records.ts';
import { createMeter } from '../input/progress.ts';
import { openTask } from '../tasks/open-task.ts';
import type { Signed, Tally } from '../tasks/tally.ts';
import type { SignSpec } from '../tasks/task.ts';
import type { WorkerPool } from '../threads/worker-pool.ts';

/** How an index is made. */
export interface IndexDesign {
  readonly selection: KeySelection;
  readonly rules: KeyRules;
  readonly k: number;
  readonly targetFpr: number;
  /** See `SignSpec`. */
  readonly slotsLimit?: number;
}

/** The signatures of some files, ready to be written. */
export interface SignedFiles {
  readonly files: readonly IndexedFile[];
  readonly counts: Pick<Tally, 'records' | 'keys'>;
  /** Bytes of the index. */
  readonly bytes: number;
  readonly groups: number;
  write(append: Append): Promise<void>;
  /** Removes the temporary files. */
  close(): void;
}

interface SignedFile extends IndexedFile {
  /** The length of the signature in bits. */
  readonly rows: number;
  readonly signed: Signed;
}

/** Reads all files and makes their signatures. A file that cannot be read to its end is reported and left out. */
export async function signFiles(
  pool: WorkerPool,
  design: IndexDesign,
  names: readonly string[],
  observer: Observer,
): Promise<SignedFiles> {
  const kept: TemporaryFile[] = [];
  const close = () => {
    for (const file of kept) file.close();
  };
  try {
    for (let thread = 0; thread < pool.threadCount; thread++) kept.push(openTemporaryFile('signatures'));
    const outputs = kept.map(({ fd }) => ({ fd, name: 'a temporary file' }));
    const { selection, rules, k, targetFpr, slotsLimit } = design;
    const spec: SignSpec = {
      ...{ type: 'sign', selection, rules, k, targetFpr, outputs },
      ...(slotsLimit !== undefined && { slotsLimit }),
    };
    const signed: (SignedFile | undefined)[] = names.map(() => undefined);
    const counts = { records: 0, keys: 0 };
    await signEach(pool, spec, names, observer, (index, name, state, tally) => {
      if (tally.signed === undefined) throw new Error('a file has no signature');
      const { rows, keys, ones } = tally.signed;
      signed[index] = { name, ...state, keys, rows, ones, signed: tally.signed };
      counts.records += tally.records;
      counts.keys += tally.keys;
    });
    const files = signed.filter((file) => file !== undefined);
    const groups = groupsOf(files);
    const header: IndexHeader = {
      ...{ rules, k, targetFpr, files: files.length, groups: groups.length },
      rowBytes: groups.reduce((sum, group) => sum + rowBytesOf(group.rows, group.columns.length), 0),
      nameBytes: files.reduce((sum, { name }) => sum + Buffer.byteLength(name), 0),
    };
    return {
      ...{ files, counts, groups: groups.length, bytes: indexBytes(header) },
      write: (append) => writeIndex(append, header, files, groups, kept),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

type OnSigned = (index: number, name: string, state: Pick<IndexedFile, 'size' | 'modified'>, tally: Tally) => void;

/** Each file is read by one thread. */
async function signEach(
  pool: WorkerPool,
  spec: SignSpec,
  names: readonly string[],
  observer: Observer,
  onSigned: OnSigned,
): Promise<void> {
  const states = names.map((name) => {
    const { size = 0, mtimeMs: modified = 0 } = lookAt(name) ?? {};
    return { size, modified };
  });
  const total = states.reduce((sum, { size }) => sum + size, 0);
  const meter = createMeter(total, observer);
  const one = async (index: number, read: (name: string) => Promise<Tally>) => {
    const [name = '', state = { size: 0, modified: 0 }] = [names[index], states[index]];
    try {
      onSigned(index, name, state, await read(name));
    } catch (error) {
      if (!(error instanceof UnreadableInput)) throw error;
      observer.onUnreadable(error, false);
    }
    await meter(state.size);
  };
  if (pool.threadCount === 1 || total < pool.settings.worthwhile / COMPRESSED || names.length === 1) {
    const task = await openTask({ kernel: loadKernel(), threadIndex: 0 }, spec);
    const read = async (name: string) => {
      const source = await openRecords(name, spec.selection);
      return task.scan(source, { name, first: true, turn: undefined }).finally(() => source.close());
    };
    for (const index of names.keys()) await one(index, read);
    return;
  }
  pool.start();
  await pool.sendAll({ type: 'open', spec });
  const requests = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  for (const index of names.keys()) {
    const worker = await pool.idle(2);
    if (failure !== undefined) break;
    const request = one(index, async (file) => {
      const reply = await worker.send({ type: 'read', file, selection: spec.selection });
      if (reply.type !== 'scanned') throw new Error('a file was not scanned');
      return reply.tally;
    })
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => requests.delete(request));
    requests.add(request);
  }
  await Promise.all(requests);
  if (failure !== undefined) throw failure.error;
}

/** Bytes of compressed files take that much longer than others: threads pay sooner. */
const COMPRESSED = 8;

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
  kept: readonly TemporaryFile[],
): Promise<void> {
  const kernel = loadKernel();
  const head = await encodeIndexHeader(header, kernelChecksum(kernel));
  await append(head);
  const pages = createPageWriter(kernel, indexChecksum(head), append);
  for (const group of groups) await writeGroup(pages, group, files, kept);
  await pages.write(encodeGroups(groups));
  await pages.write(encodeColumns(groups));
  await pages.write(encodeFiles(files));
  for (const { name } of files) await pages.write(Buffer.from(name));
  await pages.end();
}

/** Bytes of the rows that are made at once. */
const WINDOW = 2 ** 20;

/** Reads the signatures of a group into memory, and writes their rows. */
async function writeGroup(
  pages: PageWriter,
  { rows, columns }: SignatureGroup,
  files: readonly SignedFile[],
  kept: readonly TemporaryFile[],
): Promise<void> {
  const kernel = groupKernel();
  const begin = kernel.reserve(0);
  const stride = Math.ceil(rows / 8);
  const signatures = kernel.reserve(stride * columns.length);
  for (const [column, index] of columns.entries()) {
    const signed = files[index]?.signed;
    const fd = kept[signed?.thread ?? 0]?.fd;
    if (signed === undefined || fd === undefined) throw new Error(`file ${index} has no signature`);
    readSignature(kernel, signatures + stride * column, stride, fd, signed.at);
  }
  if (columns.length === 1) await pages.write(kernel.bytes(signatures, stride));
  else {
    const together = Math.max(8, 8 * Math.floor(WINDOW / columns.length));
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
function groupKernel(): Kernel {
  kernelOfGroups ??= loadKernel();
  return kernelOfGroups;
}

function readSignature(kernel: Kernel, address: number, length: number, fd: number, from: number): void {
  const into = kernel.bytes(address, length);
  for (let done = 0; done < length; ) {
    const bytes = readNow(fd, into.subarray(done), from + done);
    if (bytes === 0) throw new Error('a temporary file was cut off');
    done += bytes;
  }
}
