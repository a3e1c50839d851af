// Follows the hints of query's errors word by word. After a few steps a query answers, and no command line occurs twice.

import { mkdirSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { inLongRuns } from '../long.ts';
import { below, createRandom } from '../reference/random.ts';
import { scratch } from './run.ts';

const { path, within } = scratch();

beforeAll(async () => {
  mkdirSync(path('lists'));
  writeFileSync(path('log'), 'red 1\nblue 2\nnone 3\n');
  writeFileSync(path('logs.lst'), 'log\n');
  writeFileSync(path('colours'), 'red\nred 1\n');
  writeFileSync(path('more'), 'blue\nblue 2\n');
  await within(['build', '-p', '1e-9', 'colours', '-o', 'lists/a.bloom']);
  await within(['build', '-p', '1e-9', 'more', '-o', 'lists/b.bloom']);
});

/** Splits a line into arguments as a shell does. */
const argumentsOf = (line: string) => [...line.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);

/** Short names of flags. */
const SHORT: Readonly<Record<string, string>> = {
  '--null': '-0',
  '--count': '-c',
  '--only-matching': '-o',
  '--files-with-matches': '-l',
  '--files-without-match': '-L',
  '--null-names': '-Z',
  '--quiet': '-q',
  '--line-number': '-n',
  '--with-filename': '-H',
  '--invert': '-v',
  '--max-count': '-m',
  '--field': '-f',
  '--delimiter': '-d',
  '--delimiters': '-D',
};
const WITH_VALUE = ['-m', '-f', '-d', '-D', '--slice', '--tokens', '--json-key', '--timeout', '--column', '--threads'];

function without(argv: readonly string[], flag: string): string[] {
  const at = argv.findIndex((argument) => argument === flag || argument === SHORT[flag]);
  expect(at, `${flag} in ${argv.join(' ')}`).toBeGreaterThan(0);
  return argv.filter((_, i) => i !== at && !(i === at + 1 && WITH_VALUE.includes(argv[at] ?? '')));
}

/** The command line that an error asks for: a named flag is left out or added, or the hint has the whole line. */
function mended(argv: readonly string[], error: string, dropped: 0 | -1): string[] {
  const [, message = '', hint = ''] = /^bloom: (.*?); (.*)\n$/s.exec(error) ?? [];
  const flags = message.match(/--[a-z-]+/g) ?? [];
  if (hint.startsWith('try bloom ')) return argumentsOf(hint.slice('try bloom '.length));
  if (hint === 'leave it out') return without(argv, flags[0] ?? '');
  // One of the named flags, as in "--tag and --count ask for different outputs".
  if (hint.includes('leave out one of them')) return without(argv, flags.at(dropped) ?? '');
  if (hint.startsWith('cut the files between records')) return without(argv, '--slice');
  if (hint === 'leave out --column') return without(argv, '--column');
  if (hint.startsWith('add -f NUMBER')) return [...argv, '-f', '1'];
  if (hint === 'name it before the records, or with -F') return ['query', 'lists/a.bloom', ...argv.slice(1)];
  throw new Error(`nobody knows how to follow: ${error}`);
}

/** Follows hints until a query answers; returns the command lines. */
async function followed(line: string, dropped: 0 | -1 = -1): Promise<string[]> {
  const lines: string[] = [];
  for (let argv = argumentsOf(line); ; ) {
    const typed = argv.join(' ');
    expect(lines).not.toContain(typed);
    lines.push(typed);
    const { stderr, status } = await within(argv);
    if (status !== 2) return lines;
    argv = mended(argv, stderr, dropped);
  }
}

describe('hints are commands that work', () => {
  test.each([
    ['query -F lists --tokens words --which -o -n -H --files-from logs.lst', 1],
    ['query lists --tokens words --which -o -n -H --files-from logs.lst', 2],
    ['query lists --which log -c', 2],
    ['query lists --which log', 2],
    ['query lists/a.bloom --which log -n -v', 3],
    ['query lists --which log -l -Z', 4],
    ["query 'lists/*' --which log -n -Z", 3],
    ['query lists/a.bloom lists/b.bloom log --which', 2],
    ['query lists/a.bloom lists/b.bloom log', 2],
    ['query log lists/a.bloom', 2],
    ['query red lists/a.bloom', 2],
    ['query lists/a.bloom red', 2],
    ['query log -e red lists', 2],
    ['query -e red', 2],
    ['query lists/a.bloom -d , log', 2],
    ['query lists/a.bloom -e red -f 2', 2],
    ['query --which lists -e red -f 2', 2],
    ['query --which lists log -e red', 2],
    ['query lists/a.bloom --tag -c -o log', 3],
    ['query lists/a.bloom --json --tag -n log', 2],
    ['query lists -q --json log', 2],
    ['query lists --first-only --all log', 2],
    ['query lists --which -v log', 3],
    ['query -F lists --which -v log', 2],
    ['query -F lists/a.bloom --column x log', 2],
  ])('%s: %i lines', async (line, count) => {
    expect(await followed(line)).toHaveLength(count);
  });

  test('any flags', async () => {
    const flags = [
      '-c',
      '-o',
      '-l',
      '-L',
      '-Z',
      '-q',
      '-n',
      '-H',
      '-v',
      '-m 1',
      '--tag',
      '--json',
      '--summary',
      '--all',
    ];
    flags.push('--which', '--first-only', '--all-fields', '-f 1', '-d ,', '-D ,', '--csv', '--tokens words');
    flags.push('--json-key a', '-e red', '--slice 1/1', '--line-buffered', '--raw', '-0', '--exit-zero', '--timeout 1');
    const random = createRandom(20_26);
    const some = (list: readonly string[]) => list[below(random, list.length)] ?? '';
    for (let run = 0; run < inLongRuns(400, 15); run++) {
      const chosen = new Set(Array.from({ length: 1 + below(random, 4) }, () => some(flags)));
      const places = some(['lists/a.bloom', 'lists/a.bloom -F lists/b.bloom', '-F lists', 'lists', "'lists/*'"]);
      const steps = await followed(`query ${places} log ${[...chosen].join(' ')}`, run % 2 === 0 ? 0 : -1);
      expect(steps.length).toBeLessThan(8);
    }
  });
});
