// One filter beside several of the same rules in one query, for lines of which half are in the first filter.

import { join } from 'node:path';
import { writeLines } from './lines.ts';
import { BLOOM, type Commands, printRace, race, short } from './runs.ts';

const FILTERS = 20;

/** Prints a race for one thread and one for all cores. Each time is a multiple of the time for one filter. */
export function printSeveral(folder: string, lines: number, rounds: number): void {
  const file = join(folder, 'lines');
  const filters = Array.from({ length: FILTERS }, (_, i) => {
    const filter = join(folder, `filter${i}`);
    writeLines(file, lines, () => `k${String(i).padStart(2, '0')}`);
    race({ build: `${BLOOM} build -n ${lines} ${file} -o ${filter}` }, 1, folder);
    return filter;
  });
  writeLines(file, lines, (line) => (line % 2 === 0 ? 'k00' : 'not'));
  const [first = '', ...others] = filters;
  const all = [first, ...others.map((filter) => `-F ${filter}`)].join(' ');
  for (const threads of ['--threads 1', '']) {
    const ask = (of: string, flags: string) => `${BLOOM} query ${of} ${file} ${flags} ${threads} > /dev/null`;
    const counted: Commands = {
      'one, -c': ask(first, '-c'),
      [`${FILTERS}, -c`]: ask(all, '-c'),
      [`${FILTERS}, -c --which`]: ask(all, '-c --which'),
      [`${FILTERS}, -c --all`]: ask(all, '-c --all'),
    };
    const printed: Commands = {
      'one, printed': ask(first, ''),
      [`${FILTERS}, printed`]: ask(all, ''),
      [`${FILTERS}, --which`]: ask(all, '--which'),
      [`${FILTERS}, --first-only`]: ask(all, '--first-only'),
    };
    for (const commands of [counted, printed])
      printRace(
        `${FILTERS} filters, ${short(lines)} lines, ${threads || 'all cores'}`,
        race(commands, rounds, folder),
        lines,
      );
  }
}
