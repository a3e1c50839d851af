// An input that can be read only up to a position: bloom answers the records before it, and then the other inputs.

import fs, { writeFileSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { beforeAll, expect, test, vi } from 'vitest';
import { IS_LONG, inLongRuns } from '../long.ts';
import type { Outcome } from '../starter.ts';
import { scratch } from './run.ts';

const { path, shell, within } = scratch();

/** 36 MB, for which bloom starts threads. */
const COUNT = inLongRuns(225_000, 22_500);
const LINE_BYTES = 36e6 / COUNT;
const STEP = COUNT / 50;
const recordOf = (number: number) => String(number).padStart(LINE_BYTES - 1, '0');
const ERROR = 'bloom: cannot read cut: input/output error\n';

beforeAll(() => {
  shell(`mkdir many; seq -f %0${LINE_BYTES - 1}.0f 0 ${COUNT - 1} > many/cut`);
  // Some bytes of the files called "cut" cannot be read, as on a damaged disk.
  writeFileSync(
    path('cut.cjs'),
    `const fs = require('node:fs');
    const { readSync } = fs;
    const [from, to] = [Number(process.env.CUT), Number(process.env.CUT) + 4096];
    const positions = new Map();
    fs.readSync = (fd, into, offset, length, position) => {
      if (!fs.readlinkSync('/proc/self/fd/' + fd).endsWith('/cut')) return readSync(fd, into, offset, length, position);
      const at = position ?? positions.get(fd) ?? 0;
      if (at >= from && at < to) throw Object.assign(new Error(), { code: 'EIO' });
      const bytes = readSync(fd, into, offset, at < from ? Math.min(length, from - at) : length, position);
      if (position === null) positions.set(fd, at + bytes);
      return bytes;
    };`,
  );
});

const cutAt = (position: number, line: string) =>
  shell(`export CUT=${position} NODE_OPTIONS=--require=./cut.cjs; timeout 1200 $BLOOM ${line}`);

/** The same within this process. */
async function cutWithin(position: number, line: string): Promise<Outcome> {
  const { readSync } = fs;
  vi.stubEnv('CUT', `${position}`);
  const require = createRequire(import.meta.url);
  delete require.cache[path('cut.cjs')];
  require(path('cut.cjs'));
  syncBuiltinESMExports();
  try {
    return await within(line.split(' '));
  } finally {
    Object.assign(fs, { readSync });
    syncBuiltinESMExports();
  }
}

test('by one thread', async () => {
  await within(['build', '-p', '1e-9', '-o', 'words.bloom'], { stdin: 'walk\nhouse\nmouse\n' });
  writeFileSync(path('cut'), 'walk\nwlak\nhouse\nhorse\n');
  writeFileSync(path('small'), 'no such word\nmouse\n');
  // The last readable byte is the u of "house", no part of which counts as a record.
  const line = (flags: string) => `query ${flags} words.bloom cut small`;
  const ask = (flags: string) => cutWithin(13, line(flags));
  expect(cutAt(13, line('--tag'))).toEqual({
    stdout: '+walk\n-wlak\n-no such word\n+mouse\n',
    stderr: ERROR,
    status: 2,
  });
  expect(await ask('-n -H')).toEqual({ stdout: 'cut:1:walk\nsmall:2:mouse\n', stderr: ERROR, status: 2 });
  expect(await ask('-c')).toEqual({ stdout: '2\n', stderr: ERROR, status: 2 });
  // No count is printed for an input that was not read to its end, and no other file's count includes it.
  expect(await ask('-c -H')).toEqual({ stdout: 'small:1\n', stderr: ERROR, status: 2 });
});

test.runIf(IS_LONG)('by threads', async () => {
  const members = Array.from({ length: COUNT / STEP }, (_, i) => recordOf(STEP * i));
  writeFileSync(path('members'), members.map((member) => `${member}\n`).join(''));
  await within(['build', '-p', '1e-9', 'members', '-o', 'members.bloom']);
  // Between two members, and so far behind the first that no read covers both it and the unreadable bytes.
  const position = LINE_BYTES * Math.round(25.9 * STEP) + 3;
  const before = members.slice(0, 26).map((member, i) => `${STEP * i + 1}:${member}\n`);
  const behind = members.map((member, i) => `${i + 1}:${member}\n`);
  for (const threads of [1, 2, 3]) {
    const { stdout, stderr, status } = cutAt(position, `query -n --threads ${threads} members.bloom many/cut members`);
    expect({ stderr, status }).toEqual({ stderr: ERROR.replace('cut', 'many/cut'), status: 2 });
    expect(stdout, `${threads} threads`).toBe([...before, ...behind].join(''));
    const counted = cutAt(position, `query -c -H --threads ${threads} members.bloom many/cut members`);
    expect(counted.stdout, `${threads} threads`).toBe(`members:${members.length}\n`);
  }
});

test('of records that should be present or absent: one line and status 2, though a worker fails while no code awaits it', async () => {
  // In an early part, while the main thread still hands out later ones.
  const position = LINE_BYTES * 13 * STEP;
  await within(['build', '-p', '1e-9', '-o', 'walk.bloom'], { stdin: 'walk\n' });
  for (const flag of inLongRuns(['--present', '--absent'], ['--absent']))
    expect(cutAt(position, `stats --probes 0 --threads 2 walk.bloom ${flag} many/cut`)).toEqual({
      stdout: '',
      stderr: ERROR.replace('cut', 'many/cut'),
      status: 2,
    });
});

test('the rest of a file was not seen', () => {
  shell(`mkdir other; seq -f %0${LINE_BYTES - 1}.0f 0 ${COUNT - 1} | tee other/cut > all`);
  for (const threads of inLongRuns([1, 2, 3, 8], [3])) {
    const position = LINE_BYTES * Math.round(25.9 * STEP) + 3;
    const { stdout, stderr, status } = cutAt(
      position,
      `dedup -n ${COUNT} --threads ${threads} other/cut all | cmp - all`,
    );
    // The status is that of cmp.
    expect({ stdout, stderr, status }).toEqual({ stdout: '', stderr: ERROR.replace('cut', 'other/cut'), status: 0 });
  }
});
