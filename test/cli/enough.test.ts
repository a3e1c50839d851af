// Where a query stops with -m, -l and -L, against grep on the same lines.

import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { IS_LONG } from '../long.ts';
import { scratch } from './run.ts';

const { path, shell, start, within } = scratch();

/** A rate of 1e-9 makes false positives improbable, so the filter selects what grep selects. */
beforeAll(async () => {
  const members = ['alpha', 'beta', '', 'b'];
  writeFileSync(path('members'), `${members.join('\n')}\n`);
  for (const [i, name] of ['a', 'b', 'c', 'd'].entries()) {
    const lines = Array.from({ length: 300 * i }, (_, j) => (j % 7 === i ? members[j % 4] : `no${j}`));
    writeFileSync(path(name), lines.map((line) => `${line}\n`).join(''));
  }
  writeFileSync(path('none'), 'no\nnever\n');
  writeFileSync(path('all'), 'alpha\nbeta\n');
  await within(['build', '-p', '1e-9', 'members', '-o', 'm.bloom']);
});

const FILES = 'a b c none d all';

/** Runs `grep -Fx`, whose flags these are. It gets -h without such flags, as bloom names files only on request. */
function grep(flags: string) {
  const named = /H|l|L/.test(flags) ? '' : '-h';
  return shell(`grep -Fx ${named} ${flags} -f members ${FILES}; echo $?`).stdout;
}

/** The output of the query, and its status. */
async function selected(flags: string): Promise<string> {
  const { stdout, status } = await within(`query ${flags} m.bloom ${FILES}`.split(/ +/));
  return `${stdout}${status}\n`;
}

const MOST = ['-m 1', '-m 50', '-m 1000'].flatMap((most) =>
  ['', '-n', '-nHZ', '-v', '-vnH', '-cHZ', '-cvH'].map((flags) => `${most} ${flags}`),
);

// Every third case: together they have all seven flags, each with some of the numbers.
test.each(MOST)('%s selects what grep does', async (flags) => {
  expect(await selected(flags)).toBe(grep(flags));
});

test.each(['-l', '-L', '-lv', '-Lv', '-lZ'])('%s lists the files that grep does', async (flags) => {
  expect(await selected(flags)).toBe(grep(flags));
});

test('the long names are those of grep', async () => {
  const names = ['--max-count 2', '--files-with-matches', '--files-without-match', '--invert-match -l'];
  for (const flags of [...names, '--silent', '--count --invert-match -H', '--line-number --with-filename'])
    expect(await selected(flags)).toBe(grep(`${flags} `));
});

test('records end with NUL as in grep', async () => {
  shell("tr '\\n' '\\0' < d > d0");
  const expected = shell('grep -Fxzn -f members d0').stdout;
  expect(expected.length).toBeGreaterThan(100);
  for (const flag of ['-z', '--null-data', '-0'])
    expect((await within(['query', flag, '-n', 'm.bloom', 'd0'])).stdout).toBe(expected);
});

test('-m counts over all files if no name is printed, and tags the records that are read', async () => {
  expect((await within(['query', '-c', '-m', '1', 'm.bloom', 'all', 'none', 'all'])).stdout).toBe('2\n');
  expect((await within(['query', '--tag', '-m', '1', 'm.bloom', 'none', 'all'])).stdout).toBe('-no\n-never\n+alpha\n');
  expect((await within(['query', '-m', '1', 'm.bloom', '-e', 'alpha', '-e', 'beta', 'all'])).stdout).toBe(
    'alpha\nalpha\n',
  );
});

test('-l says the same in JSON, and names the keys of the command line', async () => {
  expect((await within(['query', '-l', '--json', 'm.bloom', 'none', 'all', '-e', 'alpha'])).stdout).toBe(
    '{"file":null}\n{"file":"all"}\n',
  );
  expect((await within(['query', '-l', 'm.bloom', '-e', 'alpha'])).stdout).toBe('-e\n');
});

test('an unreadable file is never listed', async () => {
  for (const flags of ['-l', '-L'])
    expect(await within(['query', flags, 'm.bloom', 'missing', 'all', 'none'])).toMatchObject({
      stdout: flags === '-l' ? 'all\n' : 'none\n',
      status: 2,
    });
});

test.each(['-m1', '-l', '-cm1'])('with %s no more is read than necessary', async (flags) => {
  // The input stays open, so a process that waits for its end never ends.
  const child = start(['query', flags, 'm.bloom']);
  child.stdin?.write('no\nalpha\nbeta\n');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test.runIf(IS_LONG).each(['-m2', '-l'])('with %s a pipe that threads read is left open too', async (flags) => {
  const child = start(['query', '--threads', '3', flags, 'm.bloom']);
  // Enough input that the pool starts and answers the first records.
  child.stdin?.write(`${'none'.padEnd(3999)}\n`.repeat(10_000));
  child.stdin?.write('alpha\nno\nbeta\n');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test.runIf(IS_LONG)('with -m threads stop reading a file, too', async () => {
  shell('(seq 30000; cat all) > large; (cat all; seq 30000; cat all) > sooner');
  const printed = async (most: number) => {
    const query = ['query', '--threads', '2', '-n', '-m', `${most}`, 'm.bloom', 'large', 'sooner'];
    expect((await within([...query, '--output', 'first', '--force'], { chunk: 9999 })).status).toBe(0);
    return readFileSync(path('first'), 'utf8');
  };
  expect(await printed(2)).toBe('30001:alpha\n30002:beta\n1:alpha\n2:beta\n');
  expect(await printed(3)).toBe('30001:alpha\n30002:beta\n1:alpha\n2:beta\n30003:alpha\n');
});

test.each([
  ['-m 1 --summary', '--summary counts all records, --max-count stops before the end; leave out one of them'],
  ['-m 1 -c --json', '--json with --count counts all records, --max-count stops before the end; leave out one of them'],
  ['-l -L', '--files-with-matches and --files-without-match ask for different files; leave out one of them'],
  ['-l -Z --json', '--null-names has no effect: no names of files are printed; leave it out'],
  ['-q -m 1', '--max-count has no effect: --quiet prints nothing; leave it out'],
  [
    '-l -n',
    '--line-number has no effect: --files-with-matches prints names, and stops at the first selected record of a file; leave it out',
  ],
])('%s is refused', async (flags, message) => {
  expect(await within(['query', ...flags.split(' '), 'm.bloom', 'all'])).toMatchObject({
    stdout: '',
    stderr: `bloom: ${message}\n`,
    status: 2,
  });
});
