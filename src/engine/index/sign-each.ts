import { UnreadableInput } from '../../errors.ts';
import type { IndexedFile } from '../../formats/index-file/entries.ts';
import { loadKernel } from '../../kernel/kernel.ts';
import type { Observer } from '../input/input.ts';
import { createMeter } from '../input/progress.ts';
import { openTask } from '../tasks/open-task.ts';
import { type FileToScan, scanFile } from '../tasks/scan-file.ts';
import type { Tally } from '../tasks/tally.ts';
import type { SignSpec } from '../tasks/task.ts';
import { fromFailure } from '../threads/thread-messages.ts';
import type { PoolWorker, WorkerPool } from '../threads/worker-pool.ts';

/** A file before it is read, and its position among the files of the index. */
export interface FileToSign extends FileToScan, Pick<IndexedFile, 'name' | 'size' | 'modified'> {
  readonly index: number;
}

/** Bytes of compressed files take that much longer than others: threads pay sooner. */
const COMPRESSED = 8;

/** Files of a request to a thread, and their bytes: enough to hide the cost of the request, and few enough to share the work evenly. */
const TOGETHER = { files: 64, bytes: 2 ** 18 };

/** Reads files, each by one thread. A file that cannot be read is reported. Without a tally, a file was skipped. */
export async function signEach(
  pool: WorkerPool,
  spec: SignSpec,
  files: readonly FileToSign[],
  observer: Observer,
  onRead: (file: FileToSign, tally: Tally | undefined) => void,
): Promise<void> {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const meter = createMeter(total, observer);
  const { selection } = spec;
  const report = (error: unknown) => {
    if (!(error instanceof UnreadableInput)) throw error;
    observer.onUnreadable(error, false);
  };
  if (pool.threadCount === 1 || total < pool.settings.worthwhile / COMPRESSED || files.length === 1) {
    const task = await openTask({ kernel: loadKernel(), threadIndex: 0 }, spec);
    for (const file of files) {
      await scanFile(task, file, selection).then((tally) => onRead(file, tally), report);
      await meter(file.size);
    }
    task.finish();
    return;
  }
  const readTogether = async (worker: PoolWorker, some: readonly FileToSign[]) => {
    const toScan = some.map(({ name, size, isFound }) => ({ name, size, isFound }));
    const reply = await worker.send({ type: 'read', files: toScan, selection });
    if (reply.type !== 'read') throw new Error('files were not read');
    for (const [i, file] of some.entries()) {
      const read = reply.files[i];
      if (read === undefined) throw new Error('a file has no answer');
      if (read.type === 'failed') report(fromFailure(read.failure));
      else onRead(file, read.type === 'scanned' ? read.tally : undefined);
      await meter(file.size);
    }
  };
  pool.start();
  await pool.sendAll({ type: 'open', spec });
  const requests = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  for (const some of inRuns(files)) {
    const worker = await pool.idle(2);
    if (failure !== undefined) break;
    const request = readTogether(worker, some)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => requests.delete(request));
    requests.add(request);
  }
  await Promise.all(requests);
  if (failure !== undefined) throw failure.error;
  await pool.sendAll({ type: 'finish' });
}

/** Runs of files that are read by one request each. */
function inRuns(files: readonly FileToSign[]): FileToSign[][] {
  const runs: FileToSign[][] = [];
  let bytes = 0;
  for (const file of files) {
    const run = runs.at(-1);
    if (run === undefined || run.length === TOGETHER.files || bytes + file.size > TOGETHER.bytes) {
      runs.push([file]);
      bytes = 0;
    } else run.push(file);
    bytes += file.size;
  }
  return runs;
}
