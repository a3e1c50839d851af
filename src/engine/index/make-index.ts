// Makes an index of files. Each file gets a signature, whose length depends on the number of its keys alone.

import type { IndexedFile } from '../../formats/index-file/entries.ts';
import { nap } from '../../io/nap.ts';
import { openTemporaryFile, type TemporaryFile } from '../../io/temporary-file.ts';
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
export type FileNow = Pick<IndexedFile, 'name' | 'size' | 'modified'>;

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
  /** Undefined without an earlier index. */
  readonly changes: Changes | undefined;
  /** Removes the temporary files. */
  close(): void;
}

/**
 * Makes the signatures of all files. A file that cannot be read to its end is reported and left out. The signature of a file that has the
 * size and time of an earlier index is taken from there.
 */
export async function signFiles(
  pool: WorkerPool,
  design: SigningDesign,
  named: readonly FileNow[],
  observer: Observer,
  earlier?: FileIndex,
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
    const isKnown = ({ name, size, modified }: FileToSign) => {
      const file = known.get(name);
      return file?.size === size && file.modified === modified;
    };
    const signed: (SignedFile | undefined)[] = named.map(() => undefined);
    if (earlier !== undefined) {
      const positions = new Map(files.filter(isKnown).map(({ name, index }) => [name, index]));
      const isWanted = (name: string) => positions.has(name);
      copySignatures(earlier, isWanted, keep(), (file) => {
        signed[positions.get(file.name) ?? 0] = file;
      });
    }
    const toRead = files.filter((file) => !isKnown(file));
    const outputs = Array.from({ length: pool.threadCount }, keep);
    const { selection, rules, k, targetFpr, slotsLimit } = design;
    const spec: SignSpec = {
      ...{ type: 'sign', selection, rules, k, targetFpr },
      outputs: outputs.map(({ fd }) => ({ fd, name: 'a temporary file' })),
      ...(slotsLimit !== undefined && { slotsLimit }),
    };
    const counts = { records: 0, keys: 0 };
    await signEach(pool, spec, toRead, observer, ({ index, name, size, modified }, { records, keys, signed: made }) => {
      const fd = outputs[made?.thread ?? -1]?.fd;
      if (made === undefined || fd === undefined) throw new Error('a file has no signature');
      signed[index] = { name, size, modified, keys: made.keys, rows: made.rows, ones: made.ones, fd, at: made.at };
      counts.records += records;
      counts.keys += keys;
    });
    const changed = toRead.filter(({ name }) => known.has(name)).length;
    const kept = files.length - toRead.length;
    const changes = { added: toRead.length - changed, changed, kept, gone: known.size - kept - changed };
    return {
      ...arrange(
        design,
        signed.filter((file) => file !== undefined),
      ),
      ...{ counts, changes: earlier && changes, close },
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

/** The files of an index by their names. */
function indexedFiles(index: FileIndex): Map<string, IndexedFile> {
  const files = Array.from({ length: index.header.files }, (_, i) => index.file(i));
  return new Map(files.map((file) => [file.name, file]));
}
