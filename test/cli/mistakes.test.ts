// What people type, and the answer. The line that the hint proposes runs unchanged, and bloom accepts it.

import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { sampled } from '../long.ts';
import { BLOOM, fixture, scratch } from './run.ts';

const { path, shell, within } = scratch();

beforeAll(() => {
  mkdirSync(path('bin'));
  writeFileSync(path('bin/bloom'), `#!/bin/sh\nexec '${process.execPath}' '${BLOOM}' "$@"\n`);
  chmodSync(path('bin/bloom'), 0o755);
  shell(`mkdir -p made/filters logs; cp ${fixture('words.txt')} made/words.txt; cd made; head -n 9 words.txt > list.txt;
    $BLOOM build words.txt -o words.bloom; $BLOOM build --like words.bloom list.txt -o list.bloom; cp list.txt ../logs;
    cp list.bloom filters; printf 'walk,1\\n' > table.csv; $BLOOM build --kind counting list.txt -e walk -o counted.bloom`);
});

/** What follows `bloom`, the end of the error, and the next line if the hint is not a whole line. */
type Mistake = readonly [typed: string, hint: string, next?: string];

/** A hint that is a whole line to type. */
const tries = (typed: string, next: string, before = ''): Mistake => [typed, `${before}try bloom ${next}`];

