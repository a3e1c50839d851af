// Makes an index of files. Each file gets a signature, whose length depends on the number of its keys alone.

import { UnreadableInput } from '../../errors.ts';
import type { IndexedFile } from '../../formats/index-file/entries.ts';
import { nap } from '../../io/nap.ts';
import { openTemporaryFile, type TemporaryFile } from '../../io/temporary-file.ts';
import { loadKernel } from '../../kernel/kernel.ts';
import { contentChecksum } from '../input/content-checksum.ts';
import type { Observer } from '../input/input.ts';
import type { KeySelection } from '../input/key-selection.ts';
import type { Tally } from '../tasks/tally.ts';
import type { SignSpec } from '../tasks/task.ts';
import type { WorkerPool } from '../threads/worker-pool.ts';
import { copySignatures } from './copy-signatures.ts';
import type { FileIndex } from './open-index.ts';
import { type FileToSign, signEach } from './sign-each.ts';
import { arrange, type IndexDesign, type SignedFile, type UnwrittenIndex } from './write-index.ts';

/** A file as it is before it is read. */
export type FileNow = Omit<FileToSign, 'index'>;

/** How the signatures of files are made. */
export interface SigningDesign extends IndexDesign {
  readonly selection: KeySelection;
  /** See `SignSpec`. */
  readonly slotsLimit?: number;
}

/** How files differ from those of an earlier index. */
export interface Changes {
  /** Files that it does not have. */
  readonly added: number;
  /** Files whose size or time has changed. */
  readonly changed: number;
  /** Files that were not read again. */
  readonly kept: number;
  /** Files that it alone has. */
  readonly gone: number;
}

/** The signatures of some files, ready to be written. */
export interface SignedFiles extends UnwrittenIndex {
  readonly counts: Pick<Tally, 'records' | 'keys'>;
  /** Files in folders that are not text. */
  readonly skipped: number;
  /** Undefined without an earlier index. */
  readonly changes: Changes | undefined;
  /** Removes the temporary files. */
  close(): void;
}

/**
 * Makes the signatures of all files. A file that cannot be read to its end is reported and left out. The signature of a file that has the
 * size and time of an earlier index is taken from there, or with `comparesContent` that of a file with the same content.
 */
export async function signFiles(
  pool: WorkerPool,
  design: SigningDesign,
  named: readonly FileNow[],
  observer: Observer,
  earlier?: FileIndex,
  comparesContent = false,
): Promise<SignedFiles> {
  const temporary: TemporaryFile[] = [];
  const close = () => {
    for (const file of temporary) file.close();
  };
  const keep = (): TemporaryFile => {
    const file = openTemporaryFile('signatures');
    temporary.push(file);
    return file;
  };
  try {
    const files = named.map((file, index) => ({ index, ...file }));
    awaitTick(named);
    const known = earlier === undefined ? new Map<string, IndexedFile>() : indexedFiles(earlier);
    const signed: (SignedFile | undefined)[] = named.map(() => undefined);
    const unchanged = new Map(files.filter(isKnownBy(known, comparesContent)).map((file) => [file.name, file]));
    if (earlier !== undefined) {
      copySignatures(
        earlier,
        (name) => unchanged.has(name),
        keep(),
        (file) => {
          const { index, modified } = unchanged.get(file.name) as FileToSign;
          signed[index] = { ...file, modified };
        },
      );
    }
    const toRead = files.filter(({ name }) => !unchanged.has(name));
    const outputs = Array.from({ length: pool.threadCount }, keep);
    const { selection, rules, k, targetFpr, hasChecksums, slotsLimit } = design;
    const spec: SignSpec = {
      ...{ type: 'sign', selection, rules, k, targetFpr, hasChecksums },
      outputs: outputs.map(({ fd }) => ({ fd, name: 'a temporary file' })),
      ...(slotsLimit !== undefined && { slotsLimit }),
    };
    const counts = { records: 0, keys: 0 };
    const skipped = new Set<number>();
    await signEach(pool, spec, toRead, observer, ({ index, name, size, modified }, tally) => {
      if (tally === undefined) {
        skipped.add(index);
        return;
      }
      const { records, keys, signed: made } = tally;
      const fd = outputs[made?.thread ?? -1]?.fd;
      if (made === undefined || fd === undefined) throw new Error('a file has no signature');
      const { keys: distinct, rows, ones, at, checksum } = made;
      signed[index] = { name, size, modified, keys: distinct, rows, ones, fd, at, checksum };
      counts.records += records;
      counts.keys += keys;
    });
    const read = toRead.filter(({ index }) => !skipped.has(index));
    const changed = read.filter(({ name }) => known.has(name)).length;
    const kept = files.length - toRead.length;
    const changes = { added: read.length - changed, changed, kept, gone: known.size - kept - changed };
    return {
      ...arrange(
        design,
        signed.filter((file) => file !== undefined),
      ),
      ...{ counts, skipped: skipped.size, changes: earlier && changes, close },
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Milliseconds after which a changed file has another time than before, on file systems of today. */
const TICK = 20;

/**
 * Waits if a file was changed in this tick. If it is changed again in this tick, after it was read, it keeps its time: the next update would
 * not notice.
 */
function awaitTick(files: readonly FileNow[]): void {
  const now = Date.now();
  if (files.some(({ modified }) => now - modified < TICK)) nap(TICK);
}

/** Tells whether a file is as an index knows it. */
function isKnownBy(known: ReadonlyMap<string, IndexedFile>, comparesContent: boolean): (file: FileNow) => boolean {
  const kernel = loadKernel();
  const hasContent = (name: string, checksum: bigint | undefined) => {
    try {
      return contentChecksum(kernel, name) === checksum;
    } catch (error) {
      // It is reported when it is read.
      if (error instanceof UnreadableInput) return false;
      throw error;
    }
  };
  return ({ name, size, modified }) => {
    const file = known.get(name);
    if (file?.size !== size) return false;
    return comparesContent ? hasContent(name, file.checksum) : file.modified === modified;
  };
}

/** The files of an index by their names. */
function indexedFiles(index: FileIndex): Map<string, IndexedFile> {
  const files = Array.from({ length: index.header.files }, (_, i) => ({
    ...index.file(i),
    checksum: index.checksum(i),
  }));
  return new Map(files.map((file) => [file.name, file]));
}
