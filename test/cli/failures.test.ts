// What can go wrong with the files that a command writes: bloom prints the cause, and the old file is unchanged.

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { IS_LONG, sampled } from '../long.ts';
import { fixture, scratch } from './run.ts';

const { path, shell, start, within } = scratch();
const WORDS = fixture('words.txt');

/** The outcome of an addition to a filter with a left-over lock. It waits for seconds, while other tests run. */
let locked: { readonly ended: Promise<unknown>; readonly said: string[]; readonly before: Buffer };

beforeAll(async () => {
  await within(['build', '--kind', 'counting', WORDS, '-o', 'words.bloom']);
  shell('seq 100000 > more; mkdir left; cp words.bloom left; ln -s "1 5 elsewhere" left/.words.bloom.lock');
  const adding = start(['add', 'left/words.bloom', 'more']);
  const said: string[] = [];
  adding.stderr?.on('data', (bytes) => said.push(String(bytes)));
  locked = { ended: once(adding, 'close'), said, before: readFileSync(path('left/words.bloom')) };
});

const leftovers = () => readdirSync(path('.')).filter((name) => name.startsWith('.'));

describe('a file that grows over the limit of its owner', () => {
  test.each(
    sampled([
      ['build', `build -n 1M ${WORDS} --force -o words.bloom`],
      ['add', 'add words.bloom more'],
      ['remove', `remove words.bloom ${WORDS}`],
      ['merge', 'merge words.bloom words.bloom --force -o words.bloom.2'],
    ]),
  )('%s', (_, command) => {
    const before = readFileSync(path('words.bloom'));
    // ulimit counts blocks of 1,024 bytes.
    const { stderr, status } = shell(`ulimit -f 8; $BLOOM ${command}`);
    expect(stderr).toMatch(
      /^bloom: cannot write words\.bloom(\.2)?: the file would be larger than the limit allows\n$/,
    );
    expect(status).toBe(2);
    expect(readFileSync(path('words.bloom')).equals(before)).toBe(true);
    expect(leftovers()).toEqual([]);
  });
});

/** Whether a limit of the address space stops WebAssembly here, and not Node. */
const hasSpaceLimit =
  spawnSync('bash', [
    '--norc',
    '-c',
    `ulimit -v 8000000; $0 -e 'new WebAssembly.Memory({ initial: 1 })'`,
    process.execPath,
  ]).status === 1;
const unlimited = hasSpaceLimit ? '' : ' (no such limit here)';

test.skipIf(!IS_LONG || !hasSpaceLimit)(`too little address space is an error${unlimited}`, () => {
  for (const command of [`build ${WORDS} -o never.bloom`, 'query words.bloom more', 'query words.bloom -e 1']) {
    expect(shell(`ulimit -v 8000000; $BLOOM ${command}`)).toEqual({
      stdout: '',
      stderr:
        'bloom: WebAssembly cannot reserve 10 GiB of address space; raise the limit, for example with ulimit -v unlimited\n',
      status: 2,
    });
  }
});

test.each(
  sampled(['query words.bloom more', 'query -c words.bloom more', 'stats words.bloom', 'size', `build -o - ${WORDS}`]),
)('a full disk behind the standard output is an error: %s', (command) => {
  const { stderr, status } = shell(`$BLOOM ${command} > /dev/full`);
  expect(stderr).toContain('no space left on the device');
  expect(status).toBe(2);
});

test.each(sampled(['query words.bloom more', 'stats --probes 0 words.bloom', `build -n 1M -o - ${WORDS}`]))(
  'a pipe whose reader ends is not an error: %s',
  (command) => {
    expect(shell(`set -o pipefail; $BLOOM ${command} 2> errors | true; cat errors`).stderr).toBe('');
  },
);

test('a filter for a closed standard output is an error', () => {
  expect(shell(`$BLOOM build ${WORDS} -o - >&-`)).toMatchObject({
    stderr: expect.stringMatching(/^bloom: cannot write standard output: it seems to be closed; /),
    status: 2,
  });
  expect(shell(`$BLOOM build ${WORDS} -o - > /dev/null`).status).toBe(0);
});

test.each(
  sampled([
    'build -o words.bloom --force',
    `build -o words.bloom --force ${WORDS} -`,
    'add words.bloom',
    'remove words.bloom -',
    'query words.bloom',
    'query - -e walk',
    'merge words.bloom - -o -',
    'stats words.bloom --present -',
  ]),
)('a closed standard input is an error, not an empty input: %s', (command) => {
  const before = readFileSync(path('words.bloom'));
  expect(shell(`$BLOOM ${command} <&-`)).toEqual({
    stdout: '',
    stderr:
      'bloom: cannot read standard input: it seems to be closed; name a file, or redirect it; with < /dev/null nothing is read\n',
    status: 2,
  });
  expect(readFileSync(path('words.bloom')).equals(before)).toBe(true);
});

