// -o prints the matching keys, as grep -o prints matching parts.

import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { fixture, scratch } from './run.ts';

const { path, shell, within } = scratch();
const LOG = fixture('dpkg.log');

beforeAll(async () => {
  const words = ['alpha', 'beta', 'gamma', 'no', 'never', 'Alpha'];
  const lines = Array.from({ length: 500 }, (_, i) =>
    Array.from(
      { length: i % 6 },
      (_, j) => words[i % 5 === 0 ? 3 + ((i + j) % 2) : (i * 7 + j * j * 3) % words.length],
    ).join(i % 2 === 0 ? ' ' : '  '),
  );
  writeFileSync(path('text'), lines.map((line) => `${line}\n`).join(''));
  writeFileSync(path('members'), 'alpha\nbeta\ngamma\n');
  await within(['build', '-p', '1e-9', 'members', '-o', 'm.bloom']);
  await within(['build', '-p', '1e-9', '-i', 'members', '-o', 'folded.bloom']);
});

const TOKENS = ['-o', '-oHn', '-on', '-onm 7', '--only-matching'].flatMap((flags) => [
  [flags, 'm.bloom', '-Fw'] as const,
  [flags, 'folded.bloom', '-Fwi'] as const,
]);

test.each(TOKENS)('%s of tokens in %s, as grep %s', async (flags, filter, sort) => {
  // Two files, so that record numbers begin again. grep names files only where bloom does.
  const name = flags.includes('H') ? '' : '-h';
  const expected = shell(`grep ${name} ${sort} ${flags} -f members text text; echo $?`).stdout;
  expect(expected.length).toBeGreaterThan(100);
  const query = `query ${flags} -f 1- ${filter} text text`;
  const { stdout, status } = await within(query.split(' '));
  expect(`${stdout}${status}\n`).toBe(expected);
});

test('of whole records, with their ends', async () => {
  expect((await within(['query', '-on', 'm.bloom', 'text'])).stdout).toBe(shell('grep -Fxon -f members text').stdout);
  expect((await within(['query', '-o', 'm.bloom'], { stdin: 'beta\r\nno\r\nalpha' })).stdout).toBe('beta\nalpha\n');
  expect((await within(['query', '-o0', 'm.bloom'], { stdin: 'beta\0no\0alpha' })).stdout).toBe('beta\0alpha\0');
});

test('of fields, as awk has them', async () => {
  const packages = fixture('packages.txt');
  await within(['build', '-p', '1e-9', packages, '-o', 'packages.bloom']);
  const awk = `awk 'NR == FNR { member[$1]; next } $4 in member { print FNR ":" $4 }' ${packages} ${LOG}`;
  expect((await within(['query', '-on', '-f', '4', 'packages.bloom', LOG])).stdout).toBe(shell(awk).stdout);
});

test('of more fields of CSV than a batch has, in a last record whose quotes do not end', async () => {
  const fields = Array.from({ length: 20_000 }, (_, i) => (i % 5000 === 4999 ? 'beta' : `${i}`));
  const { stdout } = await within(['query', '-on', '--csv', '-f', '1-', 'm.bloom'], {
    stdin: `alpha,"one"\n${fields.join(',')},"open\n`,
  });
  expect(stdout).toBe(`1:alpha\n${'2:beta\n'.repeat(4)}`);
});

test('with -v the absent keys', async () => {
  const expected = shell('awk \'!/alpha|beta|gamma/ { for (i = 1; i <= NF; i++) print FNR ":" $i }\' text').stdout;
  expect(expected.length).toBeGreaterThan(100);
  expect((await within(['query', '-onv', '-f', '1-', 'm.bloom', 'text'])).stdout).toBe(expected);
});

test('with -v and --all-fields the absent keys of records that have present keys too', async () => {
  const expected = shell(
    'awk \'{ for (i = 1; i <= NF; i++) if ($i !~ /^(alpha|beta|gamma)$/) print FNR ":" $i }\' text',
  ).stdout;
  expect(expected).toMatch(/^\d+:no$/m);
  expect((await within(['query', '-onv', '-f', '1-', '--all-fields', 'm.bloom', 'text'])).stdout).toBe(expected);
});

test('with --all -v the keys that at least one of several filters lacks', async () => {
  await within(['build', '-q', '-p', '1e-9', '-o', 'both.bloom'], { stdin: 'beta\nno\n' });
  const query = async (...flags: string[]) =>
    (
      await within(['query', 'm.bloom', '-F', 'both.bloom', '--all', '-ov', ...flags], {
        stdin: 'alpha\nbeta\nno\nnever\n',
      })
    ).stdout;
  expect(await query()).toBe('alpha\nno\nnever\n');
  expect(stripVTControlCharacters(await query('--color', 'always'))).toBe('alpha\nno\nnever\n');
  const tokens = ['query', 'm.bloom', '-F', 'both.bloom', '-f', '1-', '--all-fields', '--all', '-ov'];
  expect((await within(tokens, { stdin: 'beta beta\nbeta alpha\nno never\n' })).stdout).toBe('alpha\nno\nnever\n');
});

