import { unlinkSync } from 'node:fs';
import { ENDING_SIGNALS } from './system.ts';

/** Files that are removed when the process ends early: by a signal, or by an error that no code awaits. */
const files = new Set<string>();
let deferring = 0;

/**
 * Until released, a signal that ends the process does so between two events, never between two system calls of one function.
 * To be called before the first file is made that a signal should remove.
 */
export function deferSignals(): () => void {
  if (deferring++ === 0) {
    for (const signal of ENDING_SIGNALS) process.on(signal, onSignal);
    process.on('exit', removeAll);
  }
  return () => {
    if (--deferring > 0) return;
    for (const signal of ENDING_SIGNALS) process.removeListener(signal, onSignal);
    process.removeListener('exit', removeAll);
  };
}

/** Until released, the end of the process removes the file. After a signal the process ends as it would have without us. */
export function removeAtEnd(file: string): () => void {
  const release = deferSignals();
  files.add(file);
  return () => {
    files.delete(file);
    release();
  };
}

/** Removes a file of this process. If it cannot be removed it stays: no later command depends on it. */
export function removeOwn(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // It was renamed or removed already, or the system does not allow it.
  }
}

function removeAll(): void {
  for (const file of files) removeOwn(file);
}

function onSignal(signal: NodeJS.Signals): void {
  // Another listener decides what becomes of the process, and we go on until it does.
  if (process.listenerCount(signal) > 1) return;
  removeAll();
  for (const known of ENDING_SIGNALS) process.removeListener(known, onSignal);
  process.kill(process.pid, signal);
}
