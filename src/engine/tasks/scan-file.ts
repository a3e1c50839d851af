import type { KeySelection } from '../input/key-selection.ts';
import { openRecords } from '../input/open-records.ts';
import type { Tally } from './tally.ts';
import type { Task } from './task.ts';

/** Handles the records of a whole file. Throws `UnreadableInput` errors. */
export async function scanFile(task: Task, name: string, selection: KeySelection): Promise<Tally> {
  const source = await openRecords(name, selection);
  return task.scan(source, { name, first: true, turn: undefined }).finally(() => source.close());
}
