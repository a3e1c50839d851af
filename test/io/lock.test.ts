import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { locked } from '../../src/io/lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-lock-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'x.bloom');
const lock = join(folder, '.x.bloom.lock');

test('a lock names its process, and is gone afterwards', async () => {
  expect(await locked(file, () => readFileSync(lock, 'utf8'))).toMatch(
    new RegExp(`^${process.pid} \\S+ ${hostname()}\\n$`),
  );
  expect(existsSync(lock)).toBe(false);
});

test('one that a killed process left is taken away', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  writeFileSync(lock, `${pid} 5 ${hostname()}\n`);
  expect(await locked(file, () => readFileSync(lock, 'utf8'))).toContain(`${process.pid} `);
  expect(existsSync(`${lock}.left`)).toBe(false);
});

test.each([
  ['of a process that lives', () => locked(file, () => readFileSync(lock))],
  ['of another machine', () => '1 5 elsewhere\n'],
  ['of which nobody can tell', () => ''],
])('one %s is waited for, and then respected', async (_, left) => {
  const note = await left();
  writeFileSync(lock, note);
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 500;
    return now;
  });
  await expect(locked(file, () => {})).rejects.toMatchObject({ message: expect.stringContaining('for 3 seconds') });
  clock.mockRestore();
  expect(readFileSync(lock, 'utf8')).toBe(String(note));
  rmSync(lock);
});
