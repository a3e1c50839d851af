// `bloom dedup` against what else prints lines the first time they are seen: whole processes on lines of which each comes twice.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { versionOf } from '../toolchains.ts';
import { compileDrivers } from './drivers.ts';
import { writeLines } from './lines.ts';
import { BLOOM, type Commands, printRace, race, short } from './runs.ts';

/** Programs that are installed by `apt install gawk` and `cargo install huniq runiq`. */
const OTHERS = [
  { name: "gawk '!seen[$0]++'", version: 'gawk --version', command: (lines: string) => `gawk '!seen[$0]++' ${lines}` },
  { name: 'huniq', version: 'huniq --version', command: (lines: string) => `huniq < ${lines}` },
  { name: 'runiq', version: 'runiq --version', command: (lines: string) => `runiq ${lines}` },
] as const;

/** Writes so many lines, half of them distinct, each of which comes once more anywhere. */
function writeTwice(file: string, lines: number): void {
  writeLines(`${file}.once`, lines / 2, () => 'key');
  const { status } = spawnSync('/bin/sh', [
    '-c',
    `cat ${file}.once ${file}.once | shuf --random-source=${file}.once > ${file}`,
  ]);
  if (status !== 0) throw new Error('there is no shuf');
}

/** Prints a race. What others print need not be the same: filters, but none that is exact, may lose a line. */
export async function printDedup(folder: string, lines: number, rounds: number): Promise<void> {
  const file = join(folder, 'twice');
  writeTwice(file, lines);
  const native = (await compileDrivers(['Rust'])).get('Rust');
  const there = OTHERS.filter((other) => {
    const version = versionOf(other);
    console.log(`${other.name}: ${version ?? 'not installed, left out'}`);
    return version !== undefined;
  });
  const commands: Commands = {
    'bloom dedup -n': `${BLOOM} dedup -n ${lines / 2} ${file}`,
    'bloom dedup, growing': `${BLOOM} dedup ${file}`,
    ...(native !== undefined && { 'fastbloom (Rust)': `${native} dedup ${lines / 2} ${file}` }),
    ...Object.fromEntries(there.map(({ name, command }) => [name, command(file)])),
  };
  printRace(`dedup, ${short(lines)} lines, half of them distinct, at 0.0001 %`, race(commands, rounds, folder), lines);
}