test('an empty standard input is accepted, and so is a closed one that is not read', () => {
  expect(shell('$BLOOM build -o nothing.bloom < /dev/null').status).toBe(0);
  expect(shell('$BLOOM query words.bloom < /dev/null').status).toBe(1);
  expect(shell('$BLOOM query words.bloom -e walk <&-')).toMatchObject({ stdout: 'walk\n', status: 0 });
});

test.runIf(IS_LONG)(
  'a filter whose reader ends early is a failure, and an unhealthy filter stays unhealthy',
  async () => {
    const statusOf = (command: string) =>
      shell(`($BLOOM ${command} 2>&1; echo $? >&2) | head -c 100 > /dev/null`).stderr;
    expect(statusOf(`build -n 1M -o - ${WORDS}`)).toBe('2\n');
    await within(['build', '-n', '1k', WORDS, '-o', 'small.bloom']);
    expect(shell('mkfifo pipe; (exec 3< pipe) & $BLOOM build -n 10M more -o pipe; echo $?').stdout).toBe('2\n');
    expect(shell('($BLOOM stats --check --probes 0 small.bloom; echo $? >&2) | true').stderr).toBe('1\n');
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

describe('additions to one filter at the same time', () => {
  test('lose no key: each addition succeeds, or is refused and can be repeated', async () => {
    await within(['build', '-n', '100', '-o', 'shared.bloom'], { stdin: 'first\n' });
    // All of them find the lock of a killed process.
    const { pid } = spawnSync('true');
    symlinkSync(`${pid} - ${hostname()}`, path('.shared.bloom.lock'));
    const keys = ['a', 'b', 'c'];
    shell(
      `for key in ${keys.join(' ')}; do (until echo $key | $BLOOM add shared.bloom 2> /dev/null; do :; done) & done; wait`,
    );
    const asked = ['first', ...keys].flatMap((key) => ['-e', key]);
    expect((await within(['query', '-c', 'shared.bloom', ...asked])).stdout).toBe(`${keys.length + 1}\n`);
    expect(JSON.parse((await within(['stats', '--json', '--probes', '0', 'shared.bloom'])).stdout).inserted).toBe(
      keys.length + 1,
    );
    expect(leftovers()).toEqual([]);
  });

  test('fail at last if there is a lock, and say what to do if it was left behind', async () => {
    expect(await locked.ended).toEqual([2, null]);
    expect(locked.said.join('')).toMatch(
      /\.words\.bloom\.lock has existed for 3 seconds; .* left this file: remove it\n$/,
    );
    expect(readFileSync(path('left/words.bloom')).equals(locked.before)).toBe(true);
    expect(readdirSync(path('left')).sort()).toEqual(['.words.bloom.lock', 'words.bloom']);
  });

  describe('if there is a lock', () => {
    const lock = '.locked.bloom.lock';
    beforeEach(async () => {
      await within(['build', '-n', '100', '-o', 'locked.bloom', '--force'], { stdin: 'first\n' });
      symlinkSync('1 5 elsewhere', path(lock));
    });
    afterEach(() => rmSync(path(lock), { force: true }));
    /** The new filter and the note of its writer lie beside the lock. */
    const itsTurnToWait = () => vi.waitFor(() => expect(leftovers()).toHaveLength(3), { timeout: 1_200_000 });

    test('additions wait for its end', async () => {
      const adding = start(['add', 'locked.bloom', 'more']);
      await itsTurnToWait();
      rmSync(path(lock));
      expect(await once(adding, 'exit')).toEqual([0, null]);
      expect(leftovers()).toEqual([]);
    });

    test.runIf(IS_LONG)('additions can be interrupted', async () => {
      const adding = start(['add', 'locked.bloom', 'more']);
      await itsTurnToWait();
      adding.kill('SIGINT');
      expect(await once(adding, 'exit')).toEqual([null, 'SIGINT']);
      expect(leftovers()).toEqual([lock]);
    });
  });
});

test('a filter may have a name of any length that the file system accepts', async () => {
  const name = `${'n'.repeat(249)}.bloom`;
  expect((await within(['build', WORDS, '-o', name])).status).toBe(0);
  expect((await within(['add', name, 'more'])).status).toBe(0);
  expect((await within(['build', 'no such file', '-o', `x${name}`])).stderr).toBe(
    `bloom: cannot write x${name}: the name is too long\n`,
  );
});

test('folders among many inputs do not use up the open files of a process', () => {
  shell('mkdir folder{1..80}');
  const { stderr, status } = shell(`ulimit -n 64; $BLOOM build folder* ${WORDS} -o among.bloom`);
  expect(stderr.match(/is a directory/g)).toHaveLength(80);
  expect(stderr).toContain('among.bloom: 5,130 keys');
  expect(status).toBe(2);
});

test('readers of a filter that is replaced see the old one or the new one', async () => {
  shell(`head -n 2000 ${WORDS} > few; seq 100000 > many`);
  await within(['build', '-n', '500k', 'few', '-o', 'few.bloom']);
  await within(['build', '-n', '500k', 'few', 'many', '-o', 'many.bloom']);
  const answerOf = async (name: string) =>
    (await within(['query', '-c', `${name}.bloom`, 'few', 'many'])).stdout.trim();
  const answers = [await answerOf('few'), await answerOf('many')];
  const { stdout, stderr } = shell(`
    cp few.bloom live.bloom
    (for from in many few; do $BLOOM merge $from.bloom --force -o live.bloom 2> /dev/null; done) &
    for i in 1 2 3; do $BLOOM query -c live.bloom few many; done
    wait`);
  expect(stderr).toBe('');
  const seen = stdout.trim().split('\n');
  expect(seen.length).toBe(3);
  for (const answer of seen) expect(answers).toContain(answer);
});

const hasTracer = spawnSync('strace', ['-V']).status === 0;
const untraced = hasTracer ? '' : ' (no strace here)';

describe('the temporary file', () => {
  test('has the mode of the file that it replaces', async () => {
    shell('cp words.bloom private.bloom; chmod 600 private.bloom');
    expect((await within(['add', 'private.bloom'], { stdin: 'more\n' })).status).toBe(0);
    expect(shell('stat -c %a private.bloom').stdout).toBe('600\n');
  });

  test.skipIf(!hasTracer)(`is a new file, and follows no link${untraced}`, () => {
    // The file must be new, so that nobody can put a link in its place beforehand.
    shell('echo kept > victim; ln -s victim .words.bloom.0.tmp');
    expect(shell('strace -f -e trace=openat -o trace $BLOOM add words.bloom < more').status).toBe(0);
    const opened = shell('grep -o "\\.words\\.bloom\\.[0-9]*\\.tmp.*" trace | head -n 1').stdout;
    expect(opened).toMatch(/^\.words\.bloom\.0\.tmp", O_WRONLY\|O_CREAT\|O_EXCL/);
    expect(readFileSync(path('victim'), 'utf8')).toBe('kept\n');
  });

  test('of a killed process is removed by the next process, and no other file is', async () => {
    const { pid: ended } = spawnSync('true');
    const notes = [
      `${process.pid} - ${hostname()}`,
      `${ended} - ${hostname()}`,
      `${ended} - elsewhere`,
      `${ended} - ${hostname()}`,
    ];
    for (const [slot, note] of notes.entries()) {
      symlinkSync(note, path(`.left.bloom.${slot}.writer`));
      writeFileSync(path(`.left.bloom.${slot}.tmp`), String(slot));
    }
    writeFileSync(path('.left.bloom.other'), '');
    expect((await within(['build', '-q', WORDS, '-o', 'left.bloom'])).status).toBe(0);
    expect((await within(['query', '-vc', 'left.bloom', WORDS])).stdout).toBe('0\n');
    expect(shell('ls -A | grep left.bloom').stdout.trim().split('\n')).toEqual([
      ...['.left.bloom.0.tmp', '.left.bloom.0.writer', '.left.bloom.2.tmp', '.left.bloom.2.writer'],
      ...['.left.bloom.other', 'left.bloom'],
    ]);
    expect(readFileSync(path('.left.bloom.0.tmp'), 'utf8')).toBe('0');
  });
});

test('a random seed differs between filters, and all commands use it', async () => {
  for (const name of ['one', 'two']) await within(['build', '--seed', 'random', WORDS, '-o', `${name}.bloom`]);
  const reports = (await within(['stats', '--probes', '0', '--json', 'one.bloom', 'two.bloom'])).stdout
    .trimEnd()
    .split('\n');
  const seeds = reports.map((report) => JSON.parse(report).seed);
  expect(seeds[0]).not.toBe(seeds[1]);
  expect((await within(['query', '-c', 'one.bloom', WORDS])).stdout).toBe('5130\n');
  expect((await within(['merge', 'one.bloom', 'two.bloom', '-o', 'no.bloom'])).stderr).toContain(
    `seed is ${seeds[1]} in two.bloom`,
  );
  await within(['build', '--like', 'one.bloom', WORDS, '-o', 'alike.bloom']);
  expect(readFileSync(path('alike.bloom')).equals(readFileSync(path('one.bloom')))).toBe(true);
});

test('stats --verify reads every byte, and names the damage', async () => {
  await within(['build', '-n', '2M', WORDS, '-o', 'large.bloom']);
  const whole = await within(['stats', '--verify', '--json', 'large.bloom']);
  expect(JSON.parse(whole.stdout)).toMatchObject({ verified: true, measuredFpr: null, segments: 5 });
  const bytes = readFileSync(path('large.bloom'));
  const inFourth = Math.floor(bytes.length * 0.7);
  bytes[inFourth] = (bytes[inFourth] ?? 0) ^ 4;
  writeFileSync(path('damaged.bloom'), bytes);
  const { stdout, stderr, status } = await within(['stats', '--verify', 'damaged.bloom']);
  expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
  expect(stderr).toBe(
    'bloom: damaged.bloom is damaged: segment 4 of 5 does not match its checksum (header and table are intact, and query -e still works for keys of other segments); restore a copy, or build it again\n',
  );
});
