// Starts the program of a worker with the code that V8 compiled in an earlier run. To compile it anew takes a third of the start of a
// thread.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { bundleScript } from '../../io/bundle-script.ts';
import type { Start } from './thread-messages.ts';

/** The program, beside the bundle that contains this file. */
const PROGRAM = join(import.meta.dirname, 'worker.cjs');

const start: Start = workerData;
const { run, isNew, code } = bundleScript(PROGRAM, readFileSync(PROGRAM, 'latin1'), start.code);
const module = { exports: {} as typeof import('./worker.ts') };
run(module.exports, require, module, PROGRAM);
module.exports.answerRequests(start, isNew ? code : undefined);
