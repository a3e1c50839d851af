// Filters of a universe beside other exact sets of the same lists: bytes, and CPU time of the build. Every answer about a key of the
// universe must be right.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { failureOf, isCompiled } from '../toolchains.ts';
import { compileDrivers } from './drivers.ts';
import { PEERS_FOLDER } from './peers.ts';
import { BLOOM, race } from './runs.ts';

/** Members, and a universe that contains them. */
interface Lists {
  readonly title: string;
  readonly members: readonly string[];
  readonly universe: readonly string[];
}

interface ListSource {
  readonly name: string;
  /** A shell command that downloads the packages into a folder. */
  readonly fetch: (folder: string) => string;
  readonly read: (folder: string) => readonly Lists[];
}

const DEBIAN_VERSION = '2020.12.07-2';
const DEBIAN_PACKAGES = ['wamerican', 'wamerican-insane'];
const NPM_PACKAGES = [
  'burner-email-providers@1.0.67',
  'disposable-domains@2.0.1',
  'disposable-email-domains@1.0.62',
  'free-email-domains@1.12.6',
  'freemail@1.7.0',
];

const SOURCES: readonly ListSource[] = [
  {
    name: `word lists of Debian ${DEBIAN_VERSION}`,
    fetch: (folder) =>
      `cd ${folder} && apt-get download -q ${DEBIAN_PACKAGES.map((name) => `${name}=${DEBIAN_VERSION}`).join(' ')} && for package in *.deb; do dpkg-deb -x $package .; done`,
    read(folder) {
      const words = (name: string) => linesOf(join(folder, 'usr', 'share', 'dict', name));
      return [
        {
          title: 'words: `wamerican` in `wamerican-insane`',
          members: words('american-english'),
          universe: words('american-english-insane'),
        },
      ];
    },
  },
  {
    name: 'lists of domains of npm',
    // Scripts of the packages would update the lists.
    fetch: (folder) =>
      `npm install --prefix ${folder} --no-save --ignore-scripts --no-audit --no-fund ${NPM_PACKAGES.join(' ')}`,
    read(folder) {
      const file = (name: string) => join(folder, 'node_modules', name);
      const json = (name: string): string[] => JSON.parse(readFileSync(file(name), 'utf8'));
      const burners = linesOf(file('burner-email-providers/emails.txt'));
      const free = [...linesOf(file('freemail/data/free.txt')), ...json('free-email-domains/domains.json')];
      const universe = [
        ...burners,
        ...free,
        ...linesOf(file('freemail/data/disposable.txt')),
        ...json('disposable-domains/index.json'),
        ...json('disposable-email-domains/index.json'),
      ];
      return [
        { title: 'mail domains: `burner-email-providers` in five packages', members: burners, universe },
        { title: 'mail domains: `freemail`, `free-email-domains` in five packages', members: free, universe },
      ];
    },
  },
];

/** An exact set: the commands that make it, and that count the lines it contains. */
interface ExactSet {
  readonly name: string;
  readonly build: (members: string, universe: string, set: string) => string;
  readonly count: (set: string, lines: string) => string;
}

const OURS: ExactSet = {
  name: '`bloom build --kind ribbon --universe`',
  build: (members, universe, set) =>
    `${BLOOM} build --kind ribbon -q ${members} --universe ${universe} --force -o ${set}`,
  count: (set, lines) => `${BLOOM} query -c ${set} ${lines}`,
};

async function othersIn(folder: string): Promise<ExactSet[]> {
  const python = join(folder, 'python', 'bin', 'python');
  const hasPython = await isCompiled('filtercascade', {
    version: 'python3 --version',
    compile: `python3 -m venv ${join(folder, 'python')} && ${python} -m pip install -q filtercascade==0.4.1`,
  });
  const script = `${python} ${join('test', 'bench', 'native', 'exact.py')}`;
  const native = (await compileDrivers(['Rust'])).get('Rust');
  const crates = native === undefined ? [] : ['clubcard', 'rust_cascade'];
  return [
    ...crates.map((name) => ({
      name: `${name} (Rust)`,
      build: (members: string, universe: string, set: string) =>
        `${native} exact build ${name} ${members} ${universe} ${set}`,
      count: (set: string, lines: string) => `${native} exact count ${name} ${set} ${lines}`,
    })),
    ...(hasPython
      ? [
          {
            name: 'filtercascade (Python)',
            build: (members: string, universe: string, set: string) => `${script} build ${members} ${universe} ${set}`,
            count: (set: string, lines: string) => `${script} count ${set} ${lines}`,
          },
        ]
      : []),
  ];
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n');
}

/** Writes each key once, and returns the number of keys. */
function writeKeys(file: string, keys: readonly string[]): number {
  const distinct = new Set(keys.map((key) => key.trim()).filter((key) => key !== ''));
  writeFileSync(file, `${[...distinct].join('\n')}\n`);
  return distinct.size;
}

/** The fewest bytes that distinguish all sets of n among U keys: log2 C(U, n) bits. */
function leastBytes(members: number, universe: number): number {
  let bits = 0;
  for (let i = 1; i <= members; i++) bits += Math.log2((universe - members + i) / i);
  return bits / 8;
}

/** Throws an error if an answer about a key of the universe is wrong. */
function verify({ name, count }: ExactSet, set: string, members: string, universe: string, expected: number): void {
  for (const lines of [members, universe]) {
    const found = Number(execFileSync('/bin/sh', ['-c', count(set, lines)], { encoding: 'utf8' }));
    if (found !== expected) throw new Error(`${name}: ${found} keys are found, not ${expected}`);
  }
}

function printLists({ title, members, universe }: Lists, sets: readonly ExactSet[], folder: string, rounds: number) {
  const files = { members: join(folder, 'members'), universe: join(folder, 'universe') };
  const fileOf = (set: ExactSet) => join(folder, `set-${sets.indexOf(set)}`);
  const few = writeKeys(files.members, members);
  const all = writeKeys(files.universe, universe);
  const least = leastBytes(few, all);
  const timings = race(
    Object.fromEntries(sets.map((set) => [set.name, set.build(files.members, files.universe, fileOf(set))])),
    rounds,
    folder,
  );
  console.log(`\n${title}: ${few} of ${all} keys; log2 C(U, n) is ${Math.ceil(least)} bytes\n`);
  console.log(
    '| | bytes | relative to bloom | relative to log2 C(U, n) | CPU time of the build |\n|---|--:|--:|--:|--:|',
  );
  const own = () => statSync(fileOf(OURS)).size;
  for (const set of sets) {
    verify(set, fileOf(set), files.members, files.universe, few);
    const bytes = statSync(fileOf(set)).size;
    const cpu = timings.get(set.name)?.cpu;
    const ratios = [bytes / own(), bytes / least].map((ratio) => ratio.toFixed(3));
    console.log(
      `| ${set.name} | ${bytes} | ${ratios.join(' | ')} | ${cpu === undefined ? '' : `${cpu.toFixed(2)} s`} |`,
    );
  }
}

/** Prints a table for each pair of lists that can be downloaded. */
export async function printExact(folder: string, rounds: number): Promise<void> {
  const peers = resolve(PEERS_FOLDER);
  mkdirSync(peers, { recursive: true });
  const sets = [OURS, ...(await othersIn(peers))];
  for (const [i, { name, fetch, read }] of SOURCES.entries()) {
    const lists = join(folder, `lists-${i}`);
    mkdirSync(lists);
    const failure = await failureOf(fetch(lists));
    if (failure === undefined) for (const pair of read(lists)) printLists(pair, sets, folder, rounds);
    else console.log(`\n${name}: left out: ${failure}`);
  }
}
