// `bloom dedup` beside other programs that print each line once: whole processes, on lines that each occur twice.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { versionOf } from '../toolchains.ts';
import { compileDrivers } from './drivers.ts';
import { numbersIn, writeLines } from './lines.ts';
import { BLOOM, type Commands, printRace, race, short } from './runs.ts';

/** Programs from `apt install gawk` and `cargo install huniq runiq`. */
const OTHERS = [
  { name: "gawk '!seen[$0]++'", version: 'gawk --version', command: (lines: string) => `gawk '!seen[$0]++' ${lines}` },
  { name: 'huniq', version: 'huniq --version', command: (lines: string) => `huniq < ${lines}` },
  { name: 'runiq', version: 'runiq --version', command: (lines: string) => `runiq ${lines}` },
] as const;

/** Beyond this many lines some of these programs need all memory. */
const MOST_FOR_OTHERS = 1e7;

/** A prime, so that its multiples modulo the number of lines come in no order. */
const STRIDE = 99_999_989;

/** Prints a race, and the number of lines that the lossy programs lost. */
export async function printDedup(folder: string, lines: number, rounds: number): Promise<void> {
  const file = join(folder, 'twice');
  const numberOf = (line: number) => Math.floor(((line * STRIDE) % lines) / 2);
  writeLines(file, lines, () => 'key', numberOf);
  const native = (await compileDrivers(['Rust'])).get('Rust');
  const others = lines > MOST_FOR_OTHERS ? [] : OTHERS;
  const there = others.filter((other) => {
    const version = versionOf(other);
    console.log(`${other.name}: ${version ?? 'not installed, left out'}`);
    return version !== undefined;
  });
  const filters: Commands = {
    'bloom dedup -n': `${BLOOM} dedup -n ${lines / 2} ${file}`,
    'bloom dedup -n, 2 threads': `${BLOOM} dedup -n ${lines / 2} --threads 2 ${file}`,
    'bloom dedup, growing': `${BLOOM} dedup ${file}`,
    ...(native !== undefined && { 'fastbloom (Rust)': `${native} dedup ${lines / 2} ${file}` }),
  };
  const all = { ...filters, ...Object.fromEntries(there.map(({ name, command }) => [name, command(file)])) };
  printRace(`dedup, ${short(lines)} lines, half of them distinct, at 0.0001 %`, race(all, rounds, folder), lines);
  for (const [name, command] of Object.entries(filters)) {
    const printed = join(folder, 'printed');
    spawnSync('/bin/sh', ['-c', `${command} > ${printed}`]);
    const { lost, wrong } = compare(file, printed, lines / 2);
    console.log(`  ${name}: ${lost} of ${lines / 2} first sightings lost, ${wrong} lines printed that are none`);
  }
}

/** Counts lines that are missing among the first lines with a number, and printed lines that are not among them or out of order. */
function compare(file: string, printed: string, distinct: number): { lost: number; wrong: number } {
  const isSeen = new Uint8Array(distinct);
  const found = numbersIn(printed);
  let next = found.next();
  let [lost, wrong] = [0, 0];
  for (const number of numbersIn(file)) {
    const isPrinted = !next.done && next.value === number;
    if (isPrinted) next = found.next();
    if (isSeen[number] === 1) wrong += Number(isPrinted);
    else lost += Number(!isPrinted);
    isSeen[number] = 1;
  }
  for (; !next.done; next = found.next()) wrong++;
  return { lost, wrong };
}
