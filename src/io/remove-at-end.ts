import { unlinkSync } from 'node:fs';
import { ENDING_SIGNALS } from './system.ts';

/** Files that a signal removes. */
const files = new Set<string>();

/** Until released, a signal removes the file and then ends the process as it would have without us. */
export function removeOnSignal(file: string): () => void {
  if (files.size === 0) for (const signal of ENDING_SIGNALS) process.on(signal, onSignal);
  files.add(file);
  return () => {
    files.delete(file);
    if (files.size === 0) for (const signal of ENDING_SIGNALS) process.removeListener(signal, onSignal);
  };
}

function onSignal(signal: NodeJS.Signals): void {
  // Another listener decides what becomes of the process, and we go on until it does.
  if (process.listenerCount(signal) > 1) return;
  for (const file of files) {
    try {
      unlinkSync(file);
    } catch {
      // Already renamed or gone.
    }
  }
  for (const known of ENDING_SIGNALS) process.removeListener(known, onSignal);
  process.kill(process.pid, signal);
}
