// The library against packages of the registry: how long a program takes to look a key up.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGES } from './peers.ts';
import { median } from './runs.ts';

interface Contestant {
  readonly name: string;
  readonly folder: string;
  readonly work: 'has' | 'hasMany';
  /** Most keys that it is asked about: beyond, it takes minutes. */
  readonly limit: number;
}

const DRIVER = join('test', 'bench', 'npm-asked.mjs');

const CONTESTANTS: readonly Contestant[] = [
  { name: 'bloomery, has', folder: '.', work: 'has', limit: 1e7 },
  { name: 'bloomery, hasMany', folder: '.', work: 'hasMany', limit: 1e7 },
  { name: 'bloomfilter (npm)', folder: join(PACKAGES, 'bloomfilter'), work: 'has', limit: 1e7 },
  { name: 'bloom-filters (npm)', folder: join(PACKAGES, 'bloom-filters'), work: 'has', limit: 1e4 },
];

/** Prints a row for each contestant that is installed: nanoseconds a key, as a median, and in those of the first. */
export function printLibrary(
  files: { readonly members: string; readonly mixed: string; readonly lines: number },
  rounds: number,
): void {
  const contestants = CONTESTANTS.filter(({ folder }) => existsSync(folder));
  const times = contestants.map((): number[] => []);
  for (let round = 0; round < rounds; round++)
    for (const [i, { folder, work, limit }] of contestants.entries()) {
      const args = [DRIVER, folder, work, files.members, files.mixed, files.lines, limit].map(String);
      times[i]?.push(Number(execFileSync(process.execPath, args, { encoding: 'utf8' })));
    }
  console.log('\nlook up a key in a program');
  const medians = times.map(median);
  for (const [i, { name }] of contestants.entries()) {
    const ratio = (medians[i] ?? Number.NaN) / (medians[0] ?? Number.NaN);
    console.log(
      `  ${name.padEnd(32)}${(medians[i] ?? Number.NaN).toFixed(0).padStart(7)} ns${ratio.toFixed(2).padStart(8)}`,
    );
  }
}
