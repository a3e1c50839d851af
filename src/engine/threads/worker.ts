// The program of a worker: it handles the requests of the main thread, one after the other.

import { parentPort, workerData } from 'node:worker_threads';
import { adoptKernelCode, loadKernel } from '../../kernel/kernel.ts';
import { chunkSource } from '../input/chunks.ts';
import { openRecords } from '../input/open-records.ts';
import { openTask } from '../tasks/open-task.ts';
import type { SourcePart, Task } from '../tasks/task.ts';
import type { ThreadContext } from '../tasks/thread-context.ts';
import { type Notice, type Reply, type Start, toFailure, type WorkerRequest } from './thread-messages.ts';

const { threadIndex, kernelCode }: Start = workerData;
adoptKernelCode(kernelCode);
const say = (message: Reply | Notice) => parentPort?.postMessage(message);
const context: ThreadContext = { kernel: loadKernel(), threadIndex, onPrinting: () => say({ type: 'printing' }) };
let task: Task | undefined;

async function answer(request: WorkerRequest): Promise<Reply> {
  if (request.type === 'open') {
    task = await openTask(context, request.spec);
    return { type: 'opened' };
  }
  if (task === undefined) throw new Error('there is no task');
  if (request.type === 'scan') {
    return { type: 'scanned', tally: await task.scan(chunkSource(request.chunk), request.part) };
  }
  if (request.type === 'read') {
    const source = await openRecords(request.file, request.selection);
    const part: SourcePart = { name: request.file, first: true, turn: undefined };
    return { type: 'scanned', tally: await task.scan(source, part).finally(() => source.close()) };
  }
  return { type: 'finished', result: task.finish() };
}

let earlier: Promise<void> = Promise.resolve();
parentPort?.on('message', (request: WorkerRequest) => {
  earlier = earlier.then(async () => {
    const reply = await answer(request).catch(
      (error: unknown): Reply => ({ type: 'failed', failure: toFailure(error) }),
    );
    say(reply);
  });
});
