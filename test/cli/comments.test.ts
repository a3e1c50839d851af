// Comments in lists: what --comment leaves out is what grep -v does.

import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { sampled } from '../long.ts';
import { scratch } from './run.ts';

const { path, shell, within } = scratch();

beforeAll(() => {
  const lines = Array.from(
    { length: 3000 },
    (_, i) => [`k${i},x${i}`, `#c${i},y`, ` #b${i}`, `a#${i}`, `e${i}`, '##'][i % 6],
  );
  writeFileSync(path('list'), `# title\n${lines.join('\n')}\n#end`);
  shell("grep -v '^#' list > kept; tr '\\n' '\\0' < list > list0; sed 's/$/\\r/' list > crlf");
});

/** The bytes of a file that a command line makes. */
function made(line: string): Buffer {
  expect(shell(`rm -f out; ${line}`)).toMatchObject({ status: 0, stderr: expect.not.stringMatching('^bloom: ') });
  return readFileSync(path('out'));
}

test.each([
  ['build -o out', ['list', '-0 list0', 'crlf']],
  ['build -n 10k -f 2 -d , --kind cuckoo --threads 1 -o out', ['list']],
  ['digest -o out', ['list', '- < list']],
  ['digest -f 2 -d , -o out', ['list']],
  ['count -o out', ['list', '- < list']],
])('%s takes the other lines', (command, lists) => {
  const expected = made(`$BLOOM ${command} kept`);
  for (const list of lists) expect(made(`$BLOOM ${command} --comment '#' ${list}`).equals(expected), list).toBe(true);
});

test('of any length, and with bytes of any letters', async () => {
  writeFileSync(path('long'), 'REM a\nREMa\nkey\nREM\n// é\n//é\n');
  const count = async (prefix: string) => (await within(['count', '--comment', prefix, 'long'])).stdout;
  expect(await count('REM ')).toBe('5\n');
  expect(await count('REM')).toBe('3\n');
  expect(await count('// é')).toBe('5\n');
  expect(await count('#')).toBe('6\n');
});

test('of CSV they are lines, whatever quotes are in them', () => {
  const kept = 'x,"two\nlines"\nx,key\n';
  const quoted = `#,"open\n# a,"b\n${kept}##,"\nx,"#"\n`;
  writeFileSync(path('quoted.csv'), quoted);
  writeFileSync(path('plain.csv'), `${kept}x,"#"\n`);
  const csv = 'build -n 100 --csv -f 2 -o out';
  const expected = made(`$BLOOM ${csv} plain.csv`);
  expect(made(`$BLOOM ${csv} --comment '#' quoted.csv`).equals(expected)).toBe(true);
  const { stdout } = shell(`$BLOOM ${csv} --json --force --comment '#' quoted.csv`);
  expect(JSON.parse(stdout)).toMatchObject({ inserted: 3, skipped: 0 });
});

test('of CSV that threads divide', () => {
  shell(`seq 300000 | sed 's/.*/"&${'x'.repeat(120)}\\n"/' > rest.csv; (echo '#,"'; cat rest.csv) > large.csv`);
  expect(
    shell(`$BLOOM build -n 300k -o divided --threads 2 --csv -f 1 --comment '#' large.csv
      $BLOOM build -n 300k -o whole --threads 1 --csv -f 1 rest.csv; cmp divided whole`),
  ).toMatchObject({ stdout: '', status: 0 });
});

test('of large lists, by threads', () => {
  shell(`seq 300000 | sed 's/^\\(.*7\\)$/#\\1/; s/$/${'x'.repeat(120)}/' > large; grep -v '^#' large > rest`);
  expect(
    shell(`
      $BLOOM build -n 300k -o with --threads 2 --comment '#' large; $BLOOM build -n 300k -o without rest; cmp with without`),
  ).toMatchObject({ stdout: '', status: 0 });
});

test('what is added to a filter, taken from it, and known of it', () => {
  expect(
    shell(`
      for list in 'list --comment #' kept; do
        seq 10 | $BLOOM build -n 10k --kind counting -o "$list.bloom" 2> out
        $BLOOM add "$list.bloom" $list > out 2>&1; $BLOOM stats --probes 0 --present $list "$list.bloom" | grep present
        $BLOOM remove "$list.bloom" $list > out 2>&1; $BLOOM query -c "$list.bloom" kept
      done`).stdout,
  ).toBe('  on present keys  0 missing of 2,000 keys\n0\n'.repeat(2));
});

test('dedup prints no comments', () => {
  const printed = (list: string, flags = '') => shell(`$BLOOM dedup -n 10k --summary ${flags} ${list}`);
  const twice = 'kept list list';
  const windows = ['--window 2000 --keep 0', '--window 1100 --keep 1 -f 2 -d ,'];
  for (const flags of [...sampled(['', '--repeated', '--all-repeated', '-f 2 -d ,']), ...windows])
    expect(printed(`--comment '#' ${twice}`, flags)).toEqual(printed(twice.replaceAll('list', 'kept'), flags));
});

test('no record of a comment is reported as one without a key', () => {
  const { stdout } = shell("$BLOOM build --json -n 10k -f 2 -d , --comment '#' -o out --force list");
  // Those without a comma have no second field.
  expect(JSON.parse(stdout).skipped).toBe(Number(shell("grep -cv '^#\\|,' list").stdout));
});

test.each([
  ['build -o out --comment  list', "option '--comment <prefix>' argument '' is invalid: expected from 1 to 64 bytes"],
  ['build -o out --digests --hash xxh64 -n 1k --comment # list', '--comment has no effect: digests have no records'],
  ['build --csv -f 2 -o out --comment " list', `--comment " has a quote, which begins a field of --csv; give what`],
  ['stats m.bloom --comment #', '--comment has no effect: no records are read without --absent or --present'],
])('%s is refused', async (command, message) => {
  const { stderr, status } = await within(command.split(' '));
  expect(stderr).toContain(message);
  expect(status).toBe(2);
});
