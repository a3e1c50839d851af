// Whole processes beside each other. Each has its turn in every round, so that other work of the machine affects all alike. Only ratios
// within one run mean something.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The bloom command, for the shell. */
export const BLOOM = `${process.execPath} ${resolve('bin/bloom.js')}`;

/** Shell command lines by name. */
export type Commands = Readonly<Record<string, string>>;

export interface Timing {
  /** Median wall time. */
  readonly seconds: number;
  /** CPU time, and peak memory of the largest process in MB; undefined if GNU time is missing. */
  readonly cpu: number | undefined;
  readonly peak: number | undefined;
}

const GNU_TIME = '/usr/bin/time';

/** A number of lines in short form. */
export function short(lines: number): string {
  return lines >= 1e6 ? `${lines / 1e6}M` : `${lines / 1e3}k`;
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Runs every command once per round and returns the medians. Status 1 of grep (nothing found) is a success. */
export function race(commands: Commands, rounds: number, folder: string): ReadonlyMap<string, Timing> {
  const runs = new Map(
    Object.keys(commands).map((name) => [
      name,
      { seconds: [] as number[], cpus: [] as number[], peaks: [] as number[] },
    ]),
  );
  const costs = join(folder, 'costs');
  const timed = existsSync(GNU_TIME) ? [GNU_TIME, '-o', costs, '-f', '%U %S %M'] : [];
  for (let round = 0; round < rounds; round++) {
    for (const [name, command] of Object.entries(commands)) {
      const [program = '', ...args] = [...timed, '/bin/sh', '-c', command];
      const start = performance.now();
      const { status, stderr } = spawnSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
      const seconds = (performance.now() - start) / 1000;
      if (status !== 0 && status !== 1) throw new Error(`${command}: ${stderr}`);
      runs.get(name)?.seconds.push(seconds);
      if (timed.length > 0) {
        // GNU time reports a status other than 0 on a line of its own before the figures.
        const figures = readFileSync(costs, 'utf8').trim().split('\n').at(-1)?.split(' ').map(Number);
        const [user = 0, system = 0, peak = 0] = figures ?? [];
        runs.get(name)?.cpus.push(user + system);
        runs.get(name)?.peaks.push(peak / 1024);
      }
    }
  }
  return new Map(
    [...runs].map(([name, { seconds, cpus, peaks }]) => {
      const of = (values: readonly number[]) => (values.length > 0 ? median(values) : undefined);
      return [name, { seconds: median(seconds), cpu: of(cpus), peak: of(peaks) }];
    }),
  );
}

/** Prints one race: time, ratio to the first command, CPU time, speed and peak memory. */
export function printRace(title: string, timings: ReadonlyMap<string, Timing>, lines?: number): void {
  const [first] = timings.values();
  console.log(`\n${title}`);
  for (const [name, { seconds, cpu, peak }] of timings) {
    const cells = [
      `  ${name}`.padEnd(34),
      `${seconds.toFixed(3)} s`.padStart(10),
      (seconds / (first?.seconds ?? Number.NaN)).toFixed(2).padStart(8),
      (cpu === undefined ? '' : `${cpu.toFixed(2)} s CPU`).padStart(14),
      (lines === undefined ? '' : `${(lines / seconds / 1e6).toFixed(1)} M/s`).padStart(11),
      (peak === undefined ? '' : `${peak.toFixed(0)} MB`).padStart(9),
    ];
    console.log(cells.join('').trimEnd());
  }
}
