// Columns by their names: the keys are those of Python's CSV reader, and the header is not a key.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { inLongRuns } from '../long.ts';
import { PYTHON } from '../python/python.ts';
import { scratch } from './run.ts';

const { path, within } = scratch();

const NAMES = ['id', 'last, first', 'say "x"', 'é-mail', ''];
const VALUES = ['k', 'walk', 'a, b', 'two\nlines', 'say ""', 'é', '', ' b '];

function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function table(names: readonly string[], rows: readonly (readonly string[])[], newline = '\r\n'): string {
  return [names, ...rows].map((row) => row.map(quoted).join(',') + newline).join('');
}

/** Rows with different values in each column. */
const ROWS = Array.from({ length: 400 }, (_, i) =>
  NAMES.map((_, column) => `${VALUES[(i + column) % VALUES.length]}${i % 50 === 0 ? '' : `${column}.${i}`}`),
);

/** The same table with its columns in another order. */
const TURNED = [3, 0, 4, 2, 1];
const turned = <T>(row: readonly T[]) => TURNED.map((column) => row[column]) as T[];

beforeAll(async () => {
  writeFileSync(path('a.csv'), table(NAMES, ROWS));
  writeFileSync(path('b.csv'), `\ufeff${table(turned(NAMES), ROWS.map(turned), '\n')}`);
  writeFileSync(path('c.csv.gz'), gzipSync(`# c, "\n\n${table(NAMES, ROWS)}`));
  writeFileSync(path('none'), '');
  await within(['build', '-n', '10', 'none', '-o', 'empty.bloom']);
  await within(['build', '-n', '10k', '--csv', '--header', '-f', 'id', 'a.csv', '-o', 'id.bloom']);
});

/** The rows of some files, as Python reads them. */
function rowsOf(files: readonly string[]): readonly Readonly<Record<string, string>>[] {
  const program =
    'import csv,json,sys\nprint(json.dumps([r for f in sys.argv[1:] for r in csv.DictReader(open(f,newline="",encoding="utf-8-sig"))]))';
  const { stdout, status } = spawnSync(PYTHON ?? '', ['-c', program, ...files.map(path)], { encoding: 'utf8' });
  expect(status).toBe(0);
  return JSON.parse(stdout);
}

function distinctIds(): number {
  return new Set(rowsOf(['a.csv']).map(({ id }) => id)).size;
}

/** All keys of some inputs. */
async function keysOf(args: readonly string[], options = {}): Promise<string> {
  const query = ['query', '-o', '-v', 'empty.bloom', '--csv', '--header', '--output', 'keys', '--force'];
  expect(await within([...query, ...args], options)).toEqual({ stdout: '', stderr: '', status: 0 });
  return readFileSync(path('keys'), 'utf8');
}

const inQuotes = (name: string) => `"${name.replaceAll('"', '""')}"`;

describe.skipIf(!PYTHON)('the keys of a column', () => {
  test('are those that Python reads, in files with columns in another order', async () => {
    const rows = rowsOf(['a.csv', 'b.csv']);
    expect(rows).toHaveLength(2 * ROWS.length);
    for (const name of NAMES) {
      const expected = rows.map((row) => `${row[name]}\n`).join('');
      expect(await keysOf(['-f', inQuotes(name), 'a.csv', 'b.csv']), name).toBe(expected);
    }
  });

  test('are the same for any number of threads, in files and pipes, where each input has other columns', async () => {
    const expected = await keysOf(['-f', 'é-mail,id', 'a.csv', 'b.csv', 'a.csv', '--threads', '1']);
    for (const threads of inLongRuns([1, 2, 3, 4, 8, 16], [1, 3]))
      for (const chunk of inLongRuns([7, 100, 5000], [500])) {
        const given = { chunk, stdin: readFileSync(path('b.csv')), isPiped: true };
        const args = ['-f', 'é-mail,id', 'a.csv', '-', 'a.csv', '--threads', `${threads}`];
        expect(await keysOf(args, given), `${threads} ${chunk}`).toBe(expected);
      }
  });

  test('of a compressed file begin after comments, empty lines and the header', async () => {
    const args = ['count', '--csv', '--header', '--comment', '#', '--skip-empty', '-f', 'id', 'c.csv.gz', '--json'];
    expect(JSON.parse((await within(args)).stdout)).toMatchObject({
      records: ROWS.length,
      estimatedItems: distinctIds(),
    });
  });
});

