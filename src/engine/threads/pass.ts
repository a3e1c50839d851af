import { type Input, totalBytes } from '../input/input.ts';
import type { TaskResult } from '../tasks/task-result.ts';
import { readInput } from './hand-out.ts';
import { beginPass, type Pass, type PassState } from './pass-state.ts';
import type { WorkerPool } from './worker-pool.ts';

export type { Pass } from './pass-state.ts';

/** Starts the workers early if the inputs are known to be large, so that they are ready sooner. */
export function startIfWorthwhile(pool: WorkerPool, inputs: readonly Input[]): void {
  if ((totalBytes(inputs) ?? 0) >= pool.settings.worthwhile) pool.start();
}

/**
 * Runs a task over the records of all inputs, and returns the result of each thread. The main thread only hands out large inputs. It reads
 * a pipe itself until the pipe proves to be large.
 */
export async function runPass(pass: Pass): Promise<TaskResult[]> {
  startIfWorthwhile(pass.pool, pass.inputs);
  const state = await beginPass(pass);
  await state.failure.during(readAll(state));
  // Workers finish at the same time. Their shared work, such as the sealing of drafts, is done when this resolves.
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
