import { type Input, totalBytes } from '../input/input.ts';
import type { TaskResult } from '../tasks/task-result.ts';
import { readInput } from './hand-out.ts';
import { beginPass, type Pass, type PassState } from './pass-state.ts';
import type { WorkerPool } from './worker-pool.ts';

export type { Pass } from './pass-state.ts';

/** Starts the pool if the inputs are known to be large: the earlier, the sooner they are up. */
export function startIfWorthwhile(pool: WorkerPool, inputs: readonly Input[]): void {
  if ((totalBytes(inputs) ?? 0) >= pool.settings.worthwhile) pool.start();
}

/**
 * Does a task to the records of all inputs and returns what each thread did. If there is much to read the main thread
 * only hands it out. What comes from a pipe it reads itself until that turns out to be much.
 */
export async function runPass(pass: Pass): Promise<TaskResult[]> {
  startIfWorthwhile(pass.pool, pass.inputs);
  const state = await beginPass(pass);
  await state.failure.during(readAll(state));
  // Workers do it at the same time, and what they share, such as drafts, is done by then.
  const others = await state.workers.finish();
  return [state.own.finish(), ...others];
}

async function readAll(state: PassState): Promise<void> {
  for (const [index, input] of state.inputs.entries()) {
    if (state.isOver()) break;
    await readInput(state, index, input);
  }
  await Promise.all([state.workers.opened(), ...state.inputsOut]);
}