/** The rows of both files without headers, in one order of columns, for fields by number. */
const bare = () => table(NAMES, [...ROWS, ...ROWS]).slice(table(NAMES, []).length);

test.each([
  ['build -n 10k -o out'],
  ['build -o out'],
  ['build -n 10k --passes 1 --kind fuse -o out'],
  ['digest -o out'],
  ['count -o out'],
])('%s makes the same from names as from numbers', async (command) => {
  writeFileSync(path('bare.csv'), bare());
  const files = ['--force', '--csv'];
  const made = async (args: readonly string[], options = {}) => {
    expect(await within([...command.split(' '), ...files, ...args], options)).toMatchObject({ status: 0 });
    return readFileSync(path('out'));
  };
  const expected = await made(['-f', '2,1', 'bare.csv']);
  const named = ['--header', '-f', '"last, first",id'];
  expect((await made([...named, 'a.csv', 'b.csv'])).equals(expected)).toBe(true);
  // bloom copies a pipe that it must read twice.
  const piped = { stdin: readFileSync(path('b.csv')), isPiped: true };
  expect((await made([...named, 'a.csv', '-'], piped)).equals(expected)).toBe(true);
});

test.skipIf(!PYTHON)('commands that change, deduplicate and measure skip the header', async () => {
  const columns = ['--csv', '--header', '-f', 'id'];
  await within(['build', '--kind', 'counting', '-n', '10k', 'none', '-o', 'changed.bloom']);
  expect((await within(['add', 'changed.bloom', ...columns, 'b.csv', '--json'])).stdout).toContain('"added":400');
  expect((await within(['remove', 'changed.bloom', ...columns, 'a.csv'])).status).toBe(0);
  expect((await within(['query', '-c', 'changed.bloom', ...columns, 'a.csv'])).stdout).toBe('0\n');
  expect((await within(['dedup', '-c', ...columns, 'a.csv', 'b.csv'])).stdout).toBe(`${distinctIds()}\n`);
  const measured = await within(['stats', '--probes', '1k', 'id.bloom', ...columns, '--present', 'b.csv', '--json']);
  expect(JSON.parse(measured.stdout).present).toMatchObject({ records: 400, missing: 0 });
});

test('records are numbered and counted without the header', async () => {
  writeFileSync(path('t'), 'id;n\nx;1\nwalk;2\n');
  await within(['build', '-e', 'walk', '-o', 'walk.bloom']);
  const args = ['query', 'walk.bloom', '-d', ';', '--header', '-f', 'id', '-n', '-H', '--summary', 't'];
  const { stdout, stderr } = await within(args);
  expect(stdout).toBe('t:2:walk;2\n');
  expect(stderr).toContain('2 records: 1 absent');
});

test.each([
  ['-d', ';'],
  ['-D', ';:'],
])('%s %s separates the names too, and slices of a file have its header', async (flag, separator) => {
  const lines = Array.from({ length: 50 }, (_, i) => `a${i};b${i}\n`).join('');
  writeFileSync(path('plain'), `first column;second\n${lines}`);
  const args = ['query', '-o', '-v', 'empty.bloom', flag, separator, '--header', '-f', 'second', 'plain'];
  const expected = Array.from({ length: 50 }, (_, i) => `b${i}\n`).join('');
  expect((await within(args)).stdout).toBe(expected);
  for (const of of [2, 7, 200]) {
    let all = '';
    // The first of 200 slices are within the header.
    for (let number = 1; number <= Math.min(of, 20); number++)
      all += (await within([...args, '--slice', `${number}/${of}`])).stdout;
    expect(of === 200 ? expected.startsWith(all) && all !== '' : all === expected, `${of}`).toBe(true);
  }
});

test.each([
  ['-D', '\t'],
  ['-d', '\t'],
  ['--csv', '-d', '\t'],
])('a tab separates names: %j %j', async (...flags) => {
  writeFileSync(path('tabs'), 'x9 t\\x09\tname\n1\t2\n');
  const args = ['query', '-o', '-v', 'empty.bloom', ...flags, '--header', 'tabs', '-f'];
  expect((await within([...args, 'name'])).stdout).toBe('2\n');
  expect((await within([...args, 'x9 t\\x09'])).stdout).toBe('1\n');
});

