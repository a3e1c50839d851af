import { unlinkSync } from 'node:fs';
import { ENDING_SIGNALS, endBy, patiently } from './system.ts';

/** Files to remove when the process ends early, by a signal or by an uncaught error. */
const files = new Set<string>();
let deferring = 0;

/**
 * Until the release, a signal ends the process only between two events, never between two system calls of one function.
 * The caller must call this before it creates a file that a signal should remove.
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

/**
 * Until the release, the end of the process removes the file. After a signal the process ends as without this handler.
 */
export function removeAtEnd(file: string): () => void {
  const release = deferSignals();
  files.add(file);
  return () => {
    files.delete(file);
    release();
  };
}

/** Removes a file of this process. A file that cannot be removed stays: no later command depends on its removal. */
export function removeOwn(file: string): void {
  try {
    patiently(() => unlinkSync(file));
  } catch {
    // The file was renamed or removed already, or the system does not allow the removal.
  }
}

function removeAll(): void {
  for (const file of files) removeOwn(file);
}

function onSignal(signal: NodeJS.Signals): void {
  // Another listener decides what the signal does. This process goes on until then.
  if (process.listenerCount(signal) > 1) return;
  removeAll();
  for (const known of ENDING_SIGNALS) process.removeListener(known, onSignal);
  endBy(signal);
}
