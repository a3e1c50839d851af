// Queries for whole lines of a log, and for each word of them.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BLOOM, type Commands, printRace, race, short } from './runs.ts';

const ADDRESS = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g;

/**
 * Prints a race for one thread and one for all cores. The log is repeated up to a number of lines, and its addresses are the keys.
 * Throws an error if bloom misses lines that grep finds.
 */
export function printWords(folder: string, lines: number, rounds: number, log: string): void {
  const [list, filter, repeated] = [join(folder, 'keys'), join(folder, 'filter'), join(folder, 'lines')];
  const text = readFileSync(log, 'latin1');
  const all = text.split('\n').filter((line) => line !== '');
  const addresses = text.match(ADDRESS);
  if (addresses === null) throw new Error(`${log} has no addresses to ask for`);
  writeFileSync(list, `${[...new Set(addresses)].join('\n')}\n`);
  const copies = Math.ceil(lines / all.length);
  writeFileSync(repeated, '');
  for (let copy = 0; copy < copies; copy++)
    writeFileSync(repeated, `${all.join('\n')}\n`, { encoding: 'latin1', flag: 'a' });
  race({ build: `${BLOOM} build -p 1e-6 ${list} -o ${filter}` }, 1, folder);
  requireAll(log, list, filter);
  for (const threads of ['--threads 1', '']) {
    const ask = (flags: string) => `${BLOOM} query -c ${flags} ${threads} ${filter} ${repeated}`;
    const commands: Commands = { 'lines, -c': ask(''), 'words, -c': ask('--tokens words') };
    const count = copies * all.length;
    printRace(`${log}, ${short(count)} lines, ${threads || 'all cores'}`, race(commands, rounds, folder), count);
  }
}

function requireAll(log: string, list: string, filter: string): void {
  const count = (command: string) => Number(execFileSync('/bin/sh', ['-c', `${command} || test $? = 1`]));
  const expected = count(`grep -cFwf ${list} ${log}`);
  const found = count(`${BLOOM} query -c --tokens words ${filter} ${log}`);
  if (found < expected) throw new Error(`${found} lines of ${log} were found, grep finds ${expected}`);
}
