import { BloomError } from '../../errors.ts';
import type { KeySelection } from '../input/key-selection.ts';
import { openIfText, openRecords, readIfSmallText } from '../input/open-records.ts';
import type { Tally } from './tally.ts';
import type { Task } from './task.ts';

/** A file that one thread reads. */
export interface FileToScan {
  readonly name: string;
  /** Bytes, as they were when the file was found. */
  readonly size: number;
  /** Whether it was found in a folder. If it is not text, it is then skipped. */
  readonly isFound: boolean;
}

/** Handles the records of a whole file. Undefined if it is skipped. Throws `UnreadableInput` errors. */
export async function scanFile(
  task: Task,
  { name, size, isFound }: FileToScan,
  selection: KeySelection,
): Promise<Tally | undefined> {
  task.begin?.(name);
  const text = task.scanText && (await readIfSmallText(name, size, selection));
  if (text instanceof BloomError) {
    if (isFound) return undefined;
    throw text;
  }
  if (text !== undefined) return task.scanText?.(name, text);
  const source = await (isFound ? openIfText : openRecords)(name, selection);
  return source && task.scan(source, { name, first: true, turn: undefined }).finally(() => source.close());
}
