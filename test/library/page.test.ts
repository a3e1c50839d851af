import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { fixture, scratch } from '../cli/run.ts';
import { sampled } from '../long.ts';
import { outcomeOf } from '../starter.ts';
import { libraryPage } from './page.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = `${ROOT}src/library/LIBRARY.md`;
const { path, bloom } = scratch();

const page = libraryPage(readFileSync(`${ROOT}dist/js/library.d.mts`, 'utf8'));

test('the page has the declarations and their comments', async () => {
  await expect(page).toMatchFileSnapshot(PAGE);
});

describe('its examples, and that of the guide,', () => {
  const pages = page + readFileSync(`${ROOT}GUIDE.md`, 'utf8');
  const examples = [...pages.matchAll(/^```js\n(.*?)^```/gms)].map(([, code = '']) => code);

  beforeAll(() => {
    mkdirSync(path('node_modules'));
    symlinkSync(ROOT, path('node_modules/bloomery'));
    copyFileSync(fixture('words.txt'), path('words.txt'));
    bloom(['build', 'words.txt', '-o', 'words.bloom']);
    copyFileSync(fixture('packages.txt'), path('packages.txt'));
    bloom(['index', 'words.txt', 'packages.txt', '-o', 'lists.index']);
  });

  test('are one per function, and one more', () => expect(examples).toHaveLength(7));

  test.each(sampled(examples))('print the stated output: %s', (code) => {
    const expected = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, output]) => `${output}\n`);
    expect(expected).not.toEqual([]);
    writeFileSync(path('example.mjs'), code);
    const outcome = outcomeOf(process.execPath, ['example.mjs'], { cwd: path('.'), input: '' });
    expect(outcome).toEqual({ stdout: expected.join(''), stderr: '', status: 0 });
  });
});
