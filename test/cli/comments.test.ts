// Comments in lists: --comment skips the lines that grep -v removes.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { inLongRuns, sampled } from '../long.ts';
import { scratch } from './run.ts';

const { path, shell, within } = scratch();

beforeAll(() => {
  const lines = Array.from(
    { length: 3000 },
    (_, i) => [`k${i},x${i}`, `#c${i},y`, ` #b${i}`, `a#${i}`, `e${i}`, '##'][i % 6],
  );
  writeFileSync(path('list'), `# title\n${lines.join('\n')}\n#end`);
  shell("grep -v '^[[:blank:]]*#' list > kept; tr '\\n' '\\0' < list > list0; sed 's/$/\\r/' list > crlf");
});

/** The bytes of the file that a command makes from some arguments and a list on its standard input. */
async function made(args: string, comment: readonly string[] = [], stdin = ''): Promise<Buffer> {
  rmSync(path('out'), { force: true });
  const outcome = await within([...args.split(' '), ...comment], { stdin });
  expect(outcome).toMatchObject({ status: 0, stderr: expect.not.stringMatching('^bloom: ') });
  return readFileSync(path('out'));
}

const HASH = ['--comment', '#'];

test.each([
  ['build -o out', ['list', '-0 list0', 'crlf']],
  ['build -n 10k -f 2 -d , --kind cuckoo --threads 1 -o out', ['list']],
  ['digest -o out', ['list', '-']],
  ['digest -f 2 -d , -o out', ['list']],
  ['count -o out', ['list', '-']],
])('%s reads the other lines', async (command, lists) => {
  const expected = await made(`${command} kept`);
  const stdin = readFileSync(path('list'), 'utf8');
  for (const list of lists) expect((await made(`${command} ${list}`, HASH, stdin)).equals(expected), list).toBe(true);
});

test('comments of any length, with any bytes', async () => {
  writeFileSync(path('long'), 'REM a\nREMa\nkey\nREM\n// é\n//é\n');
  const count = async (prefix: string) => (await within(['count', '--comment', prefix, 'long'])).stdout;
  expect(await count('REM ')).toBe('5\n');
  expect(await count('REM')).toBe('3\n');
  expect(await count('// é')).toBe('5\n');
  expect(await count('#')).toBe('6\n');
});

test('comments in CSV are lines, even with quotes in them', async () => {
  const kept = 'x,"two\nlines"\nx,key\n';
  const quoted = `#,"open\n# a,"b\n${kept}##,"\nx,"#"\n`;
  writeFileSync(path('quoted.csv'), quoted);
  writeFileSync(path('plain.csv'), `${kept}x,"#"\n`);
  const csv = 'build -n 100 --csv -f 2 -o out';
  const expected = await made(`${csv} plain.csv`);
  expect((await made(`${csv} quoted.csv`, HASH)).equals(expected)).toBe(true);
  const { stdout } = await within([...`${csv} --json --force quoted.csv`.split(' '), ...HASH]);
  expect(JSON.parse(stdout)).toMatchObject({ inserted: 3, skipped: 0 });
});

/** Records of 300 bytes. Many share a chunk, and some lie in two. */
const LARGE = inLongRuns(3000, 300);
const CHUNK = 10_000;