const MISTAKES: readonly Mistake[] = [
  // Without a command, or with flags before it.
  tries('list.txt', 'build list.txt -o list-2.bloom'),
  tries('words.bloom walk', 'query words.bloom -e walk'),
  tries('words.bloom list.txt', 'query words.bloom list.txt'),
  tries('words.bloom', 'stats words.bloom'),
  tries('-v', '--version'),
  tries('version', '--version'),
  tries('--build list.txt -o new.bloom', 'build list.txt -o new.bloom'),
  tries('-c query words.bloom list.txt', 'query words.bloom list.txt -c'),
  tries('query --version', '--version'),
  // Other names of commands, and mistyped ones.
  tries('check words.bloom list.txt', 'query words.bloom list.txt'),
  tries('buidl list.txt -o new.bloom', 'build list.txt -o new.bloom'),
  tries('help check', 'help query'),
  tries('check words.bloom walk', 'query words.bloom -e walk'),
  tries('grep walk words.bloom', 'query words.bloom -e walk'),
  tries('insert words.bloom walk run', 'add words.bloom -e walk -e run'),
  tries('delete counted.bloom walk', 'remove counted.bloom -e walk'),
  tries('create new.bloom', 'build -n 1M -o new.bloom < /dev/null'),
  tries('create list.txt new.bloom', 'build list.txt -o new.bloom'),
  tries('completion', 'completion bash'),
  // Commands of Redis.
  tries('reserve words.bloom 0.01 1000', 'build -n 1000 -p 0.01 -o words-2.bloom < /dev/null'),
  tries('BF.RESERVE new 0.01 1000', 'build -n 1000 -p 0.01 -o new.bloom < /dev/null'),
  tries('CF.RESERVE new 1000', 'build --kind cuckoo -n 1000 -o new.bloom < /dev/null'),
  tries('BF.ADD words walk', 'add words.bloom -e walk'),
  tries('BF.MADD new walk run', 'build -e walk -e run -o new.bloom'),
  tries('BF.EXISTS words walk', 'query words.bloom -e walk'),
  tries('BF.INFO words', 'stats words.bloom'),
  tries('SREM counted walk', 'remove counted.bloom -e walk'),
  tries('SISMEMBER words walk', 'query words.bloom -e walk'),
  tries('SADD words walk', 'add words.bloom -e walk'),
  // Commands that bloom does not have.
  tries(
    'serve words.bloom',
    'query words.bloom --line-buffered --tag',
    'a query can stay open and answer line by line: ',
  ),
  tries(
    'intersect words.bloom list.bloom',
    'compare words.bloom list.bloom',
    'no filter can be made of the common keys, but they can be counted: ',
  ),
  tries('diff words.bloom list.bloom', 'compare words.bloom list.bloom'),
  tries('jaccard words.bloom list.bloom', 'compare words.bloom list.bloom'),
  tries('overlap words.bloom list.bloom', 'compare words.bloom list.bloom'),
  tries(
    'convert words.bloom',
    'formats',
    'a filter does not contain its keys; build one with --format from the records: ',
  ),
  tries('import words.bloom', 'stats words.bloom', 'files of other systems need no import: '),
  tries('import list.txt', 'build list.txt -o list-2.bloom'),
  // Filters, keys and files in the wrong places.
  tries('query words.bloom walk', 'query words.bloom -e walk'),
  tries('query words.bloom list.txt walk -c', 'query words.bloom list.txt -e walk -c'),
  tries('add words.bloom walk', 'add words.bloom -e walk'),
  tries('remove counted.bloom walk', 'remove counted.bloom -e walk'),
  tries('query walk words.bloom', 'query words.bloom -e walk'),
  tries("query 'two words' words.bloom", "query words.bloom -e 'two words'"),
  tries('query words.blom list.txt', 'query words.bloom list.txt'),
  tries('build lists.txt -o new.bloom', 'build list.txt -o new.bloom'),
  tries('stats ./wrods.bloom', 'stats ./words.bloom'),
  tries('query words.txt -e walk', 'query words.bloom -e walk'),
  tries('query file:///etc/hosts -e walk', 'query /etc/hosts -e walk'),
  tries('stats list.txt', 'stats list.bloom'),
  ['stats filters', "try find filters -name '*.bloom' -exec bloom stats {} +"],
  tries('count words.bloom', 'stats words.bloom'),
  tries('size words.bloom', 'stats words.bloom'),
  tries('size words.txt', 'size -n "$(bloom count words.txt)"'),
  tries('add list.txt words.bloom', 'add words.bloom list.txt'),
  tries('add new.bloom list.txt', 'build list.txt -o new.bloom'),
  tries('add new.bloom -e walk', 'build -e walk -o new.bloom'),
  tries('query help', 'query --help'),
  tries('query words.bloom list.bloom list.txt -c', 'query words.bloom -F list.bloom list.txt -c'),
  tries('query words.bloom --which list.txt -c', 'query -F words.bloom --which list.txt -c'),
  tries('query list.bloom words.bloom list.txt --which', 'query -F list.bloom -F words.bloom list.txt --which'),
  tries("query '*.bloom' --which list.txt -n", "query -F '*.bloom' --which list.txt -n"),
  ['build ../logs -o new.bloom', 'try find ../logs -type f -print0 | bloom build -o new.bloom --files0-from -'],
  // Outputs.
  tries('build list.txt', 'build list.txt -o list-2.bloom'),
  tries('build list.txt new.bloom', 'build list.txt -o new.bloom'),
  tries('build list.txt words.bloom', 'build list.txt -o words.bloom --force', 'to replace words.bloom, '),
  tries('build list.txt --out new.bloom', 'build list.txt -o new.bloom'),
  ['build list.txt -o new/x.bloom', 'try mkdir -p new && bloom build list.txt -o new/x.bloom'],
  tries('digest list.txt', 'digest list.txt -o list.digests'),
  tries('index list.txt', 'index list.txt -o files.index'),
  tries('index', 'index -r . -o files.index'),
  tries('merge words.bloom list.bloom', 'merge words.bloom list.bloom -o merged.bloom'),
  tries('merge words.bloom list.bloom new.bloom', 'merge words.bloom list.bloom -o new.bloom'),
  tries('query words.bloom list.txt -o found', 'query words.bloom list.txt --output found'),
  [
    'build list.txt -o words.bloom',
    'choose another name, or add --force to replace it',
    'build list.txt -o words.bloom --force',
  ],
  [
    'build list.txt -o new.bloom --no-clobber',
    'leave it out: an existing file is replaced only with --force',
    'build list.txt -o new.bloom',
  ],
  // Flags of other programs.
  // -f selects fields, and there is no short name for --force.
  tries('build list.txt -f -o new.bloom', 'build list.txt --force -o new.bloom'),
  tries('build list.txt -o new.bloom -f', 'build list.txt -o new.bloom --force'),
  tries('merge -f words.bloom list.bloom -o new.bloom', 'merge --force words.bloom list.bloom -o new.bloom'),
  ['build list.txt -d -o new.bloom', 'give -d a value: it took -o as its value', 'build list.txt -o new.bloom'],
  tries('build list.txt --error-rate 1% -o new.bloom', 'build list.txt --fpr 1% -o new.bloom'),
  tries('build list.txt --capacity=10k -o new.bloom', 'build list.txt --items 10k -o new.bloom'),
  tries('build list.txt --fp 1% -o new.bloom', 'build list.txt --fpr 1% -o new.bloom'),
  tries('build --input list.txt -o new.bloom', 'build list.txt -o new.bloom'),
  tries('build -F, -f 1 table.csv -o new.bloom', 'build --delimiter , -f 1 table.csv -o new.bloom'),
  tries('query words.bloom -F, -f1 table.csv', 'query words.bloom -d , -f1 table.csv'),
  tries('query words.bloom -F , -f 1 table.csv', 'query words.bloom -d , -f 1 table.csv'),
  tries('query words.bloom -k walk', 'query words.bloom --key walk'),
  tries('query words.bloom list.txt --cout', 'query words.bloom list.txt --count'),
  tries('query words.bloom -w list.txt', 'query words.bloom --tokens=words list.txt'),
  tries('query -w walk words.bloom', 'query words.bloom -e walk'),
  ['stats words.bloom --verbose', 'leave it out: stats prints all that it knows', 'stats words.bloom'],
  [
    "query words.bloom -g '*.txt'",
    'leave it out, and name the files of records after the filter',
    'query words.bloom list.txt',
  ],
  tries('query words.bloom --any-token list.txt', 'query words.bloom --field 1- list.txt'),
  tries('dedup -k 4 list.txt', 'dedup --field 4 list.txt'),
  tries('count --ignore-case=unicode list.txt', 'count --ignore-case-unicode list.txt'),
  tries('count -i unicode', 'count --ignore-case-unicode'),
  tries('check -c words.bloom list.txt', 'query -c words.bloom list.txt'),
  ['query words.bloom -i -e walk', 'leave it out: the filter records it', 'query words.bloom -e walk'],
  [
    'query words.bloom -r ../logs',
    'name the files of a folder: find FOLDER -type f -print0 | bloom query ... --files0-from -',
    'query words.bloom ../logs/list.txt',
  ],
  // Values.
  tries('build list.txt -p 1 -o new.bloom', 'build list.txt -p 1% -o new.bloom'),
  tries('build list.txt -m 1MB -o new.bloom', 'build list.txt --memory 1MB -o new.bloom'),
  tries('build list.txt --kind cukoo -o new.bloom', 'build list.txt --kind cuckoo -o new.bloom'),
  tries('build list.txt --kind=cuckoos -o new.bloom', 'build list.txt --kind=cuckoo -o new.bloom'),
  tries('build list.txt --format redis -o new.dump', 'build list.txt --format redisbloom -o new.dump'),
  tries('stats --format json words.bloom', 'stats --json words.bloom'),
  tries('stats words.bloom --format=prometheus', 'stats words.bloom --prometheus'),
  tries('size -n 10M -k cuckoo', 'size -n 10M --kind cuckoo'),
  tries('size --kind coutning -n 9', 'size --kind counting -n 9'),
  tries("query words.bloom --json-key '$.a' list.txt", 'query words.bloom --json-key a list.txt'),
  ['build list.txt -n 10x -o new.bloom', 'see bloom build --help', 'build list.txt -n 10k -o new.bloom'],
  ['build list.txt -p 0 -o new.bloom', 'see bloom build --help', 'build list.txt -p 1e-9 -o new.bloom'],
  tries('size 10M', 'size -n 10M'),
  tries('size 10M 1%', 'size -n 10M -p 1%'),
  tries('size -n 10M 12MB', 'size -n 10M --memory 12MB'),
  // Flags and arguments that exclude each other.
  [
    'query words.bloom -d , list.txt',
    'add -f NUMBER, or -f 1- for every field',
    'query words.bloom -d , -f 1 list.txt',
  ],
  [
    'remove words.bloom list.txt',
    'build it with --kind counting or --kind cuckoo or --kind quotient',
    'build list.txt --kind counting -o new.bloom',
  ],
];

