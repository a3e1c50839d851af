// The program of a worker: it handles the requests of the main thread, one after the other.

import { parentPort } from 'node:worker_threads';
import { adoptKernelCode, loadKernel } from '../../kernel/kernel.ts';
import { chunkSource } from '../input/chunks.ts';
import { openTask } from '../tasks/open-task.ts';
import { scanFile } from '../tasks/scan-file.ts';
import type { Tally } from '../tasks/tally.ts';
import type { Task } from '../tasks/task.ts';
import type { ThreadContext } from '../tasks/thread-context.ts';
import { type Notice, type Reply, type Start, toFailure, type WorkerRequest } from './thread-messages.ts';

/**
 * Answers the requests of the main thread. `newCode` gives what V8 compiled of this program, unless it had the code of an earlier run.
 */
export function answerRequests(
  { threadIndex, kernelCode, keepsCode }: Start,
  newCode: (() => Buffer) | undefined,
): void {
  adoptKernelCode(kernelCode);
  const say = (message: Reply | Notice) => parentPort?.postMessage(message);
  const context: ThreadContext = { kernel: loadKernel(), threadIndex, onPrinting: () => say({ type: 'printing' }) };
  let task: Task | undefined;

  const answer = async (request: WorkerRequest): Promise<Reply> => {
    if (request.type === 'open') {
      task = await openTask(context, request.spec);
      return { type: 'opened' };
    }
    if (task === undefined) throw new Error('there is no task');
    if (request.type === 'scan') {
      return scanned(await task.scan(chunkSource(request.chunk), request.part));
    }
    if (request.type === 'read') {
      const files = [];
      for (const file of request.files) files.push(await scanFile(task, file, request.selection).then(read, failed));
      return { type: 'read', files };
    }
    const result = task.finish();
    return { type: 'finished', result, code: keepsCode ? newCode?.() : undefined };
  };

  let earlier: Promise<void> = Promise.resolve();
  parentPort?.on('message', (request: WorkerRequest) => {
    earlier = earlier.then(async () => {
      say(await answer(request).catch(failed));
    });
  });
}

const scanned = (tally: Tally) => ({ type: 'scanned', tally }) as const;
const read = (tally: Tally | undefined) => (tally === undefined ? ({ type: 'skipped' } as const) : scanned(tally));
const failed = (error: unknown) => ({ type: 'failed', failure: toFailure(error) }) as const;
