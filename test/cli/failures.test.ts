// What can go wrong with the files that a command writes: the cause is told, and the old file is as it was.

import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { fixture, scratch } from './run.ts';

const { bloom, path, shell } = scratch();
const WORDS = fixture('words.txt');

beforeAll(() => {
  bloom(['build', '--kind', 'counting', WORDS, '-o', 'words.bloom']);
  shell('seq 100000 > more');
});

const leftovers = () => readdirSync(path('.')).filter((name) => name.startsWith('.'));

describe('a file that grows over the limit of its owner', () => {
  test.each([
    ['build', `build -n 1M ${WORDS} --force -o words.bloom`],
    ['add', 'add words.bloom more'],
    ['remove', `remove words.bloom ${WORDS}`],
    ['merge', 'merge words.bloom words.bloom --force -o words.bloom.2'],
  ])('%s', (_, command) => {
    const before = readFileSync(path('words.bloom'));
    // In blocks of 1,024 bytes.
    const { stderr, status } = shell(`ulimit -f 8; $BLOOM ${command}`);
    expect(stderr).toMatch(
      /^bloom: cannot write words\.bloom(\.2)?: the file would be larger than the limit allows\n$/,
    );
    expect(status).toBe(2);
    expect(readFileSync(path('words.bloom'))).toEqual(before);
    expect(leftovers()).toEqual([]);
  });
});

test.each(['query words.bloom more', 'query -c words.bloom more', 'stats words.bloom', 'size', `build -o - ${WORDS}`])(
  'a full disk behind the standard output is an error: %s',
  (command) => {
    const { stderr, status } = shell(`$BLOOM ${command} > /dev/full`);
    expect(stderr).toContain('no space left on the device');
    expect(status).toBe(2);
  },
);

test.each(['query words.bloom more', 'stats words.bloom', `build -n 1M -o - ${WORDS}`])(
  'a pipe whose reader leaves is no error: %s',
  (command) => {
    expect(shell(`set -o pipefail; $BLOOM ${command} 2> errors | true; cat errors`).stderr).toBe('');
  },
);

test.skipIf(process.getuid?.() === 0)('a folder that may not be written to is an error', () => {
  shell('mkdir -p closed; cp words.bloom closed; chmod 555 closed');
  for (const command of [`build ${WORDS} -o closed/new.bloom`, 'add closed/words.bloom more']) {
    expect(shell(`$BLOOM ${command}`)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('permission denied'),
    });
  }
  shell('chmod 755 closed');
});

describe('adds to one filter at the same time', () => {
  test('lose no key: each succeeds, or is refused and can be repeated', () => {
    bloom(['build', '-n', '100', '-o', 'shared.bloom'], { stdin: 'first\n' });
    const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
    shell(
      `for key in ${keys.join(' ')}; do (until echo $key | $BLOOM add shared.bloom 2> /dev/null; do :; done) & done; wait`,
    );
    const asked = ['first', ...keys].flatMap((key) => ['-e', key]);
    expect(bloom(['query', '-c', 'shared.bloom', ...asked]).stdout).toBe(`${keys.length + 1}\n`);
    expect(JSON.parse(bloom(['stats', '--json', 'shared.bloom']).stdout).inserted).toBe(keys.length + 1);
    expect(leftovers()).toEqual([]);
  });

  test('go on where one was killed with the lock in its hand', () => {
    bloom(['build', '-n', '100', '-o', 'orphan.bloom'], { stdin: 'first\n' });
    writeFileSync(path('.orphan.bloom.lock'), '');
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(path('.orphan.bloom.lock'), longAgo, longAgo);
    expect(bloom(['add', 'orphan.bloom'], { stdin: 'second\n' }).status).toBe(0);
    expect(bloom(['query', '-c', 'orphan.bloom', '-e', 'first', '-e', 'second']).stdout).toBe('2\n');
    expect(leftovers()).toEqual([]);
  });
});

