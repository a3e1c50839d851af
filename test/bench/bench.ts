// npm run bench [-- SIZE...] [--kinds] [--hashes] [--stages] [--library] [--native [KIND...]] [--formats [FORMAT...]] [--dedup]
// [--several] [--words LOG] [--parts] [--outofmemory] [--http] [--index] [--exact] [--prefixes] [--spark] [--rounds N]
// sizes such as 1M, 100M; 1M and 10M by default, 500M for --parts, 800M for --http, 20M for --spark, 10k files for --index
//
// Speed and memory of whole processes beside others that do the same work, as ratios within one run: absolute times say more about the
// machine. --kinds compares the kinds of filters, and --hashes the hashes. --stages shows where the time of one thread goes. --library
// compares the library with other packages, and --native the kinds with native programs, at the larger size. --formats compares filters
// of other systems with these systems, and --dedup programs that print each line once. --several compares one filter with twenty,
// --words a query for the words of a log with one for its lines. --parts compares a merge of the parts of a filter with reading them.
// --outofmemory compares filters in a quarter of their memory with filters in all of it. --http queries a filter on a distant server.
// --index compares an index of files with others, and --exact filters of a universe with other exact sets. --prefixes compares look-ups
// of addresses in a list of networks with grepcidr. --spark compares a build in Spark with one on the same machine.

import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { KINDS } from '../../src/filters/registry.ts';
import { parseCount } from '../../src/options/numbers.ts';
import { versionOf } from '../toolchains.ts';
import { printDedup } from './dedup.ts';
import { printExact } from './exact.ts';
import { printFileIndex } from './file-index.ts';
import { COMPARED_FORMATS, printFormats } from './formats.ts';
import { printHashes } from './hashes.ts';
import { printHttp } from './http.ts';
import { printKinds } from './kinds.ts';
import { printLibrary } from './library.ts';
import { LINE_BYTES, writeLines } from './lines.ts';
import { printNative } from './native.ts';
import { printNetworks } from './networks.ts';
import { printOutOfMemory } from './out-of-memory.ts';
import { printParts } from './parts.ts';
import { type Files, PEERS, type Peer } from './peers.ts';
import { BLOOM, type Commands, printRace, race, short } from './runs.ts';
import { printSeveral } from './several.ts';
import { printSpark } from './spark.ts';
import { printStages } from './stages.ts';
import { printWords } from './words.ts';

/** A start takes milliseconds, so its median needs more rounds. */
const START_ROUNDS = 15;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kinds: { type: 'boolean' },
    hashes: { type: 'boolean' },
    stages: { type: 'boolean' },
    library: { type: 'boolean' },
    native: { type: 'boolean' },
    formats: { type: 'boolean' },
    dedup: { type: 'boolean' },
    several: { type: 'boolean' },
    words: { type: 'string' },
    parts: { type: 'boolean' },
    outofmemory: { type: 'boolean' },
    index: { type: 'boolean' },
    exact: { type: 'boolean' },
    prefixes: { type: 'boolean' },
    http: { type: 'boolean' },
    spark: { type: 'boolean' },
    rounds: { type: 'string', default: '5' },
  },
});
const kinds = KINDS.map(({ name }) => name);
const given = positionals.filter((name) => ![...kinds, ...COMPARED_FORMATS].includes(name));
const sizes = (given.length > 0 ? given : usualSizes()).map(parseCount);
const rounds = parseCount(values.rounds);
const folder = mkdtempSync(join(tmpdir(), 'bloomery-bench-'));

function usualSizes(): readonly string[] {
  if (values.parts) return ['500M'];
  if (values.index) return ['10k'];
  if (values.http) return ['800M'];
  return values.spark ? ['20M'] : ['1M', '10M'];
}

/** The named entries, or all. */
function namedOf(names: readonly string[]): readonly string[] {
  const named = names.filter((name) => positionals.includes(name));
  return named.length > 0 ? named : names;
}

function isMember(line: number): boolean {
  return line % 2 === 0;
}

function filesOf(lines: number): Files {
  const files = { folder, members: join(folder, 'members'), mixed: join(folder, 'mixed'), lines };
  writeLines(files.members, lines, () => 'key');
  writeLines(files.mixed, lines, (line) => (isMember(line) ? 'key' : 'not'));
  return files;
}

