// A new kind, hash, command or format is described where readers look for it.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { wholeProgram } from '../src/commands/program.ts';
import { FORMER_KINDS, KINDS, PROTECTED_KINDS } from '../src/filters/registry.ts';
import { KNOWN_FORMATS } from '../src/formats/registry.ts';
import { HASHES } from '../src/hashes/registry.ts';

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const [README, GUIDE, REFERENCE, JSON_NAMES, SYSTEMS, FORMAT] = [
  'README.md',
  'GUIDE.md',
  'src/commands/REFERENCE.md',
  'src/commands/JSON.md',
  'src/formats/SYSTEMS.md',
  'src/formats/bloomery/FORMAT.md',
].map(read) as [string, string, string, string, string, string];

const program = await wholeProgram();

describe.each(KINDS.map(({ name, id }) => [name, id] as const))('the kind %s', (name, id) => {
  test('has a row in the README', () => expect(README).toMatch(new RegExp(`^\\| \`${name}\` \\|`, 'm')));
  test('has a row in FORMAT', () => expect(FORMAT).toMatch(new RegExp(`^\\| ${id} +\\| \`${name}\` +\\|`, 'm')));
});

test.each([...FORMER_KINDS, ...PROTECTED_KINDS].map(({ id, name }) => [id, name] as const))(
  'files of kind %i have a row in FORMAT',
  (id, name) => {
    expect(FORMAT).toMatch(new RegExp(`^\\| ${id} +\\| \`${name}\` +\\|`, 'm'));
  },
);

test.each(HASHES.map(({ id }) => id))('the hash of number %i is in FORMAT', (id) => {
  expect(FORMAT).toMatch(new RegExp(`^\\| 14 .*\\bhash: .*\\b${id} [A-Z]`, 'm'));
});

describe.each(program.commands.map((command) => [command.name(), command] as const))(
  'the command %s',
  (name, command) => {
    test('is used in the guide, the README or the reference', () => {
      expect([GUIDE, README, REFERENCE].some((text) => new RegExp(`\\bbloom ${name}\\b`).test(text))).toBe(true);
    });
    test('has its names in JSON.md if it prints JSON', () => {
      const printsJson = command.options.some(({ long }) => long === '--json');
      const headings = [...JSON_NAMES.matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading);
      expect(headings.some((heading) => new RegExp(`\`${name}\\b`).test(heading))).toBe(printsJson);
    });
  },
);

test.each(KNOWN_FORMATS.slice(1).map(({ name }) => name))('the format %s is in the table of SYSTEMS', (name) => {
  expect(SYSTEMS).toMatch(new RegExp(`^\\| \\[.*\\| \`${name}\` \\|`, 'm'));
});

/** The sentences of a document. A paragraph, a list item and a cell of a table end a sentence, and so does a colon. */
function sentencesOf(text: string): string[] {
  const withoutCode = text.replace(/^```.*?^```/gms, '').replace(/^ {4}.*$/gm, '');
  const blocks = withoutCode.split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.|#+|\|)\s)|(?<!\\)\|/);
  return blocks.flatMap((block) => block.replace(/\]\([^)]*\)/g, ']').split(/(?<=[.!?:][*)"]*)\s+/));
}

const WORD = /\S*\w\S*/g;

describe('no sentence has more than 30 words', () => {
  const ROOT = new URL('../', import.meta.url);
  const documents = ['.', 'src', 'test', 'fixtures'].flatMap((folder) =>
    readdirSync(new URL(folder, ROOT), { recursive: folder !== '.', encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  );

  test('of some documents', () => expect(documents.length).toBeGreaterThan(15));
  test.each(documents)('%s', (name) => {
    expect(sentencesOf(read(name)).filter((sentence) => (sentence.match(WORD) ?? []).length > 30)).toEqual([]);
  });
});

describe('the source tree in CONTRIBUTING', () => {
  const ROOT = new URL('../', import.meta.url);
  const CONTRIBUTING = read('CONTRIBUTING.md');
  const [, tree = ''] = CONTRIBUTING.split('```');
  const named = tree.split('\n').flatMap((line) => line.match(/^\S+/) ?? []);

  test('has every folder of src', () => {
    const folders = readdirSync(new URL('src', ROOT), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(named).toEqual(expect.arrayContaining(folders.map(({ name }) => `src/${name}/`)));
  });

  test('has only these folders, and so has the text', () => {
    const inText = [...CONTRIBUTING.matchAll(/`((?:src|test|engine|kernel)\/[\w./-]*)`/g)].map(([, path = '']) => path);
    expect(inText.length).toBeGreaterThan(10);
    const exists = (path: string) => ['', 'src/'].some((folder) => existsSync(new URL(folder + path, ROOT)));
    expect([...named, ...inText].filter((path) => !exists(path))).toEqual([]);
  });
});