test('as JSON, one object per key', async () => {
  expect(
    (await within(['query', '-o', '--json', '-f', '1-', 'm.bloom'], { stdin: 'no beta\nalpha \xff\n' })).stdout,
  ).toBe('{"record":"beta","match":true,"file":"-","line":1}\n{"record":"alpha","match":true,"file":"-","line":2}\n');
  expect((await within(['query', '-o', '--json', 'm.bloom', '-e', 'alpha'])).stdout).toBe(
    '{"record":"alpha","match":true,"file":null,"line":1}\n',
  );
});

test('of words with an address and other characters', async () => {
  writeFileSync(path('log'), 'from [10.0.0.1] to /10.0.0.2:80/x\nrhost=10.0.0.1 10.0.0.11\n10.0.0.2:80\n');
  writeFileSync(path('addresses'), '10.0.0.1\n10.0.0.2\n');
  await within(['build', '-p', '1e-9', 'addresses', '-o', 'addresses.bloom']);
  expect((await within(['query', '-on', '--tokens', 'words', 'addresses.bloom', 'log'])).stdout).toBe(
    shell('grep -onFwf addresses log').stdout,
  );
});

test('of JSON, decoded', async () => {
  // Other names lie between the selected ones, and some names have escapes.
  const names = Array.from({ length: 30_000 }, (_, i) => `k${(i * 7) % 50}`);
  const lines = names.map((name, i) => JSON.stringify({ a: { b: name } }).replace('k', i % 3 === 0 ? '\\u006b' : 'k'));
  writeFileSync(path('objects'), `${lines.join('\n')}\n`);
  const odd = names.filter((name) => Number(name.slice(1)) % 2 === 1);
  await within(['build', '-p', '1e-9', '-o', 'odd.bloom'], { stdin: odd.map((name) => `${name}\n`).join('') });
  const expected = names.flatMap((name, i) => (Number(name.slice(1)) % 2 === 1 ? [`${i + 1}:${name}\n`] : []));
  expect((await within(['query', '-on', '--json-key', 'a.b', 'odd.bloom', 'objects'])).stdout).toBe(expected.join(''));
});

test('with the filters that have each key', async () => {
  await within(['build', '-p', '1e-9', '-o', 'n.bloom'], { stdin: 'beta\nno\n' });
  const query = async (...flags: string[]) =>
    (
      await within(['query', 'm.bloom', '-F', 'n.bloom', '--which', '-f', '1-', ...flags], {
        stdin: 'alpha beta\nnever\nno never\n',
      })
    ).stdout;
  expect(await query('-on')).toBe('m.bloom\t1:alpha\nm.bloom,n.bloom\t1:beta\nn.bloom\t3:no\n');
  expect(await query('-o', '--all')).toBe('m.bloom\talpha\nm.bloom,n.bloom\tbeta\n');
  const coloured = async (...flags: string[]) =>
    ['01;31', '35', '32', '36', ''].reduce(
      (text, colour) => text.replaceAll(`\x1b[${colour}m\x1b[K`, colour === '01;31' ? '*' : ''),
      await query('--color', 'always', ...flags),
    );
  expect(await coloured('-on')).toBe('m.bloom\t1:*alpha\nm.bloom,n.bloom\t1:*beta\nn.bloom\t3:*no\n');
  expect(await coloured()).toBe('m.bloom,n.bloom\t*alpha *beta\nn.bloom\t*no never\n');
});

test('as they are in the record, not as they are hashed', async () => {
  await within(['build', '--trim', '-p', '1e-9', '-o', 'trim.bloom'], { stdin: '1\n2\n3\n4\n5\n' });
  writeFileSync(path('fields'), 'a, 3\nb,4 \nc,9\n');
  expect((await within(['query', '-o', '-f', '2', '-d', ',', 'trim.bloom', 'fields'])).stdout).toBe(' 3\n4 \n');
});

test.each([
  ['--tag', '--tag prints all records, --only-matching prints keys; leave out one of them'],
  ['-q', '--only-matching has no effect: --quiet prints nothing; leave it out'],
])('%s with -o is refused', async (flag, message) => {
  expect(await within(['query', '-o', flag, 'm.bloom', 'text'])).toMatchObject({
    stderr: `bloom: ${message}\n`,
    status: 2,
  });
});
