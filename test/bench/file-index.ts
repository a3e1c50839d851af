// An index of many files beside programs that read the files, and beside other indexes.

import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { below, createRandom } from '../reference/random.ts';
import { versionOf } from '../toolchains.ts';
import { BLOOM, type Commands, printRace, race } from './runs.ts';

const TOKENS = 1000;
const VOCABULARY = 2 ** 20;
const PREFIX = 'token';

/** Another index of the same files. */
interface OtherIndex {
  readonly name: string;
  readonly version: string;
  /** The command that makes the index, and the command that prints the files with a token. */
  readonly make: string;
  readonly find: (token: string) => string;
  /** A command that prints the bytes of the index. */
  readonly bytes: string;
}

/** FTS5 without a copy of the texts: the smallest full-text index of SQLite. */
const FTS5 = `import gzip, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
if len(sys.argv) > 2:
    for (row,) in db.execute("select name from names join words on names.id = words.rowid where words match ?", ['"' + sys.argv[2] + '"']):
        print(row)
else:
    db.execute("create virtual table words using fts5(text, content='', columnsize=0, detail=none)")
    db.execute("create table names(id integer primary key, name text)")
    for i, name in enumerate(sys.stdin.read().split()):
        db.execute("insert into words(rowid, text) values (?, ?)", (i, gzip.open(name, "rt").read()))
        db.execute("insert into names values (?, ?)", (i, name))
    db.execute("insert into words(words) values ('optimize')")
    db.commit()
    db.execute("vacuum")
`;

/** It reads texts of bases, so each token is one sequence of as many bases as it looks up together. The files are not compressed. */
const COBS = 'COBS, tokens as bases';
const BASES = 31;

/** The number of a token in base 4. */
function basesOf(token: string): string {
  const number = Number(token.slice(PREFIX.length));
  return Array.from({ length: BASES }, (_, i) => 'ACGT'[Math.floor(number / 4 ** i) % 4]).join('');
}

function othersIn(folder: string): readonly OtherIndex[] {
  const [script, base, cobs] = [join(folder, 'fts5.py'), join(folder, 'fts5.db'), join(folder, 'files.cobs_compact')];
  writeFileSync(script, FTS5);
  return [
    {
      name: 'SQLite FTS5, contentless',
      version: "python3 -c 'import sqlite3; print(sqlite3.sqlite_version)'",
      make: `rm -f ${base}; ls ${folder}/files/* | python3 ${script} ${base}`,
      find: (token) => `python3 ${script} ${base} ${token}`,
      bytes: `stat -c %s ${base}`,
    },
    {
      name: COBS,
      version: 'cobs 2>&1 | grep Index',
      make: `rm -rf ${cobs}* ${folder}/fasta/*.cobs_cache; cobs compact-construct --false-positive-rate 0.01 --num-hashes 7 --no-canonicalize --file-type fasta --threads 1 ${folder}/fasta ${cobs} > ${cobs}.log 2>&1`,
      find: (token) => `cobs query --index ${cobs} --threads 1 --threshold 1 ${basesOf(token)} 2> /dev/null`,
      bytes: `stat -c %s ${cobs}`,
    },
    {
      name: 'ugrep-indexer',
      version: 'ugrep --help | grep -q -e --index && ugrep-indexer --version',
      make: `ugrep-indexer -z -q -f ${folder}/files`,
      find: (token) => `ugrep -z --index -lw ${token} ${folder}/files -r`,
      bytes: `stat -c %s ${folder}/files/._UG#_Store`,
    },
    {
      name: 'xgrep, with its copy',
      version: 'xgrep --version',
      make: `rm -rf ${folder}/files/.xgrep; xgrep --build-index ${folder}/files`,
      find: (token) => `xgrep -lF ${token} ${folder}/files`,
      bytes: `cat ${folder}/files/.xgrep/* | wc -c`,
    },
  ];
}

