// A merge of the parts of a filter, beside the time to read them once. The filter has capacity for many keys, and contains few.

import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { writeLines } from './lines.ts';
import { BLOOM, printRace, race, short } from './runs.ts';

const PARTS = 1000;

/** Keys in the filter, whatever its capacity: the merged bytes are as many for any number. */
const LINES = 1e6;

/** Prints a race. Throws an error if the merged filter differs from the filter that is built from all keys. */
export function printParts(folder: string, items: number, rounds: number): void {
  const [lines, whole, joined] = [join(folder, 'lines'), join(folder, 'whole'), join(folder, 'joined')];
  const [digests, parts] = [join(folder, 'digests'), join(folder, 'parts')];
  for (const made of [digests, parts]) mkdirSync(made);
  writeLines(lines, LINES, () => 'key');
  const part = `${BLOOM} build -n ${items} --part {}/${PARTS} --digests ${digests}/{} -o ${parts}/{} --quiet`;
  race(
    {
      whole: `${BLOOM} build -n ${items} ${lines} -o ${whole}`,
      digests: `${BLOOM} digest -n ${items} --parts ${PARTS} ${lines} -o ${digests}/%d`,
      parts: `seq ${PARTS} | xargs -P ${cpus().length} -I {} ${part}`,
    },
    1,
    folder,
  );
  const commands = {
    'cat PART... > c': `cat ${parts}/* > ${joined}`,
    'bloom merge PART... -o c': `${BLOOM} merge ${parts}/* --force -o ${joined}`,
  };
  printRace(`${PARTS} parts of a filter for ${short(items)} keys`, race(commands, rounds, folder));
  if (spawnSync('cmp', [joined, whole]).status !== 0)
    throw new Error('the parts are not the filter that one build makes');
}
