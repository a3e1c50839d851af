// The commonest mistakes, as they are typed, and what to type next; in long runs each of the two is run.

import { cpSync, rmSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { IS_LONG } from '../long.ts';
import { fixture, scratch } from './run.ts';

const { path, shell, within } = scratch();

beforeAll(() => {
  shell(`mkdir made logs; cp ${fixture('words.txt')} made/words.txt; cd made; head -n 9 words.txt > list.txt;
    $BLOOM build words.txt -o words.bloom; $BLOOM build --like words.bloom list.txt -o list.bloom; cp list.txt ../logs`);
});

/** What follows `bloom`: what is typed, what the error says at its end, and what is typed then. */
type Mistake = readonly [typed: string, hint: string, next: string];

/** The hint is the next line itself. */
const tries = (typed: string, next: string): Mistake => [typed, `try bloom ${next}`, next];

const MISTAKES: readonly Mistake[] = [
  // Without a command, or with flags before it.
  tries('list.txt', 'build list.txt -o list-2.bloom'),
  tries('words.bloom walk', 'query words.bloom -e walk'),
  tries('words.bloom list.txt', 'query words.bloom list.txt'),
  tries('words.bloom', 'stats words.bloom'),
  tries('-v', '--version'),
  tries('--build list.txt -o new.bloom', 'build list.txt -o new.bloom'),
  tries('-c query words.bloom list.txt', 'query words.bloom list.txt -c'),
  tries('query --version', '--version'),
  // Other names of commands, and mistyped ones.
  ['check words.bloom list.txt', 'did you mean query?', 'query words.bloom list.txt'],
  ['buidl list.txt -o new.bloom', 'did you mean build?', 'build list.txt -o new.bloom'],
  // Filters, keys and files in the wrong places.
  ['query words.bloom walk', 'a key is given with -e', 'query words.bloom -e walk'],
  tries('query walk words.bloom', 'query words.bloom -e walk'),
  tries("query 'two words' words.bloom", "query words.bloom -e 'two words'"),
  tries('query words.txt -e walk', 'query words.bloom -e walk'),
  tries('stats list.txt', 'stats list.bloom'),
  tries('add list.txt words.bloom', 'add words.bloom list.txt'),
  tries('add new.bloom list.txt', 'build list.txt -o new.bloom'),
  tries('query help', 'query --help'),
  tries('query words.bloom list.bloom list.txt -c', 'query words.bloom -F list.bloom list.txt -c'),
  tries('query words.bloom --which list.txt -c', 'query -F words.bloom --which list.txt -c'),
  tries('query list.bloom words.bloom list.txt --which', 'query -F list.bloom -F words.bloom list.txt --which'),
  tries("query '*.bloom' --which list.txt -n", "query -F '*.bloom' --which list.txt -n"),
  [
    'build ../logs -o new.bloom',
    'try find ../logs -type f -print0 | bloom build -o new.bloom --files0-from -',
    'build -o new.bloom ../logs/*',
  ],
  // Outputs.
  tries('build list.txt', 'build list.txt -o list-2.bloom'),
  tries('build list.txt new.bloom', 'build list.txt -o new.bloom'),
  tries('build list.txt --out new.bloom', 'build list.txt -o new.bloom'),
  tries('digest list.txt', 'digest list.txt -o list.digests'),
  tries('merge words.bloom list.bloom', 'merge words.bloom list.bloom -o merged.bloom'),
  [
    'query words.bloom list.txt -o found',
    'what is printed goes into a file with > found',
    'query words.bloom list.txt > found',
  ],
  [
    'build list.txt -o words.bloom',
    'choose another name, or replace it with --force',
    'build list.txt -o words.bloom --force',
  ],
  [
    'build list.txt -o new.bloom --no-clobber',
    'leave it out: what exists is not replaced without --force',
    'build list.txt -o new.bloom',
  ],
  // Flags of other programs.
  ['build list.txt --error-rate 1% -o new.bloom', 'did you mean --fpr?', 'build list.txt --fpr 1% -o new.bloom'],
  ['build list.txt --capacity 10k -o new.bloom', 'did you mean --items?', 'build list.txt --items 10k -o new.bloom'],
  ['build list.txt --fp 1% -o new.bloom', 'did you mean --fpr?', 'build list.txt --fpr 1% -o new.bloom'],
  tries('build --input list.txt -o new.bloom', 'build list.txt -o new.bloom'),
  ['query words.bloom -k walk', 'did you mean --key?', 'query words.bloom --key walk'],
  ['query words.bloom -i -e walk', 'leave it out: the filter says it, as it was built', 'query words.bloom -e walk'],
  [
    'query words.bloom -r ../logs',
    'name the files of a folder: find FOLDER -type f -print0 | bloom query ... --files0-from -',
    'query words.bloom ../logs/*',
  ],
  [
    'add words.bloom -e walk',
    'records come from files or the standard input: echo KEY | bloom add ...',
    'add words.bloom list.txt',
  ],
  // Values.
  ['build list.txt -p 1 -o new.bloom', 'did you mean 1%?', 'build list.txt -p 1% -o new.bloom'],
  ['build list.txt -m 1MB -o new.bloom', 'did you mean --memory 1MB?', 'build list.txt --memory 1MB -o new.bloom'],
  ['build list.txt --kind cukoo -o new.bloom', 'did you mean cuckoo?', 'build list.txt --kind cuckoo -o new.bloom'],
  ['size --kind coutning -n 9', 'did you mean counting?', 'size --kind counting -n 9'],
  ['build list.txt -n 10x -o new.bloom', 'see bloom build --help', 'build list.txt -n 10k -o new.bloom'],
  tries('size 10M', 'size -n 10M'),
  tries('size 10M 1%', 'size -n 10M -p 1%'),
  tries('size -n 10M 12MB', 'size -n 10M --memory 12MB'),
  // What does not go together.
  ['query words.bloom -d , list.txt', 'add -f NUMBER or --any-token', 'query words.bloom -d , -f 1 list.txt'],
  [
    'remove words.bloom list.txt',
    'build it with --kind counting or cuckoo or quotient',
    'build list.txt --kind counting -o new.bloom',
  ],
];

/** Gives the next line a folder of its own. */
function renewFolder(): void {
  rmSync(path('now'), { recursive: true, force: true });
  cpSync(path('made'), path('now'), { recursive: true });
}

/** Arguments as a shell takes them apart. */
const argumentsOf = (line: string) => [...line.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);

describe('a mistake is answered with what to type next', () => {
  test('for the thirty commonest', () => expect(MISTAKES.length).toBeGreaterThanOrEqual(30));

  test.each(MISTAKES)('bloom %s: %s', async (typed, hint, next) => {
    renewFolder();
    const { stderr, stdout, status } = await within(argumentsOf(typed), { folder: 'now' });
    expect(status).toBe(2);
    // With -o a query prints what it finds.
    expect(stdout === '' || typed.includes('-o found')).toBe(true);
    expect(stderr.split('\n').at(-2)).toMatch(/^bloom: /);
    expect(stderr.endsWith(`; ${hint}\n`) ? hint : stderr).toBe(hint);
    if (!IS_LONG) return;
    renewFolder();
    expect([0, 1]).toContain(shell(`cd now; $BLOOM ${next} < /dev/null`).status);
  });
});

test('what could drive a terminal is in no line to type', async () => {
  const { stderr } = await within(['query', 'x\u001b', 'made/words.bloom']);
  expect(stderr).toBe('bloom: cannot read "x\\u001b": no such file or folder\n');
});

test('of a filter that is not there, with records that are, nobody knows what was meant', async () => {
  const { stderr } = await within(['query', '-c', 'made/gone.bloom', 'made/list.txt']);
  expect(stderr).toBe('bloom: cannot read made/gone.bloom: no such file or folder\n');
});
