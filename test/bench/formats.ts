// Filters of other systems, queried by bloom and by the systems themselves: whole processes, on lines of which half are members. The
// result is a table for a document. The sources in native/ name the programs that query the libraries.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { versionOf } from '../toolchains.ts';
import { compileDrivers, type Language } from './drivers.ts';
import { writeLines } from './lines.ts';
import { DCSO_COMMAND } from './peers.ts';
import { BLOOM, race, short } from './runs.ts';

/** Queries a filter in a file for the lines of another: a shell command that prints the number of lines found. */
type Count = (filter: string, lines: string) => string;

interface Opponent {
  readonly name: string;
  /** Undefined if the system is not installed. */
  count(programs: ReadonlyMap<Language, string>): Count | undefined;
}

const library = (name: string, language: Language, format: string): Opponent => ({
  name,
  count(programs) {
    const program = programs.get(language);
    return program === undefined ? undefined : (filter, lines) => `${program} ${format} ${filter} ${lines}`;
  },
});

const COMMAND: Opponent = {
  name: 'its command (Go)',
  count() {
    const isThere = versionOf(DCSO_COMMAND) !== undefined;
    if (!isThere) console.log(`${DCSO_COMMAND.name}: not installed, left out`);
    return isThere ? (filter, lines) => `${DCSO_COMMAND.program} check ${filter} < ${lines} | wc -l` : undefined;
  },
};

const CONTESTS: readonly { readonly format: string; readonly opponents: readonly Opponent[] }[] = [
  { format: 'dcso', opponents: [COMMAND, library('its library (Go)', 'Go', 'dcso')] },
  { format: 'guava', opponents: [library('its library (Java)', 'Java', 'guava')] },
  { format: 'spark', opponents: [library('its library (Java)', 'Java', 'spark')] },
  { format: 'bits-and-blooms', opponents: [library('its library (Go)', 'Go', 'bits-and-blooms')] },
];

export const COMPARED_FORMATS = CONTESTS.map(({ format }) => format);

const OURS = 'one thread';
const ALL = 'all cores';

interface Setting {
  readonly folder: string;
  readonly rounds: number;
  readonly members: string;
  readonly mixed: string;
  readonly programs: ReadonlyMap<Language, string>;
}

function run(command: string): string {
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
  return stdout.trim();
}

/** Prints a row for every installed opponent. Each must find as many lines as bloom does. */
function printContest({ format, opponents }: (typeof CONTESTS)[number], capacity: number, setting: Setting): void {
  const { folder, rounds, members, mixed, programs } = setting;
  const filter = join(folder, format);
  run(`${BLOOM} build --format ${format} -n ${capacity} -p 1% ${members} --force -o ${filter}`);
  const ours: Count = (file, lines) => `${BLOOM} query -c --threads 1 ${file} ${lines}`;
  const counts = new Map<string, Count>([
    [OURS, ours],
    [ALL, (file, lines) => `${BLOOM} query -c ${file} ${lines}`],
  ]);
  for (const { name, count } of opponents) {
    const command = count(programs);
    if (command !== undefined) counts.set(name, command);
  }
  const commands = Object.fromEntries([...counts].map(([name, count]) => [name, count(filter, mixed)]));
  const found = new Set(Object.values(commands).map(run));
  if (found.size > 1) throw new Error(`${format}: not all find the same lines`);
  const timings = race(commands, rounds, folder);
  const secondsOf = (name: string) => timings.get(name)?.seconds ?? Number.NaN;
  const [alone, together] = [secondsOf(OURS), secondsOf(ALL)];
  const cells = (other: string) => [
    `${alone.toFixed(2)} / ${secondsOf(other).toFixed(2)}`,
    (alone / secondsOf(other)).toFixed(2),
    (together / alone).toFixed(2),
  ];
  for (const name of counts.keys())
    if (name !== OURS && name !== ALL) console.log(`| ${format} | ${name} | ${cells(name).join(' | ')} |`);
}

/** Prints a table for filters sized for the lines, and one for filters ten times as large. */
export async function printFormats(
  folder: string,
  lines: number,
  rounds: number,
  formats: readonly string[],
): Promise<void> {
  const [members, mixed] = [join(folder, 'members'), join(folder, 'mixed')];
  const setting = { folder, rounds, members, mixed, programs: await compileDrivers(['Go', 'Java']) };
  writeLines(members, lines, () => 'key');
  writeLines(mixed, lines, (line) => (line % 2 === 0 ? 'key' : 'not'));
  for (const capacity of [lines, 10 * lines]) {
    console.log(
      `\n${short(lines)} lines, half of them among ${short(lines)} keys, room for ${short(capacity)}; seconds are ours / theirs\n`,
    );
    console.log('| format | against | one thread | ratio | our cores to one thread |');
    console.log('|---|---|--:|--:|--:|');
    for (const contest of CONTESTS) if (formats.includes(contest.format)) printContest(contest, capacity, setting);
  }
  if (formats.includes('dcso')) printPoint(folder, members, rounds);
}

/** A query for one key, in a small filter and in a filter of a gigabyte. */
function printPoint(folder: string, members: string, rounds: number): void {
  const one = join(folder, 'one');
  run(`head -n 1 ${members} > ${one}`);
  const fileOf = (items: string) => {
    const filter = join(folder, `dcso-${items}`);
    run(`${BLOOM} build --format dcso -n ${items} -p 1% ${one} --force -o ${filter}`);
    return filter;
  };
  const sizes = { 'a small filter': fileOf('1k'), 'one of 1 GB': fileOf('830M') };
  const commands = Object.fromEntries(
    Object.entries(sizes).map(([name, filter]) => [name, `${BLOOM} query ${filter} -e KEY`]),
  );
  const timings = race(commands, rounds * POINT_ROUNDS, folder);
  const [small, large] = Object.keys(sizes).map((name) => timings.get(name)?.seconds ?? Number.NaN);
  if (small === undefined || large === undefined) return;
  const ratio = (large / small).toFixed(2);
  console.log(`\none key of dcso: ${small.toFixed(3)} s in a small filter, ${ratio} times as long in one of 1 GB`);
}

/** A query takes milliseconds, so its median needs more rounds. */
const POINT_ROUNDS = 3;
