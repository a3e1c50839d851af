import { openSync } from 'node:fs';
import { errno } from '../errors.ts';
import { claim } from './claim.ts';
import { standingAt } from './holder.ts';
import { deferSignals, removeAtEnd, removeOwn } from './remove-at-end.ts';
import { siblingOf } from './sibling.ts';

/** An open temporary file beside its target. */
export interface TemporarySibling {
  readonly name: string;
  readonly fd: number;
  /** Removes the file if it still has its name. The caller closes it. */
  remove(): void;
}

/** The most processes that write to one target at a time. */
const SLOTS = 1000;

/**
 * Opens a temporary file beside a target. The file of a killed process is removed: beside each file, a note names the process that writes
 * it. Each process uses the first pair of names that no living process has. At the end, the process removes its file and its note. Throws
 * the errors of the system.
 */
export function openTemporarySibling(target: string, mode: number): TemporarySibling {
  // The handlers come before the files. A signal between the two finds no file to remove.
  const release = deferSignals();
  try {
    for (let slot = 0; ; slot++) {
      const sibling = openSlot(namesOf(target, slot), mode, slot === SLOTS - 1);
      if (sibling === undefined) continue;
      sweep(target, slot + 1);
      return sibling;
    }
  } finally {
    release();
  }
}

interface Names {
  readonly note: string;
  readonly file: string;
}

function namesOf(target: string, slot: number): Names {
  return { note: siblingOf(target, `${slot}.writer`), file: siblingOf(target, `${slot}.tmp`) };
}

/**
 * Opens the file of a slot. Undefined if another process has it. Also undefined if the file cannot be replaced and this slot is not the
 * last one.
 */
function openSlot({ note, file }: Names, mode: number, isLast: boolean): TemporarySibling | undefined {
  if (!claim(note)) return undefined;
  const releaseNote = removeAtEnd(note);
  const releaseFile = removeAtEnd(file);
  const end = () => {
    removeOwn(note);
    releaseFile();
    releaseNote();
  };
  removeOwn(file);
  try {
    const fd = openSync(file, 'wx', mode);
    return {
      name: file,
      fd,
      remove() {
        removeOwn(file);
        end();
      },
    };
  } catch (error) {
    end();
    if (errno(error) === 'EEXIST' && !isLast) return undefined;
    throw error;
  }
}

/** Removes the files and notes that killed processes left in further slots. */
function sweep(target: string, from: number): void {
  for (let slot = from; slot < SLOTS; slot++) {
    const { note, file } = namesOf(target, slot);
    const { type } = standingAt(note);
    if (type === 'nothing') return;
    if (type !== 'left' || !claim(note)) continue;
    removeOwn(file);
    removeOwn(note);
  }
}
