// The library beside packages of the registry: the time in which a program looks up a key.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGES } from './peers.ts';
import { median } from './runs.ts';

/** The forms of keys in programs: separate texts, slices of a long text, longer texts, and bytes. */
const KEYS = ['text', 'slice', 'url', 'bytes'] as const;

interface Contestant {
  readonly name: string;
  readonly folder: string;
  readonly work: 'has' | 'hasMany';
  readonly keys: readonly (typeof KEYS)[number][];
  /** The most keys to look up: with more the package takes minutes. */
  readonly limit: number;
}

const DRIVER = join('test', 'bench', 'npm-asked.mjs');
const TEXTS = KEYS.filter((keys) => keys !== 'bytes');

const CONTESTANTS: readonly Contestant[] = [
  { name: 'bloomery, has', folder: '.', work: 'has', keys: KEYS, limit: 1e7 },
  { name: 'bloomery, hasMany', folder: '.', work: 'hasMany', keys: KEYS, limit: 1e7 },
  { name: 'bloomfilter (npm)', folder: join(PACKAGES, 'bloomfilter'), work: 'has', keys: TEXTS, limit: 1e7 },
  { name: 'bloom-filters (npm)', folder: join(PACKAGES, 'bloom-filters'), work: 'has', keys: ['text'], limit: 1e4 },
];

/** Prints a row for each installed contestant and each form of keys: median nanoseconds per key, and multiples of the first. */
export function printLibrary(
  files: { readonly members: string; readonly mixed: string; readonly lines: number },
  rounds: number,
): void {
  const contestants = CONTESTANTS.filter(({ folder }) => existsSync(folder));
  for (const keys of KEYS) {
    const asked = contestants.filter((contestant) => contestant.keys.includes(keys));
    const times = asked.map((): number[] => []);
    for (let round = 0; round < rounds; round++)
      for (const [i, { folder, work, limit }] of asked.entries()) {
        const args = [DRIVER, folder, work, keys, files.members, files.mixed, files.lines, limit].map(String);
        times[i]?.push(Number(execFileSync(process.execPath, args, { encoding: 'utf8' })));
      }
    console.log(`\nlook up a key in a program: ${keys}`);
    const [first = Number.NaN, ...others] = times.map(median);
    for (const [i, time] of [first, ...others].entries())
      console.log(
        `  ${asked[i]?.name.padEnd(32)}${time.toFixed(0).padStart(7)} ns${(time / first).toFixed(2).padStart(8)}`,
      );
  }
}
