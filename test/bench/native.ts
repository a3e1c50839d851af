// The kinds of filters beside native programs of the same kind: whole processes of one thread each, as tables for a document. The
// sources in native/ describe the programs and the libraries that they follow.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { compileDrivers, type Language } from './drivers.ts';
import { writeLines } from './lines.ts';
import { BLOOM, race, short, type Timing } from './runs.ts';

interface Opponent {
  /** The name in the table. */
  readonly name: string;
  readonly language: Language;
  /** The name in the driver. */
  readonly filter: string;
}

interface Contest {
  readonly kind: string;
  /** The number of keys for which both begin, for filters that grow. */
  readonly first?: number;
  /** The number of keys to size bloom's filter for, so that it is as full as the opponent's filter of a capacity. */
  readonly itemsFor?: (capacity: number) => number;
  readonly opponents: readonly Opponent[];
}

const written = (name: string, filter: string): Opponent => ({ name, language: 'C++', filter });
const crate = (name: string): Opponent => ({ name, language: 'Rust', filter: name });

/** Filters whose capacity can exceed their number of keys. */
const OF_ANY_SIZE: readonly Contest[] = [
  { kind: 'bloom', opponents: [written('C++, prefetching', 'bloom'), crate('fastbloom')] },
  { kind: 'blocked', opponents: [written('C++, AVX2', 'split-block'), crate('sbbf-rs')] },
  { kind: 'counting', opponents: [written('C++, as FastFilter', 'counting')] },
  { kind: 'cuckoo', opponents: [written('C++, as FastFilter', 'cuckoo')] },
  {
    kind: 'quotient',
    // The opponent's slots are a power of two, and 95 % of them are filled. bloom fills 90 % of as many slots.
    itemsFor: (capacity) => Math.floor(0.9 * 2 ** Math.ceil(Math.log2(capacity / 0.95))),
    opponents: [crate('qfilter')],
  },
  {
    kind: 'ribbon',
    opponents: [
      written('C++, homogeneous, 128 wide', 'homogeneous-ribbon'),
      written('C++, balanced, 32 wide', 'balanced-ribbon'),
    ],
  },
];

/** Filters whose size follows from their keys. */
const OF_THEIR_KEYS: readonly Contest[] = [
  { kind: 'fuse', opponents: [crate('xorf')] },
  ...[1e3, 1e5, 1e6].map(
    (first): Contest => ({ kind: 'scalable', first, opponents: [crate('growable-bloom-filter')] }),
  ),
];

interface Setting {
  readonly folder: string;
  readonly rounds: number;
  readonly lines: number;
  /** Files of lines: the keys of every filter, and as many non-members. */
  readonly members: string;
  readonly nonMembers: string;
  readonly programs: ReadonlyMap<Language, string>;
}

/** Shell commands. */
interface Contestant {
  readonly name: string;
  readonly build: string;
  readonly count: (file: string) => string;
}

function contestants({ kind, first, itemsFor, opponents }: Contest, capacity: number, setting: Setting): Contestant[] {
  const { folder, members, programs } = setting;
  const file = join(folder, 'filter');
  const items = first ?? itemsFor?.(capacity) ?? capacity;
  const build = `${BLOOM} build -n ${items} -p 1% --kind ${kind} --threads 1 ${members} --force -o ${file}`;
  const natives = opponents.flatMap(({ name, language, filter }): Contestant[] => {
    const program = programs.get(language);
    const command = (work: string, lines: string) =>
      `${program} ${work} ${filter} ${first ?? capacity} ${join(folder, filter)} ${lines}`;
    return program === undefined
      ? []
      : [{ name, build: command('build', members), count: (lines) => command('count', lines) }];
  });
  return [{ name: 'ours', build, count: (lines) => `${BLOOM} query -c --threads 1 ${file} ${lines}` }, ...natives];
}

/** The share of non-members that are found, in percent. All members must be found. */
function falsePositives({ name, count }: Contestant, { members, nonMembers, lines }: Setting): string {
  const found = (file: string) => Number(spawnSync('/bin/sh', ['-c', count(file)], { encoding: 'utf8' }).stdout);
  if (found(members) !== lines) throw new Error(`${name}: a member is missing`);
  return ((100 * found(nonMembers)) / lines).toFixed(2);
}

/** Prints a row for every opponent with an installed program. */
function printContest(contest: Contest, capacity: number, setting: Setting): void {
  const all = contestants(contest, capacity, setting);
  if (all.length === 1) return;
  const raced = (commandOf: (contestant: Contestant) => string) =>
    race(Object.fromEntries(all.map((one) => [one.name, commandOf(one)])), setting.rounds, setting.folder);
  const races = [
    raced(({ build }) => build),
    raced(({ count }) => count(setting.nonMembers)),
    raced(({ count }) => count(setting.members)),
  ];
  const [own = '', ...rates] = all.map((one) => falsePositives(one, setting));
  const of = (timings: ReadonlyMap<string, Timing>, name: string) => timings.get(name)?.seconds ?? Number.NaN;
  for (const [i, { name }] of all.slice(1).entries()) {
    const cells = races.map((timings) => {
      const [mine, theirs] = [of(timings, 'ours'), of(timings, name)];
      return `${mine.toFixed(2)} / ${theirs.toFixed(2)} | ${(mine / theirs).toFixed(2)}`;
    });
    const start = contest.first === undefined ? '' : ` from ${short(contest.first)}`;
    console.log(`| ${contest.kind}${start} | ${name} | ${cells.join(' | ')} | ${own} / ${rates[i]} % |`);
  }
}

/** Prints a table for filters sized for the lines, and one for filters ten times as large. */
export async function printNative(
  folder: string,
  lines: number,
  rounds: number,
  kinds: readonly string[],
): Promise<void> {
  const [members, nonMembers] = [join(folder, 'members'), join(folder, 'non-members')];
  const setting = { folder, rounds, lines, members, nonMembers, programs: await compileDrivers(['C++', 'Rust']) };
  writeLines(members, lines, () => 'key');
  writeLines(nonMembers, lines, () => 'not');
  for (const [capacity, all] of [
    [lines, [...OF_ANY_SIZE, ...OF_THEIR_KEYS]],
    [10 * lines, OF_ANY_SIZE],
  ] as const) {
    const contests = all.filter(({ kind }) => kinds.includes(kind));
    if (contests.length === 0) continue;
    console.log(`\n${short(lines)} keys, room for ${short(capacity)}; seconds and rates are ours / theirs\n`);
    console.log('| kind | native | build | ratio | count, absent | ratio | count, present | ratio | rates |');
    console.log('|---|---|--:|--:|--:|--:|--:|--:|--:|');
    for (const contest of contests) printContest(contest, capacity, setting);
  }
  const alone = kinds.filter((kind) => ![...OF_ANY_SIZE, ...OF_THEIR_KEYS].some((contest) => contest.kind === kind));
  if (alone.length > 0) console.log(`\nwithout an opponent: ${alone.join(', ')}`);
}