/** Writes files of distinct tokens, compressed with gzip, and the same for COBS. Returns a token that only a few files have. */
function writeFiles(folder: string, files: number, isForCobs: boolean): string {
  mkdirSync(join(folder, 'files'));
  mkdirSync(join(folder, 'fasta'));
  const random = createRandom(10);
  let token = '';
  for (let i = 0; i < files; i++) {
    const tokens = new Set<string>();
    while (tokens.size < TOKENS) tokens.add(`${PREFIX}${below(random, VOCABULARY)}`);
    if (i === files - 1) [token = ''] = tokens;
    const name = String(i).padStart(6, '0');
    writeFileSync(join(folder, 'files', `${name}.log.gz`), gzipSync([...tokens, ''].join('\n')));
    if (!isForCobs) continue;
    writeFileSync(join(folder, 'fasta', `${name}.fasta`), Array.from(tokens, (one) => `>\n${basesOf(one)}\n`).join(''));
  }
  return token;
}

const outputOf = (command: string) => execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' });

/** Prints sizes and races. Throws an error if a file with the token is missing in a result. */
export function printFileIndex(folder: string, files: number, rounds: number): void {
  const others = othersIn(folder).filter((other) => {
    const version = versionOf(other);
    console.log(`${other.name}: ${version ?? 'it is not installed, left out'}`);
    return version !== undefined;
  });
  const token = writeFiles(
    folder,
    files,
    others.some(({ name }) => name === COBS),
  );
  const all = `${folder}/files/*.gz`;
  const [index, words] = [join(folder, 'files.index'), join(folder, 'words')];
  const list = join(folder, 'list');
  writeFileSync(list, outputOf(`ls ${all}`));
  const make = (threads: string) => `${BLOOM} index -q -p 1% --files-from ${list} ${threads} --force -o ${index}`;
  const made: Commands = {
    'bloom index, one thread': make('--threads 1'),
    'bloom index': make(''),
    'zcat, wc -l': `xargs zcat < ${list} | wc -l`,
    ...Object.fromEntries(others.map((other) => [other.name, other.make])),
  };
  const title = `${files} files of ${TOKENS} tokens`;
  printRace(`${title}: an index`, race(made, rounds, folder));
  const found = outputOf(`${BLOOM} query ${index} -e ${token}`).split('\n');
  const missing = outputOf(`xargs zgrep -lxF ${token} < ${list}`)
    .split('\n')
    .filter((name) => !found.includes(name));
  if (missing.length > 0) throw new Error(`${missing.length} files with ${token} were not named`);

  const sizes: readonly (readonly [name: string, bytes: number])[] = [
    ['bloom index', statSync(index).size],
    ...others.map(({ name, bytes }) => [name, Number(outputOf(bytes))] as const),
  ];
  console.log(`\n${title}: bits per token and file`);
  for (const [name, bytes] of sizes) console.log(`  ${name.padEnd(34)}${((8 * bytes) / files / TOKENS).toFixed(2)}`);

  writeFileSync(words, Array.from({ length: 1000 }, (_, i) => `${PREFIX}${i * 997}\n`).join(''));
  const small = join(folder, 'small.bloom');
  outputOf(`${BLOOM} build -q ${words} -o ${small}`);
  const asked: Commands = {
    'bloom query SMALL-FILTER -e TOKEN': `${BLOOM} query ${small} -e ${token}`,
    'bloom query INDEX -e TOKEN': `${BLOOM} query ${index} -e ${token}`,
    'bloom query INDEX, 1000 tokens': `${BLOOM} query ${index} ${words}`,
    ...Object.fromEntries(others.map(({ name, find }) => [name, find(token)])),
    'zgrep -lxF': `xargs zgrep -lxF ${token} < ${list}`,
    ...(versionOf({ version: 'rg --version' }) && { 'rg -zlxF': `rg -zlxF ${token} ${folder}/files` }),
  };
  printRace(`${title}: the files with a token`, race(asked, rounds, folder));
}
