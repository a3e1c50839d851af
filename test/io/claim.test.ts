// Notes on a file system without symbolic links.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { claim } from '../../src/io/claim.ts';
import { removeOwn } from '../../src/io/remove-at-end.ts';
import { replaceCalls } from '../replaced-calls.ts';

const refusal = { code: 'EPERM' };
replaceCalls(() => ({
  symlinkSync() {
    throw Object.assign(new Error(refusal.code), { code: refusal.code });
  },
}));

const folder = mkdtempSync(join(tmpdir(), 'bloom-claim-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
});
const note = join(folder, 'note');

test.each(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL'])(
  'are files if links fail with %s, and nobody claims them twice',
  (code) => {
    refusal.code = code;
    expect(claim(note)).toBe(true);
    const written = readFileSync(note, 'utf8');
    expect(written).toMatch(new RegExp(`^${process.pid} \\S+ ${hostname()}\n$`));
    expect(claim(note)).toBe(false);
    expect(readFileSync(note, 'utf8')).toBe(written);
    removeOwn(note);
    expect(readdirSync(folder)).toEqual([]);
  },
);

test('of a process that has ended are replaced', () => {
  const { pid } = spawnSync('true');
  writeFileSync(note, `${pid} 5 ${hostname()}\n`);
  expect(claim(note)).toBe(true);
  expect(readFileSync(note, 'utf8')).toContain(`${process.pid} `);
  expect(readdirSync(folder)).toEqual(['note']);
});

test('are not made if a link fails for another reason', () => {
  refusal.code = 'EROFS';
  expect(() => claim(note)).toThrow('EROFS');
  expect(readdirSync(folder)).toEqual([]);
});
