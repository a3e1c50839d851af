// Queries and additions with a quarter of the filter's size in memory, beside those with the whole filter in memory.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { writeLines } from './lines.ts';
import { BLOOM, printRace, race, short } from './runs.ts';

/** The filter's capacity per line: with 10 million lines it has a gigabyte. */
const KEYS_PER_LINE = 80;

/** Prints races for one thread and for several. Half of the lines are in the filter. */
export function printOutOfMemory(folder: string, lines: number, rounds: number): void {
  const members = join(folder, 'members');
  const mixed = join(folder, 'mixed');
  const [filter, copy] = [join(folder, 'filter'), join(folder, 'copy')];
  writeLines(members, lines, () => 'key');
  writeLines(mixed, lines, (line) => (line % 2 === 0 ? 'key' : 'not'));
  race({ build: `${BLOOM} build -n ${KEYS_PER_LINE * lines} ${members} -o ${filter}` }, 1, folder);
  const quarter = `--memory ${Math.ceil(statSync(filter).size / 4)}B`;
  for (const threads of ['--threads 1', '--threads 2', '--threads 8']) {
    const query = (limit: string) => `${BLOOM} query ${filter} ${mixed} ${limit} ${threads} > /dev/null`;
    const add = (limit: string) => `cp ${filter} ${copy} && ${BLOOM} add -q ${copy} ${mixed} ${limit} ${threads}`;
    for (const [title, command] of [
      ['query', query],
      ['add', add],
    ] as const)
      printRace(
        `${title} with a quarter of the memory, ${short(lines)} lines, a filter for ${short(KEYS_PER_LINE * lines)}, ${threads}`,
        race({ 'the whole filter in memory': command(''), 'a quarter': command(quarter) }, rounds, folder),
        lines,
      );
  }
}
