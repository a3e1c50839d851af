// A query colours its output as grep does, byte for byte.

import { writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { inLongRuns } from '../long.ts';
import { scratch } from './run.ts';

const { path, shell, within } = scratch();

beforeAll(async () => {
  writeFileSync(path('members'), 'alpha\nbeta\n');
  writeFileSync(path('text'), 'no alpha beta x\nalpha  beta alpha\n\nnever\nbeta\n beta \nalpha\n');
  writeFileSync(path('others'), 'none\nbeta');
  await within(['build', '-p', '1e-9', 'members', '-o', 'm.bloom']);
});

const FILES = 'text others';

/** Expects the same output from both programs. */
async function expectSame(flags: string, keys: { readonly grep: string; readonly bloom: string }, colours = '') {
  const grep = shell(`GREP_COLORS='${colours}' grep --color=always ${keys.grep} ${flags} -f members ${FILES}`).stdout;
  expect(grep).toContain('\x1b');
  const args = `query --color always ${keys.bloom} ${flags} m.bloom ${FILES}`.split(/ +/);
  expect((await within(args, { env: { GREP_COLORS: colours } })).stdout).toBe(grep);
}

const KEYS = [
  ['tokens', { grep: '-Fw', bloom: '-f 1-' }],
  ['records', { grep: '-Fx', bloom: '' }],
] as const;
const SHOWN = KEYS.flatMap(([name, keys]) =>
  ['-nH', '-nHo', '-nHv', '-Ho', '-cH', '-l', '-m1 -H'].map((flags) => [name, flags, keys] as const),
);

test.each(SHOWN)('%s with %s', (_, flags, keys) => expectSame(flags, keys));

test.each(['mt=04', 'ms=01;32:fn=1:ln=:se=7:ne', 'fn=33:ms=xx:ln=31', 'what=1:sl=1x:fn=1'])(
  'GREP_COLORS=%s',
  (colours) => expectSame('-nH', { grep: '-Fx', bloom: '' }, colours),
);

test('only if it is requested, or if the records go to a terminal', async () => {
  const plain = shell('grep -Fx -f members text').stdout;
  for (const variables of ['', 'FORCE_COLOR=1', 'NO_COLOR=1'])
    for (const flags of inLongRuns(['', '--color auto', '--color never'], variables === 'FORCE_COLOR=1' ? [''] : []))
      expect(shell(`${variables} $BLOOM query ${flags} m.bloom text`).stdout).toBe(plain);
  expect((await within(['query', '--color', 'never', 'm.bloom', 'text'])).stdout).toBe(plain);
  const json = ['query', '--json', '--color', 'always', 'm.bloom', 'others'];
  expect((await within(json)).stdout).not.toContain('\x1b');
});

test('a key that differs from its bytes in the record is not coloured', async () => {
  await within(['build', '-p', '1e-9', '--trim', '-i', 'members', '-o', 'folded.bloom']);
  const { stdout } = await within(['query', '--color', 'always', '-f', '2', '-d', ',', 'folded.bloom'], {
    stdin: 'x, BETA ,y\r\n',
  });
  expect(stdout).toBe('x,\x1b[01;31m\x1b[K BETA \x1b[m\x1b[K,y\r\n');
});

test.each([
  ['size', '-n', '1M', '-p', '1%', '--kind', 'all', '--overfill', '--plot'],
  ['size', '-n', '1M', '-n', '2M', '-p', '1%', '--plot'],
  ['stats', 'm.bloom', '--absent', 'text', '--present', 'members', '--probes', '0', '--plot'],
  ['stats', 'm.bloom', 'text', '--probes', '0'],
  ['formats'],
  ['compare', 'm.bloom', 'm.bloom'],
])('colours change no character of %s', async (...args) => {
  const coloured = await within([...args, '--color', 'always']);
  const plain = await within([...args, '--color', 'never']);
  expect(`${coloured.stdout}${coloured.stderr}`).toContain('\x1b');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the control sequences of a terminal
  const withoutColours = (text: string) => text.replace(/\x1b\[\d+m/g, '');
  expect(withoutColours(coloured.stdout)).toBe(plain.stdout);
  expect(withoutColours(coloured.stderr)).toBe(plain.stderr);
});