/** Spellings of other programs that bloom accepts. */
const ACCEPTED: readonly string[] = [
  'query --no-color words.bloom -e walk',
  'add words.bloom -e walk -e run',
  'build -e walk -e run -o new.bloom',
  'query words.bloom list.txt --output found',
  'dedup list.txt -o once',
  'dedup list.txt --output once',
];

/** Gives the next line a new folder. */
function renewFolder(): void {
  rmSync(path('now'), { recursive: true, force: true });
  cpSync(path('made'), path('now'), { recursive: true });
}

/** Splits a line into arguments as a shell does. */
const argumentsOf = (line: string) => [...line.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);

/** The status of a line as in a shell. A line without shell syntax runs in this process. */
async function statusOf(line: string): Promise<number | null> {
  renewFolder();
  const [, args] = /^bloom ([^|<&$*]*)$/.exec(line) ?? [];
  // Few random keys suffice, as only the status counts.
  const few = args?.startsWith('stats ') ? ['--probes', '1k'] : [];
  if (args !== undefined) return (await within([...argumentsOf(args), ...few], { folder: 'now' })).status;
  return shell(`export PATH="$PWD/bin:$PATH"; cd now; { ${line}; } < /dev/null`).status;
}

describe('a mistake is answered with a correct command', () => {
  const run = new Set(sampled(MISTAKES));

  test.each(MISTAKES.map((mistake) => ({ typed: mistake[0], hint: mistake[1], mistake })))(
    'bloom $typed: $hint',
    async ({ typed, hint, mistake }) => {
      renewFolder();
      const { stderr, stdout, status } = await within(argumentsOf(typed), { folder: 'now' });
      expect(status).toBe(2);
      // bloom answers for the files that exist.
      expect(stdout === '' || typed.includes('list.txt ')).toBe(true);
      expect(stderr.split('\n').at(-2)).toMatch(/^bloom: /);
      expect(stderr.endsWith(`; ${hint}\n`) ? hint : stderr).toBe(hint);
      if (!run.has(mistake)) return;
      const [, proposed = `bloom ${mistake[2]}`] = /try (.*)$/.exec(hint) ?? [];
      // A file that is not a filter makes the proposed line fail too.
      if (!typed.includes('/etc/hosts')) expect([0, 1]).toContain(await statusOf(proposed));
    },
  );

  test.each(sampled(ACCEPTED))('bloom %s is accepted', async (line) => expect(await statusOf(`bloom ${line}`)).toBe(0));
});