// The first read has 4096 bytes.
test.each([5000, 9000, 2 ** 20 - 10])('a header may have many bytes: %d', async (bytes) => {
  const stdin = `${'x'.repeat(bytes)},id\n1,a\n2,b\n3,a\n`;
  expect((await within(['count', '-d', ',', '--header', '-f', 'id'], { stdin })).stdout).toBe('2\n');
});

test.each(['x,y', '#\nx,y', '#\n\nx,y', 'x,y\n', '#\nx,y\n'])('a file may have only a header: %j', async (text) => {
  writeFileSync(path('only'), text);
  const args = ['count', '-d', ',', '--header', '--comment', '#', '--skip-empty', 'only', '-f'];
  expect(await within([...args, 'y'])).toEqual({ stdout: '0\n', stderr: '', status: 0 });
  expect((await within([...args, 'z'])).stderr).toContain('only has no column z; its columns are x, y');
});

test('filters of files and indexes are queried by names too', async () => {
  await within(['build', '-e', 'walk', '-o', 'walk.bloom', '--force']);
  const stdin = 'n,id\n1,walk\n2,none\n';
  const args = ['-d', ',', '--header', '-f', 'id'];
  const which = await within(['query', '--which', ...args, 'walk.bloom', 'empty.bloom'], { stdin });
  expect(which.stdout).toBe('walk.bloom\t1,walk\n');
  writeFileSync(path('one.csv'), 'x,id\nno,walk\n');
  writeFileSync(path('two.csv'), 'id,x\nother,walk\n');
  expect((await within(['index', ...args, 'one.csv', 'two.csv', '-o', 'files.index'])).status).toBe(0);
  expect((await within(['query', 'files.index', '-e', 'walk'])).stdout).toBe('one.csv\n');
  expect((await within(['query', 'files.index', ...args], { stdin })).stdout).toBe('1,walk\tone.csv\n');
  // A record of several lines would look like several records in the answer.
  expect((await within(['query', 'files.index', '--csv', '-f', '1'], { stdin })).stderr).toContain(
    'prints one line per record',
  );
});

test('an input without the column, or with two of its name, is named and its columns are listed', async () => {
  writeFileSync(path('short.csv'), 'id,mail,mail\n1,2,3\n');
  writeFileSync(path('open.csv'), 'id,"mail\n1,2,3\n');
  const errorOf = async (args: readonly string[], stdin?: string) => {
    const all = ['query', 'id.bloom', '--csv', ...args];
    const { stderr, status } = await within(all, stdin === undefined ? {} : { stdin });
    expect(status).toBe(2);
    return stderr;
  };
  const missing = 'short.csv has no column emial; its columns are id, mail, mail; select one of them with -f';
  expect(await errorOf(['--header', '-f', 'emial', 'short.csv', 'a.csv'])).toContain(missing);
  expect(await errorOf(['--header', '-f', 'mail', 'short.csv'])).toContain(
    'columns 2 and 3 of short.csv are both named mail; its columns are id, mail, mail; select one by its number, such as -f 2',
  );
  for (const [columns, end] of [
    [20, 'c19, c20; select'],
    [21, 'c19, c20 and 1 more; select'],
  ] as const) {
    writeFileSync(path('wide.csv'), `${Array.from({ length: columns }, (_, i) => `c${i + 1}`).join(',')}\n`);
    expect(await errorOf(['--header', '-f', 'id', 'wide.csv'])).toContain(end);
  }
  expect(await errorOf(['--header', '-f', 'id', 'open.csv'])).toContain('a quote that does not end');
  expect(await errorOf(['--header', '-f', 'id'], `x${'y'.repeat(2 ** 21)}`)).toContain('longer than 1 MiB');
  expect(await errorOf(['-f', 'mail', 'short.csv'])).toContain('add --header if this is the name of a column');
  expect(await errorOf(['--header', '-f', 'id', '-e', 'a'])).toContain('--header has no effect');
  expect((await within(['query', '-c', 'id.bloom', '--csv', '--header', '-f', '3', 'short.csv'])).stdout).toBe('0\n');
  expect((await within(['query', '-c', 'id.bloom', '--csv', '--header', '-f', 'id', 'none'])).stderr).toBe('');
});
