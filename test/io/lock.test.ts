import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { locked } from '../../src/io/lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-lock-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
});
const file = join(folder, 'x.bloom');
const lock = join(folder, '.x.bloom.lock');
const { pid: ended } = spawnSync('true');

test('a lock names its process, and is removed afterwards', async () => {
  expect(await locked(file, () => readlinkSync(lock))).toMatch(new RegExp(`^${process.pid} \\S+ ${hostname()}$`));
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ['a process that was killed', () => symlinkSync(`${ended} 5 ${hostname()}`, lock)],
  [
    'one that was killed where there are no symbolic links',
    () => {
      writeFileSync(lock, '');
      utimesSync(lock, 1, 1);
    },
  ],
])('the lock of %s is replaced', async (_, leave) => {
  leave();
  expect(await locked(file, () => readlinkSync(lock))).toContain(`${process.pid} `);
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ['of this process', () => symlinkSync(`${process.pid} - ${hostname()}`, lock)],
  ['of another machine', () => symlinkSync('1 5 elsewhere', lock)],
  ['of other programs', () => writeFileSync(lock, 'theirs')],
  ['that is a pipe', () => execFileSync('mkfifo', [lock])],
  ['that is a folder', () => mkdirSync(lock)],
])('a lock %s is awaited, and then respected', async (_, plant) => {
  plant();
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 500;
    return now;
  });
  await expect(locked(file, () => {})).rejects.toMatchObject({ message: expect.stringContaining('for 3 seconds') });
  clock.mockRestore();
  expect(readdirSync(folder)).toEqual(['.x.bloom.lock']);
});
