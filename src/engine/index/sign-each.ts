import { UnreadableInput } from '../../errors.ts';
import type { IndexedFile } from '../../formats/index-file/entries.ts';
import { loadKernel } from '../../kernel/kernel.ts';
import type { Observer } from '../input/input.ts';
import { openRecords } from '../input/open-records.ts';
import { createMeter } from '../input/progress.ts';
import { openTask } from '../tasks/open-task.ts';
import type { Tally } from '../tasks/tally.ts';
import type { SignSpec } from '../tasks/task.ts';
import type { WorkerPool } from '../threads/worker-pool.ts';

/** A file before it is read, and its position among the files of the index. */
export interface FileToSign extends Pick<IndexedFile, 'name' | 'size' | 'modified'> {
  readonly index: number;
}

/** Bytes of compressed files take that much longer than others: threads pay sooner. */
const COMPRESSED = 8;

/** Reads files, each by one thread. A file that cannot be read is reported. */
export async function signEach(
  pool: WorkerPool,
  spec: SignSpec,
  files: readonly FileToSign[],
  observer: Observer,
  onSigned: (file: FileToSign, tally: Tally) => void,
): Promise<void> {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const meter = createMeter(total, observer);
  const one = async (file: FileToSign, read: (name: string) => Promise<Tally>) => {
    try {
      onSigned(file, await read(file.name));
    } catch (error) {
      if (!(error instanceof UnreadableInput)) throw error;
      observer.onUnreadable(error, false);
    }
    await meter(file.size);
  };
  if (pool.threadCount === 1 || total < pool.settings.worthwhile / COMPRESSED || files.length === 1) {
    const task = await openTask({ kernel: loadKernel(), threadIndex: 0 }, spec);
    const read = async (name: string) => {
      const source = await openRecords(name, spec.selection);
      return task.scan(source, { name, first: true, turn: undefined }).finally(() => source.close());
    };
    for (const file of files) await one(file, read);
    return;
  }
  pool.start();
  await pool.sendAll({ type: 'open', spec });
  const requests = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  for (const file of files) {
    const worker = await pool.idle(2);
    if (failure !== undefined) break;
    const request = one(file, async (name) => {
      const reply = await worker.send({ type: 'read', file: name, selection: spec.selection });
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
