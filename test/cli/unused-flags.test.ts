// Flags that would change nothing beside others: bloom refuses each by its name, and does not ignore it.

import { writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { fixture, scratch } from './run.ts';

const { path, within } = scratch();

beforeAll(async () => {
  await within(['build', fixture('words.txt'), '-o', 'a.bloom']);
  writeFileSync(path('keys'), 'walk\n');
});

/** Flags that select the keys of records. */
const OF_RECORDS = ['-f 1', '-d ,', '-D ,', '--json-key a', '--tokens words', '--raw'];

/** The flags on the line, and the flags that have no effect beside them, as people type them. */
const CASES: readonly (readonly [string, readonly string[]])[] = [
  ['query --which a.bloom', ['-l', '-L', '-v', '-m 1', '-o', '-Z', '-c', '--tag', '-n', '-H', '--summary']],
  ['query --which a.bloom', ['--line-buffered', '--files-from x', '--files0-from x', '--slice 1/2', '--all']],
  ['query --which -q a.bloom', ['--first-only', '--json', '--output x']],
  ['query --which a.bloom -e walk', OF_RECORDS],
  ['query a.bloom -e walk', [...OF_RECORDS, '--csv', '--slice 1/2']],
  ['query a.bloom keys', ['--force', '--stale', '-Z']],
  ['query -q a.bloom keys', ['-c', '-m 1', '-o', '-l', '-L', '--tag', '-n', '-H', '--line-buffered', '--output x']],
  ['query -q a.bloom keys', ['--json', '--first-only']],
  ['query -q -F a.bloom keys', ['--which']],
  ['query -l a.bloom keys', ['-c', '-m 1', '-o', '--tag', '-n', '-H', '--summary', '--line-buffered']],
  ['query -L a.bloom keys', ['-c', '-m 1', '-o', '--tag', '-n', '-H', '--summary', '--line-buffered']],
  ['query --output x a.bloom keys', ['--line-buffered']],
  ['query -c a.bloom keys', ['-n', '--line-buffered']],
  ['query -co a.bloom keys', ['-v', '--summary', '--json', '-m 1', '--all-fields', '--first-only']],
  ['query -co -F a.bloom keys', ['--which']],
  ['query --json a.bloom keys', ['-n', '-H', '-Z']],
  ['query --suffixes a.bloom keys', ['--fold', '--all-fields']],
  ['query a.bloom keys --json-key a', ['-f 1', '-d ,', '--tokens words', '--header']],
  ['query a.bloom keys --tokens words', ['-f 1', '-d ,', '-D ,', '--csv']],
  ['query a.bloom keys', ['--all-fields']],
  ['build keys -o x', ['--trailing-comments']],
  ['build keys -o x --csv -f 1 --comment #', ['--trailing-comments']],
  ['build keys -o x', ['--records 3', '--keys-per-record 3', '--never-wins', '--member-wins']],
  ['build keys -o x --kind ribbon --never keys --never-wins', ['--member-wins']],
  ['build keys -o x --kind ribbon --universe keys', ['--never keys', '--never-wins', '--member-wins']],
  ['build keys -o x --format dcso', ['--kind cuckoo', '--seed 1', '-i', '--trim']],
  ['stats -q a.bloom', ['--json', '--prometheus', '--plot']],
  ['stats --json a.bloom', ['--plot']],
  ['stats --prometheus a.bloom', ['--plot']],
  ['stats a.bloom', ['-f 1', '-d ,', '-0', '--comment #', '--trailing-comments', '--skip-empty', '--raw']],
  ['stats a.bloom', ['--key-type int64', '--key-hash md5', '--hashed']],
  ['count keys', ['--force']],
  ['index --update -o x keys', ['--force']],
];

const LINES = CASES.flatMap(([line, flags]) => flags.map((flag) => [line, flag] as const));

test.each(LINES)('%s refuses %s', async (line, flag) => {
  const [command = '', ...rest] = line.split(' ');
  const { stdout, stderr, status } = await within([command, ...flag.split(' '), ...rest]);
  expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
  expect(stderr).toMatch(/^bloom: --[a-z0-9-]+ has no effect: [^\n]+; [^\n]+\n$/);
  expect(stderr.split(' ')[1]).toBe(await longName(command, flag));
});

/** The long name of a flag, from the help of a command. */
async function longName(command: string, flag: string): Promise<string> {
  const [name = ''] = flag.split(' ');
  if (name.startsWith('--')) return name;
  const { stdout } = await within([command, '--help']);
  return new RegExp(`^ +${name}, (--[a-z0-9-]+)`, 'm').exec(stdout)?.[1] ?? `no long name of ${name}`;
}