test.each([
  ['CSV', ['--csv', '-f', '1'], '#,"\n', (i: number) => `"${i}${'x'.repeat(300)}\n"\n`],
  ['large lists', [], '#\n', (i: number) => `${i}${'x'.repeat(300)}\n${i % 10 === 7 ? `#${i}\n` : ''}`],
])('comments of %s that threads divide', async (_, flags, first, record) => {
  const records = Array.from({ length: LARGE }, (_, i) => record(i)).join('');
  writeFileSync(path('large'), first + records);
  writeFileSync(path('rest'), records.replace(/^#.*\n/gm, ''));
  const built = async (threads: string, ...more: string[]) => {
    const args = ['build', '-n', '32000', '-o', 'divided', '--force', '--threads', threads, ...flags, ...more];
    expect((await within(args, { chunk: CHUNK })).status).toBe(0);
    return readFileSync(path('divided'));
  };
  expect((await built('2', ...HASH, 'large')).equals(await built('1', 'rest'))).toBe(true);
});

test.each([['list', HASH], ['kept']])('add, stats and remove skip comments of %s', async (list, comment = []) => {
  const filter = `${list}.bloom`;
  await within('build -n 10k --kind counting /dev/null -o'.split(' ').concat(filter));
  await within(['add', filter, list, ...comment]);
  const { stdout } = await within(['stats', '--probes', '0', '--present', list, filter, ...comment]);
  expect(stdout).toContain('\n  on present keys  0 missing of 1,500 keys\n');
  await within(['remove', filter, list, ...comment]);
  expect((await within(['query', '-c', filter, 'kept'])).stdout).toBe('0\n');
});

test('dedup prints no comments', async () => {
  const printed = (list: string, flags: string, comment: readonly string[] = []) =>
    within([...`dedup -n 10k --summary ${flags} ${list}`.split(/ +/), ...comment]);
  const twice = 'kept list list';
  const windows = ['--window 2000 --keep 0', '--window 1100 --keep 1 -f 2 -d ,'];
  for (const flags of [...sampled(['', '--repeated', '--all-repeated', '-f 2 -d ,']), ...windows])
    expect(await printed(twice, flags, HASH)).toEqual(await printed(twice.replaceAll('list', 'kept'), flags));
});

test('no comment is reported as a record without a key', () => {
  const { stdout } = shell("$BLOOM build --json -n 10k -f 2 -d , --comment '#' -o out --force list");
  // Lines without a comma have no second field.
  expect(JSON.parse(stdout).skipped).toBe(Number(shell("grep -cv '^[[:blank:]]*#\\|,' list").stdout));
});

test.each([
  ['build -o out --comment  list', "option '--comment <prefix>' argument '' is invalid: expected from 1 to 64 bytes"],
  ['build -o out --digests --hash xxh64 -n 1k --comment # list', '--comment has no effect: digests have no records'],
  [
    'build --csv -f 2 -o out --comment " list',
    `--comment " has a quote, which begins a field of --csv; give only what`,
  ],
  ['stats m.bloom --comment #', '--comment has no effect: no records are read without --absent or --present'],
])('%s is refused', async (command, message) => {
  const { stderr, status } = await within(command.split(' '));
  expect(stderr).toContain(message);
  expect(status).toBe(2);
});

test('comments with several prefixes, indented, and after records', async () => {
  writeFileSync(path('hosts'), '# title\n! title\n  # indented\n\t!\nkey one # why\nkey#two  \t#\n#\nkey !three\n');
  const keys = async (...flags: string[]) => {
    await within(['build', '-p', '1e-9', ...flags, 'hosts', '-o', 'hosts.bloom', '--force']);
    const all = [
      'key one',
      'key#two',
      'key',
      'key !three',
      'key one # why',
      'key#two  \t#',
      '! title',
      '\t!',
      '# title',
      '  # indented',
      '#',
    ];
    const { stdout } = await within(['query', 'hosts.bloom', ...all.flatMap((key) => ['-e', key])]);
    return stdout.trimEnd().split('\n');
  };
  expect(await keys('--comment', '#', '--comment', '!')).toEqual(['key !three', 'key one # why', 'key#two  \t#']);
  expect(await keys('--comment', '#', '--comment', '!', '--trailing-comments')).toEqual(['key one', 'key#two', 'key']);
  expect(await keys('--comment', '#', '--trailing-comments')).toEqual([
    'key one',
    'key#two',
    'key !three',
    '! title',
    '\t!',
  ]);
});

test.each([
  [['--trailing-comments'], '--trailing-comments has no effect: without --comment there are no comments'],
  [
    ['--csv', '-f', '1', '--comment', '#', '--trailing-comments'],
    '--trailing-comments has no effect: comments of --csv',
  ],
])('%j is refused', async (flags, message) => {
  expect((await within(['count', ...flags, 'list'])).stderr).toContain(message);
});

test('--skip-empty skips empty records; without it, a line says that they are keys', async () => {
  writeFileSync(path('blank'), 'a\n\n \t\nb\n\r\n');
  const built = (...flags: string[]) => within(['build', '-n', '9', 'blank', '-o', 'blank.bloom', '--force', ...flags]);
  const note = (keys: string) => `${keys} added, as of blank lines; --skip-empty skips empty records\n`;
  expect((await built()).stderr).toContain(note('2 empty keys were'));
  expect((await built('--trim')).stderr).toContain(note('3 empty keys were'));
  expect((await built('-q')).stderr).toBe('');
  const { stderr } = await built('--skip-empty');
  expect(stderr).not.toContain('empty');
  expect(stderr).toContain(': 2 keys (2 distinct)');
  expect((await within(['query', '-c', 'blank.bloom', '-e', ''])).stdout).toBe('0\n');
  expect((await within(['add', 'blank.bloom', '-e', ''])).stderr).toContain(note('1 empty key was'));
  expect((await within(['query', '-c', 'blank.bloom', '-e', ''])).stdout).toBe('1\n');
  // Counted from the input, and by several threads.
  expect((await within(['build', 'blank', '-o', 'counted.bloom'])).stderr).toContain(note('2 empty keys were'));
  writeFileSync(path('long'), `${readFileSync(path('list'), 'utf8')}\n\n`.repeat(10));
  const build = ['build', '-n', '10k', '--threads', '3', 'long', '-o', 'long.bloom'];
  expect((await within(build, { chunk: CHUNK })).stderr).toContain(note('10 empty keys were'));
  // In several inputs.
  for (const args of [['build'], ['build', '-n', '10'], ['add']]) {
    const files = ['blank', 'list', 'blank', 'blank'];
    const { stderr } = await within([
      ...args,
      ...(args[0] === 'add' ? ['sum.bloom'] : ['-o', 'sum.bloom', '--force']),
      ...files,
    ]);
    expect(stderr).toContain(note('6 empty keys were'));
  }
});
