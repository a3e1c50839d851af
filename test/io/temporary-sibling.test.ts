// Temporary files beside a file, with notes of their writers. The notes of ended processes name a process that has ended.

import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTemporarySibling } from '../../src/io/temporary-sibling.ts';

const ended = spawnSync('true').pid;
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bloom-sibling-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The file and the note of a slot, as a killed process leaves them. */
function leave(slot: number, note = `${ended} 5 ${hostname()}`): void {
  writeFileSync(join(folder, `.a.${slot}.tmp`), 'half');
  symlinkSync(note, join(folder, `.a.${slot}.writer`));
}

function opened() {
  const sibling = openTemporarySibling(join(folder, 'a'), 0o644);
  closeSync(sibling.fd);
  return sibling;
}

const names = () => readdirSync(folder).sort();

test('each writer has its own file, and all files and notes are removed', () => {
  const [first, second] = [opened(), opened()];
  expect([first.name, second.name]).toEqual([join(folder, '.a.0.tmp'), join(folder, '.a.1.tmp')]);
  expect(names()).toEqual(['.a.0.tmp', '.a.0.writer', '.a.1.tmp', '.a.1.writer']);
  first.remove();
  const third = opened();
  expect(third.name).toBe(first.name);
  for (const sibling of [second, third]) sibling.remove();
  expect(names()).toEqual([]);
});

test('the files of ended processes in all slots are removed, and not those of others', () => {
  for (const slot of [0, 1, 2, 3, 5]) leave(slot);
  leave(4, '1 5@-@- elsewhere');
  const sibling = opened();
  expect(sibling.name).toBe(join(folder, '.a.0.tmp'));
  expect(names()).toEqual(['.a.0.tmp', '.a.0.writer', '.a.4.tmp', '.a.4.writer']);
  sibling.remove();
  expect(names()).toEqual(['.a.4.tmp', '.a.4.writer']);
});

test('a file that cannot be replaced is left, and the next slot is used', () => {
  // A folder cannot be removed as a file.
  mkdirSync(join(folder, '.a.0.tmp'));
  const sibling = opened();
  expect(sibling.name).toBe(join(folder, '.a.1.tmp'));
  sibling.remove();
  expect(names()).toEqual(['.a.0.tmp']);
});
