import { appendFileSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { stateOf } from '../../src/io/look.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-look-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'file');
const NOW = 1_700_000_000;

test.each([
  ['written to in place, to the same length', () => utimesSync(file, NOW, NOW + 1)],
  [
    'longer, and looks as old',
    () => {
      appendFileSync(file, 'x');
      utimesSync(file, NOW, NOW);
    },
  ],
  [
    'another of the same length and age',
    () => {
      writeFileSync(`${file}.new`, 'old');
      utimesSync(`${file}.new`, NOW, NOW);
      renameSync(`${file}.new`, file);
    },
  ],
])('a file is in another state once it is %s', (_, change) => {
  writeFileSync(file, 'old');
  utimesSync(file, NOW, NOW);
  const before = stateOf(file);
  expect(stateOf(file)).toBe(before);
  change();
  expect(statSync(file).size).toBeLessThan(5);
  expect(stateOf(file)).not.toBe(before);
});
