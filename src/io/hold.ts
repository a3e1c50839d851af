import { setTimeout as sleep } from 'node:timers/promises';
import { attempt, BloomError, causeOf, printable } from '../errors.ts';
import { claim } from './claim.ts';
import { standingAt } from './holder.ts';
import { deferSignals, removeAtEnd, removeOwn } from './remove-at-end.ts';
import { siblingOf } from './sibling.ts';

/** Milliseconds to wait while another process removes a leftover note, which takes less than one millisecond. */
const PATIENCE = 3_000;
const RETRY_INTERVAL = 5;

/**
 * Does some work while no other process works on the same file, however long the work takes. A note beside the file
 * names the process. The note of a killed process is replaced. `name` is the name of the file in messages. Throws an
 * `output` error if another process holds the file.
 */
export async function holding<T>(file: string, name: string, work: () => Promise<T>): Promise<T> {
  const note = siblingOf(file, 'holder');
  // The handlers come before the note. A signal between the two finds no note to remove.
  const release = deferSignals();
  try {
    await take(note, name);
    const releaseNote = removeAtEnd(note);
    try {
      return await work();
    } finally {
      removeOwn(note);
      releaseNote();
    }
  } finally {
    release();
  }
}

async function take(note: string, name: string): Promise<void> {
  const claimed = () =>
    attempt(
      () => claim(note),
      (cause) => new BloomError('output', `cannot write beside ${name}: ${causeOf(cause)}`),
    );
  for (const end = performance.now() + PATIENCE; !claimed(); await sleep(RETRY_INTERVAL)) {
    const refusal = refusalFor(note, name, performance.now() > end);
    if (refusal !== undefined) throw refusal;
  }
}

/** The error for the file that has the name of our note; undefined while the file may still disappear by itself. */
function refusalFor(note: string, name: string, isLate: boolean): BloomError | undefined {
  const standing = standingAt(note);
  switch (standing.type) {
    case 'held':
      return inUse(name, standing.holder.pid, 'run the command again when that process has ended');
    case 'elsewhere': {
      const { pid, host } = standing.holder;
      return inUse(name, `${pid} on ${printable(host)}`, `if that process has ended, remove ${printable(note)}`);
    }
    default:
      if (standing.type !== 'no note' && !isLate) return undefined;
      return new BloomError(
        'output',
        `${printable(note)} exists, and bloom cannot replace it`,
        `if no other bloom works on ${name}, remove that file`,
      );
  }
}

function inUse(name: string, process: number | string, hint: string): BloomError {
  return new BloomError('output', `${name} is in use by another bloom, process ${process}`, hint);
}
