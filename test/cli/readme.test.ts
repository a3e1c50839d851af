import { cpSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { fixture, scratch } from './run.ts';

const { path, shell } = scratch();
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The pages with examples, which are run in the folder of the fixtures. */
const PAGES = ['README.md', 'src/formats/SYSTEMS.md'];

interface Example {
  readonly command: string;
  readonly output: string;
}

/** The commands in the console blocks, each with the lines that follow it. */
function examples(page: string): Example[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks = [...text.matchAll(/^```console\n(.*?)^```/gms)].map(([, block = '']) => block);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((example) => {
        const end = example.indexOf('\n');
        return { command: example.slice(0, end), output: example.slice(end + 1) };
      }),
  );
}

/** What differs from run to run: times, and what was measured on random keys. */
function steady(output: string): string {
  return output
    .replace(/[\d.]+ s(, [\d.]+[kMG]? keys\/s)?$/gm, 'TIME')
    .replace(/^( +measured rate +).*$/gm, '$1MEASURED');
}

describe.each(PAGES)('the examples of %s, in their order', (page) => {
  beforeAll(() => {
    for (const name of ['words.txt', 'woorden.txt', 'packages.txt', 'dpkg.log', 'formats'])
      cpSync(fixture(name), path(name), { recursive: true });
  });

  test('there are some', () => expect(examples(page).length).toBeGreaterThan(page === 'README.md' ? 8 : 1));

  test.each(examples(page))('$command', ({ command, output }) => {
    const { stdout } = shell(`bloom() { $BLOOM "$@"; }; { ${command}; } 2>&1`);
    expect(steady(stdout)).toBe(steady(output));
  });
});

test('every page that another one names is there, and in the package', () => {
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const pages = ['README.md', ...files.filter((file: string) => file.endsWith('.md'))];
  const links = pages.flatMap((page: string) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, target = '']) =>
      join(dirname(page), target),
    ),
  );
  expect(links.length).toBeGreaterThan(6);
  expect(links.filter((target) => ![...pages, ...files].includes(target))).toEqual([]);
});