test('a message that refuses a name does not list thirty names', async () => {
  const { stderr } = await within(['stats', '--probes', '1k', '--format', 'nothing', 'made/words.bloom']);
  expect(stderr).toBe(
    "bloom: option '--format <name>' argument 'nothing' is invalid: bloom formats lists the names; see bloom stats --help\n",
  );
});

test('lines that -0 reads as one record', async () => {
  const warning =
    'bloom: warning: made/list.txt has newlines but no NUL, so -0 (--null) reads it as one record; leave out -0, or use -Z to end file names with NUL\n';
  expect(await within(['query', 'made/words.bloom', '--null', '-c', 'made/list.txt'])).toEqual({
    stdout: '0\n',
    stderr: warning,
    status: 1,
  });
  expect((await within(['count', '-0', 'made/list.txt'])).stderr).toBe(warning);
  writeFileSync(path('nul'), 'a\nb\0c\n');
  expect((await within(['count', '-0', 'nul'])).stderr).toBe('');
});

test('no command to type has control characters', async () => {
  const { stderr } = await within(['query', 'x\u001b', 'made/words.bloom']);
  expect(stderr).toBe('bloom: cannot read "x\\u001b": no such file or folder\n');
});

test('a missing filter with existing records gets no suggestion', async () => {
  const { stderr } = await within(['query', '-c', 'made/gone.bloom', 'made/list.txt']);
  expect(stderr).toBe('bloom: cannot read made/gone.bloom: no such file or folder\n');
});
