// The program of the threads in the executable.

import { workerData } from 'node:worker_threads';
import { answerRequests } from '../engine/threads/worker.ts';

answerRequests(workerData, undefined);
