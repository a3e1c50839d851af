// Addresses, and log lines with one address each, looked up in a list of networks, beside grepcidr.

import { spawnSync } from 'node:child_process';
import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { below, createRandom, type Random } from '../reference/random.ts';
import { BLOOM, type Commands, race, short } from './runs.ts';

const BLOCKS = 100_000;

/** The percentage of blocks with each prefix length, about as in public block lists. */
const SHARES: readonly (readonly [length: number, share: number])[] = [
  [32, 63],
  [24, 16],
  [22, 4],
  [23, 3],
  [16, 2],
  [20, 2],
  [21, 2],
  [19, 1],
  [18, 1],
  [17, 1],
  ...[25, 26, 27, 28, 29, 30, 31].map((length) => [length, 0.7] as const),
  ...[8, 10, 12, 13, 14, 15].map((length) => [length, 0.015] as const),
];
const LENGTHS = SHARES.flatMap(([length, share]) => Array<number>(Math.round(1000 * share)).fill(length));

/** The number of 16-bit blocks that contain four of five networks of the list. */
const BUSY = 12_000;

const AT_ONCE = 100_000;

function text(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');
}

function blocks(random: Random): string {
  const busy = Array.from({ length: BUSY }, () => random() & 0xffff0000);
  return Array.from({ length: BLOCKS }, () => {
    const start = below(random, 5) < 4 ? (busy[below(random, BUSY)] ?? 0) | (random() & 0xffff) : random();
    const length = LENGTHS[below(random, LENGTHS.length)] ?? 32;
    return `${text(start & (-1 << (32 - length)))}/${length}\n`;
  }).join('');
}

/** Writes lines with one random address each. */
function writeAddresses(file: string, lines: number, random: Random, lineOf: (address: string) => string): void {
  writeFileSync(file, '');
  for (let left = lines; left > 0; left -= AT_ONCE)
    appendFileSync(file, Array.from({ length: Math.min(left, AT_ONCE) }, () => lineOf(text(random()))).join(''));
}

/** Prints the CPU times of both programs. Throws an error if bloom does not select all lines that grepcidr selects. */
export function printNetworks(folder: string, lines: number, rounds: number): void {
  const [list, filter, addresses, log] = ['blocks', 'filter', 'addresses', 'log'].map((name) => join(folder, name));
  const random = createRandom(1);
  writeFileSync(`${list}`, blocks(random));
  writeAddresses(`${addresses}`, lines, random, (address) => `${address}\n`);
  const line = (address: string) => `Nov 25 06:55:46 host sshd[77]: Failed password for root from ${address} port 22\n`;
  writeAddresses(`${log}`, lines, random, line);
  const bitsPerBlock = (flags: string) => {
    race({ build: `${BLOOM} build --prefixes ${flags} -p 1e-6 ${list} -o ${filter} --force` }, 1, folder);
    return ((8 * statSync(`${filter}`).size) / BLOCKS).toFixed(1);
  };
  const sizes = `${bitsPerBlock(`-n ${BLOCKS}`)} bits per network without markers, ${bitsPerBlock('')} with them`;
  const query = `${BLOOM} query --threads 1 ${filter}`;
  console.log(
    `\n${short(lines)} lines, ${short(BLOCKS)} networks, ${rounds} rounds: CPU time of one thread; ${sizes}\n`,
  );
  console.log('| | grepcidr | bloom | times as fast |\n|---|--:|--:|--:|');
  for (const [name, file, flags] of [
    ['addresses', addresses, ''],
    ['log lines', log, '--tokens words'],
  ]) {
    for (const count of ['-c', '']) {
      const commands: Commands = {
        grepcidr: `grepcidr ${count} -f ${list} ${file}`,
        bloom: `${query} ${count} ${flags} ${file}`,
      };
      if (count === '') requireAll(commands, folder);
      const timings = race(commands, rounds, folder);
      const [theirs = Number.NaN, ours = Number.NaN] = ['grepcidr', 'bloom'].map((tool) => timings.get(tool)?.cpu);
      const figures = `${theirs.toFixed(2)} s | ${ours.toFixed(2)} s | ${(theirs / ours).toFixed(2)}`;
      console.log(`| ${name}, ${count === '' ? 'printed' : 'counted'} | ${figures} |`);
    }
  }
}

function requireAll(commands: Commands, folder: string): void {
  const found = (tool: string) => join(folder, `found-by-${tool}`);
  for (const [tool, command] of Object.entries(commands)) spawnSync('/bin/sh', ['-c', `${command} > ${found(tool)}`]);
  const missing = `sort ${found('bloom')} | comm -13 - ${found('sorted')} | wc -l`;
  const { stdout } = spawnSync('/bin/sh', ['-c', `sort ${found('grepcidr')} > ${found('sorted')}; ${missing}`]);
  if (Number(stdout) > 0) throw new Error(`bloom does not select ${stdout} lines that grepcidr selects`);
}
