import { rmSync, writeFileSync } from 'node:fs';
import { BloomError, causeOf, printable } from '../errors.ts';
import { hasEnded, holderIn, isHere, ownNote } from './holder.ts';
import { locked } from './lock.ts';
import { removeOnSignal } from './remove-on-signal.ts';
import { siblingOf } from './sibling.ts';

/**
 * Does some work while no other process that holds the same file does, however long it takes: a note beside it says which
 * process that is. What a killed one has left is of no account. `name` is the file's for messages. Throws an `output` error if
 * another holds it.
 */
export async function holding<T>(file: string, name: string, work: () => Promise<T>): Promise<T> {
  const note = siblingOf(file, 'holder');
  let letSignals = () => {};
  const take = () => {
    requireFree(name, note);
    writeFileSync(note, ownNote());
    letSignals = removeOnSignal(note);
  };
  await locked(file, take).catch((error: unknown) => {
    if (error instanceof BloomError) throw error;
    throw new BloomError('output', `cannot write beside ${name}: ${causeOf(error)}`);
  });
  try {
    return await work();
  } finally {
    rmSync(note, { force: true });
    letSignals();
  }
}

/** A note that is not whole is that of a process that was killed while it wrote. */
function requireFree(name: string, note: string): void {
  const holder = holderIn(note);
  if (holder === undefined) return;
  const isOurs = isHere(holder);
  if (isOurs && hasEnded(holder)) return;
  throw new BloomError(
    'output',
    `${name} is in use by another bloom, process ${holder.pid}${isOurs ? '' : ` on ${printable(holder.host)}`}`,
    isOurs ? 'run it again when that has ended' : `if that has ended, remove ${printable(note)}`,
  );
}
