import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bloom } from '../../src/filters/bloom.ts';
import { segmented } from '../../src/sizing/geometry.ts';
import { PLAIN_RULES, WHOLE } from '../kernel/scanning.ts';
import { alone } from './alone.ts';
import { type BuiltSegments, buildSized } from './building.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-engine-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const input = join(folder, 'input');

/** More keys than memory keeps, so that the file is read twice. */
const KEYS = 1_200_000;
const original = join(folder, 'original');
beforeAll(() => writeFileSync(original, Array.from({ length: KEYS }, (_, i) => `${i}\n`).join('')));
beforeEach(() => copyFileSync(original, input));

/**
 * Builds from the input. Something happens to the input after the first pass, when the build finds the next input missing.
 */
function builtWhile(happens: () => void, ...others: readonly string[]): Promise<BuiltSegments> {
  return buildSized(
    {
      ...alone(),
      kind: bloom,
      inputs: [input, ...others, join(folder, 'missing')],
      selection: WHOLE,
      rules: PLAIN_RULES,
      observer: { onUnreadable: happens },
    },
    (count) => ({ ...segmented(10 * count), k: 7 }),
  );
}

test('an unchanged input is read twice', async () => {
  expect(await builtWhile(() => {})).toMatchObject({ inserted: KEYS, late: 0 });
});

test('keys that are read twice are counted exactly if few are distinct', async () => {
  writeFileSync(input, `${'0\n1\n2\n'.repeat(KEYS / 3)}`);
  expect(await builtWhile(() => {})).toMatchObject({ inserted: KEYS, distinct: 3 });
});

test('keys that are appended between the passes are added and reported', async () => {
  const grown = await builtWhile(() => appendFileSync(input, 'one more\nand another\n'));
  expect(grown).toMatchObject({ inserted: KEYS + 2, late: 2 });
});

test('an input that is replaced between the passes is an error', async () => {
  const replaced = builtWhile(() => {
    renameSync(input, `${input}.1`);
    writeFileSync(input, 'another\n');
  });
  await expect(replaced).rejects.toMatchObject({ code: 'changed', message: expect.stringContaining('was replaced') });
});

test('an input that shrinks is an error even if another one grows by more', async () => {
  const other = join(folder, 'other');
  writeFileSync(other, 'one\n');
  const shrunk = builtWhile(() => {
    truncateSync(input, 1000);
    copyFileSync(original, other);
    appendFileSync(other, readFileSync(original));
  }, other);
  await expect(shrunk).rejects.toMatchObject({
    code: 'changed',
    message: expect.stringContaining(`had ${KEYS.toLocaleString('en')} keys`),
  });
});

test('an input that shrinks between the passes is an error', async () => {
  const shrunk = builtWhile(() => truncateSync(input, 1000));
  await expect(shrunk).rejects.toMatchObject({
    code: 'changed',
    message: expect.stringContaining(`had ${KEYS.toLocaleString('en')} keys`),
  });
});