/** Each work at one size: bloom with one thread, with all threads, and the peers that can handle the size. */
function raceWork(lines: number, peers: readonly Peer[]): void {
  const files = filesOf(lines);
  const filter = join(folder, 'filter');
  const out = join(folder, 'new');
  const threads: Commands = { 'bloom, 1 thread': '--threads 1', 'bloom, all cores': '' };
  const ours = (commandOf: (flag: string) => string): Commands =>
    Object.fromEntries(Object.entries(threads).map(([name, flag]) => [name, commandOf(flag)]));
  const theirs = (work: 'build' | 'count' | 'print' | 'pipe'): Commands =>
    Object.fromEntries(
      peers.flatMap((peer) => (peer[work] === undefined || lines > peer.limit ? [] : [[peer.name, peer[work](files)]])),
    );
  const run = (title: string, commands: Commands) =>
    printRace(`${title}, ${short(lines)} lines`, race(commands, rounds, folder), lines);

  run('build', {
    ...ours((flag) => `${BLOOM} build -n ${lines} ${flag} ${files.members} --force -o ${filter}`),
    ...theirs('build'),
  });
  run(
    'build, sized from the input',
    ours((flag) => `${BLOOM} build ${flag} ${files.members} --force -o ${out}`),
  );
  run('count', { ...ours((flag) => `${BLOOM} query -c ${flag} ${filter} ${files.mixed}`), ...theirs('count') });
  run('print into a pipe', {
    ...ours((flag) => `${BLOOM} query ${flag} ${filter} ${files.mixed} | wc -l`),
    ...theirs('print'),
  });
  run(
    'print to /dev/null',
    ours((flag) => `${BLOOM} query ${flag} ${filter} ${files.mixed} > /dev/null`),
  );
  run(
    'print all as JSON, into a pipe',
    ours((flag) => `${BLOOM} query --json ${flag} ${filter} ${files.mixed} | wc -l`),
  );
  run('from a pipe into a pipe', {
    ...ours((flag) => `cat ${files.mixed} | ${BLOOM} query ${flag} ${filter} | wc -l`),
    ...theirs('pipe'),
  });
  run('merge', {
    'cat a b > c': `cat ${filter} ${filter} > ${out}`,
    'bloom merge a b -o c': `${BLOOM} merge ${filter} ${filter} --force -o ${out}`,
  });
}

/** Short commands beside a Node that does nothing: one key in a small filter, and in two filters of 1.2 GB. */
function raceStart(): void {
  const [small, large, paged] = ['small', 'large', 'paged'].map((name) => join(folder, name));
  const [one, keys] = [join(folder, 'one'), join(folder, 'keys')];
  writeLines(one, 1, () => 'key');
  writeLines(keys, 1000, (i) => `${i}`);
  race(
    {
      small: `${BLOOM} build -n 1k ${one} -o ${small}`,
      large: `${BLOOM} build -n 1G ${one} -o ${large}`,
      paged: `${BLOOM} build -n 1G --segment-size 16KiB ${one} -o ${paged}`,
    },
    1,
    folder,
  );
  const commands = {
    'node -e 0': `${process.execPath} -e 0`,
    'bloom --version': `${BLOOM} --version`,
    'bloom --help': `${BLOOM} --help`,
    'bloom size': `${BLOOM} size`,
    'bloom query -e KEY, 1 kB filter': `${BLOOM} query ${small} -e KEY`,
    'bloom query -e KEY, 1.2 GB filter': `${BLOOM} query ${large} -e KEY`,
    '1000 keys, 1.2 GB filter': `${BLOOM} query -c ${large} ${keys}`,
    '1000 keys, segments of 16 KiB': `${BLOOM} query -c ${paged} ${keys}`,
  };
  printRace('start', race(commands, START_ROUNDS, folder));
}

try {
  console.log(
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} x ${cpus()[0]?.model}, node ${process.version}`,
  );
  console.log(
    `lines of ${LINE_BYTES} bytes, p = 1 %, medians of ${rounds} alternating rounds; the second column is the ratio`,
  );
  if (values.stages) await printStages(folder, sizes[0] ?? 0, rounds);
  else if (values.library) printLibrary(filesOf(sizes[0] ?? 0), rounds);
  else if (values.hashes) await printHashes(folder, sizes[0] ?? 0, rounds);
  else if (values.kinds) await printKinds(folder, sizes[0] ?? 0, rounds);
  else if (values.dedup) await printDedup(folder, sizes.at(-1) ?? 0, rounds);
  else if (values.several) printSeveral(folder, sizes.at(-1) ?? 0, rounds);
  else if (values.prefixes) for (const lines of sizes) printNetworks(folder, lines, rounds);
  else if (values.words !== undefined) printWords(folder, sizes[0] ?? 0, rounds, values.words);
  else if (values.parts) printParts(folder, sizes[0] ?? 0, rounds);
  else if (values.outofmemory) printOutOfMemory(folder, sizes.at(-1) ?? 0, rounds);
  else if (values.exact) await printExact(folder, rounds);
  else if (values.index) printFileIndex(folder, sizes[0] ?? 0, rounds);
  else if (values.http) await printHttp(folder, sizes[0] ?? 0, rounds);
  else if (values.spark) await printSpark(folder, sizes[0] ?? 0, rounds);
  else if (values.formats) await printFormats(folder, sizes.at(-1) ?? 0, rounds, namedOf(COMPARED_FORMATS));
  else if (values.native) await printNative(folder, sizes.at(-1) ?? 0, rounds, namedOf(kinds));
  else {
    const peers = PEERS.filter((peer) => {
      const version = versionOf(peer);
      console.log(
        `${peer.name}: ${version ?? 'not installed, left out'}${version === undefined ? '' : `, up to ${short(peer.limit)} lines`}`,
      );
      return version !== undefined;
    });
    raceStart();
    for (const lines of sizes) raceWork(lines, peers);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