test('readers of a filter that is replaced see the old one or the new one', () => {
  shell(`head -n 2000 ${WORDS} > few; seq 300000 > many`);
  bloom(['build', '-n', '2M', 'few', '-o', 'few.bloom']);
  bloom(['build', '-n', '2M', 'few', 'many', '-o', 'many.bloom']);
  const answers = ['few', 'many'].map((name) => bloom(['query', '-c', `${name}.bloom`, 'few', 'many']).stdout.trim());
  const { stdout, stderr } = shell(`
    cp few.bloom live.bloom
    (for i in 1 2 3 4 5; do for from in many few; do $BLOOM merge $from.bloom --force -o live.bloom 2> /dev/null; done; done) &
    for i in 1 2 3 4 5 6 7 8; do $BLOOM query -c live.bloom few many; done
    wait`);
  expect(stderr).toBe('');
  const seen = stdout.trim().split('\n');
  expect(seen.length).toBe(8);
  for (const answer of seen) expect(answers).toContain(answer);
});

describe('the temporary file', () => {
  test('has the mode of the file that it replaces, and never goes through a link that lies in wait', () => {
    shell('cp words.bloom private.bloom; chmod 600 private.bloom; echo precious > precious');
    expect(bloom(['add', 'private.bloom'], { stdin: 'more\n' }).status).toBe(0);
    expect(shell('stat -c %a private.bloom').stdout).toBe('600\n');
    // Its name has 64 random bits, and it is created exclusively: nobody can put a link in its place beforehand.
    expect(shell(`strace -f -e trace=openat -o trace $BLOOM add private.bloom < more || echo missing`).status).toBe(0);
    const trace = shell('grep -o "\\.private\\.bloom\\.[0-9a-f]*\\.tmp.*" trace 2> /dev/null | head -n 1').stdout;
    if (trace !== '') expect(trace).toMatch(/^\.private\.bloom\.[0-9a-f]{16}\.tmp", O_WRONLY\|O_CREAT\|O_EXCL/);
    expect(shell('cat precious').stdout).toBe('precious\n');
  });
});

test('a random seed differs from filter to filter, and is obeyed by all commands', () => {
  for (const name of ['one', 'two']) bloom(['build', '--seed', 'random', WORDS, '-o', `${name}.bloom`]);
  const seeds = ['one', 'two'].map((name) => JSON.parse(bloom(['stats', '--json', `${name}.bloom`]).stdout).seed);
  expect(seeds[0]).not.toBe(seeds[1]);
  expect(bloom(['query', '-c', 'one.bloom', WORDS]).stdout).toBe('5130\n');
  expect(bloom(['merge', 'one.bloom', 'two.bloom', '-o', 'no.bloom']).stderr).toContain(
    `seed is ${seeds[1]} in two.bloom`,
  );
  bloom(['build', '--like', 'one.bloom', WORDS, '-o', 'alike.bloom']);
  expect(bloom(['merge', 'one.bloom', 'alike.bloom', '-o', 'both.bloom']).status).toBe(0);
});

test('stats --verify reads every byte, and names what is damaged', () => {
  bloom(['build', '-n', '2M', WORDS, '-o', 'large.bloom']);
  const whole = bloom(['stats', '--verify', '--json', 'large.bloom']);
  expect(JSON.parse(whole.stdout)).toMatchObject({ verified: true, measuredFpr: null, segments: 5 });
  const bytes = readFileSync(path('large.bloom'));
  const inFourth = Math.floor(bytes.length * 0.7);
  bytes[inFourth] = (bytes[inFourth] ?? 0) ^ 4;
  writeFileSync(path('damaged.bloom'), bytes);
  const { stdout, stderr, status } = bloom(['stats', '--verify', 'damaged.bloom']);
  expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
  expect(stderr).toBe(
    'bloom: damaged.bloom is damaged: segment 4 of 5 does not match its checksum; restore it from a copy, or build it again\n',
  );
});
