import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { fixture, scratch } from './run.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The pages whose examples run in the folder of the fixtures, and the minimum number of examples on each. */
const PAGES = {
  'README.md': 6,
  'GUIDE.md': 40,
  'src/formats/SYSTEMS.md': 4,
  'src/commands/REFERENCE.md': 20,
};

/** A command of a pipeline that needs no shell. It takes a tenth of the time in this process. */
const PLAIN = /^bloom (?:[\w@%./:,+= -]|'[^']*')+$/;

/** A part of a pipeline without a bloom command. */
const OTHER = /^(?!.*\bbloom )[^;&<>$]+$/;

const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8');

interface Example {
  readonly command: string;
  readonly output: string;
}

/** The commands in the console blocks, each with the lines that follow it. */
function examples(page: string): Example[] {
  const blocks = [...textOf(page).matchAll(/^```console\n(.*?)^```/gms)].map(([, block = '']) => block);
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

/** The output without what differs from run to run: times, and rates measured on random keys. */
function steady(output: string): string {
  return output
    .replace(/(?:less than )?[\d.]+ s(, [\d.]+[kMG]? keys\/s)?$/gm, 'TIME')
    .replace(/^( +measured rate +).*$/gm, '$1MEASURED');
}

describe.each(Object.entries(PAGES))('the examples of %s, in their order', (page, least) => {
  const { path, shell, within } = scratch();

  /** What a pipeline with one bloom command prints; undefined if a shell must run all of it. */
  async function printedBy(command: string): Promise<readonly string[] | undefined> {
    const parts = command.split(' | ');
    const at = parts.findIndex((part) => PLAIN.test(part));
    const [before, behind] = [parts.slice(0, at).join(' | '), parts.slice(at + 1).join(' | ')];
    const others = [before, behind].filter((part) => part !== '');
    if (at === -1 || !others.every((part) => OTHER.test(part))) return undefined;
    const words = parts[at]?.match(/'[^']*'|[^' ]+/g)?.map((word) => word.replaceAll("'", '')) ?? [];
    const input = before === '' ? {} : { stdin: shell(before).stdout, isPiped: true };
    const { stdout, stderr } = await within(words.slice(1), input);
    writeFileSync(path('between'), stdout);
    const printed = behind === '' ? stdout : shell(`cat between | ${behind}`).stdout;
    return [stderr + printed, printed + stderr];
  }

  beforeAll(() => {
    for (const name of ['words.txt', 'woorden.txt', 'packages.txt', 'dpkg.log', 'formats'])
      cpSync(fixture(name), path(name), { recursive: true });
  });

  test(`are at least ${least}`, () => expect(examples(page).length).toBeGreaterThanOrEqual(least));

  test.each(examples(page))('$command', async ({ command, output }) => {
    const printed = (await printedBy(command)) ?? [shell(`bloom() { $BLOOM "$@"; }; { ${command}; } 2>&1`).stdout];
    expect(printed.map(steady)).toContain(steady(output));
  });
});

test('the README fits on three screens', () => expect(textOf('README.md').split('\n').length).toBeLessThanOrEqual(150));

test('every task of the guide has a command, and a row in the README', () => {
  const tasks = textOf('GUIDE.md').split(/^## /m).slice(1);
  expect(tasks).toHaveLength(12);
  const rows = textOf('README.md');
  for (const task of tasks) {
    const [title = ''] = task.split('\n');
    expect(task).toContain('```console\n$ ');
    expect(rows).toContain(`| [${title}](GUIDE.md#${anchorOf(title)}) |`);
  }
});

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

describe('every link of a page in the package', () => {
  const { files } = JSON.parse(textOf('package.json'));
  const pages: readonly string[] = ['README.md', ...files.filter((file: string) => file.endsWith('.md'))];
  const links = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].map(([, target = '', anchor]) => ({
      page,
      target: target === '' ? page : join(dirname(page), target),
      anchor,
    })),
  );

  test('leads to a file of the package', () => {
    expect(links.length).toBeGreaterThan(30);
    expect(links.filter(({ target }) => ![...pages, ...files].includes(target))).toEqual([]);
  });

  test('leads to a heading, if it names one', () => {
    const anchored = links.filter(({ anchor }) => anchor !== undefined);
    const anchors = (page: string) =>
      [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));
    expect(anchored.length).toBeGreaterThan(20);
    expect(anchored.filter(({ target, anchor = '' }) => !anchors(target).includes(anchor))).toEqual([]);
  });
});
