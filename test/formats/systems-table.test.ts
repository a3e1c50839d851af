// What SYSTEMS.md says works with the files of each system, tried on the files that the systems wrote.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { FlatFile } from '../../src/formats/format.ts';
import { openFilterFile } from '../../src/formats/open.ts';
import { KNOWN_FORMATS } from '../../src/formats/registry.ts';
import { usedKernel } from '../kernel/kernels.ts';

const FIXTURES = new URL('../../fixtures/formats/', import.meta.url);
const DOCUMENT = readFileSync(new URL('../../src/formats/SYSTEMS.md', import.meta.url), 'utf8');

/** The cell "what works" of each row, by the name of its format. */
const CLAIMS = new Map(
  DOCUMENT.split('\n').flatMap((line) => {
    const [, system = '', , works = ''] = line.split(' | ').length === 4 ? ['', ...line.split(' | ')] : [];
    const [, name] = /, `([a-z0-9-]+)`$/.exec(system) ?? [];
    return name === undefined ? [] : [[name, works] as const];
  }),
);

/** The words of the table for what is done with files. */
const WORDS = { ask: 'ask', report: 'report', build: 'make', change: 'add', merge: 'merge' } as const;

/** What the cell says of files that are not changed where others of their format are, by why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'it is JSON': 'What gob and JSON have is not added to',
  'it is a stream of encoding/gob': 'What gob and JSON have is not added to',
  'it is an object of Java': 'What Java has serialized is asked, reported on and taken for `--like`',
  'it is scalable': 'scalable filters: ask, report',
  'it is a dynamic filter': 'make, add, merge: `BloomFilter`',
  'it is a counting filter': 'make, add, merge: `BloomFilter`',
  'it is a retouched filter': 'make, add, merge: `BloomFilter`',
  'a version before 2.2 wrote it': 'those of versions before 2.2, which are not added to, merged or taken for `--like`',
};

/** Formats of bloom itself have no row. */
const FOREIGN = KNOWN_FORMATS.slice(1).filter(({ name }) => readdirSync(FIXTURES).includes(name));

test('every system has a row, and every row a system', () => {
  expect([...CLAIMS.keys()].sort()).toEqual(FOREIGN.map(({ name }) => name).sort());
});

describe.each(FOREIGN)('$name', ({ name, abilities, variants = [] }) => {
  const works = CLAIMS.get(name) ?? '';
  const folder = new URL(`${name}/`, FIXTURES);

  test('the row names what its format can', () => {
    const said = Object.entries(WORDS).filter(([, word]) => new RegExp(`\\b${word}\\b`).test(works));
    expect(said.map(([ability]) => ability).sort()).toEqual([...abilities].sort());
  });

  test.each(readdirSync(folder).filter((file) => !file.endsWith('.answers')))(
    '%s can be what the row says',
    async (file) => {
      const isNamed = (named: { readonly name: string }) => file.endsWith(`.${named.name}`);
      const format = variants.find(isNamed)?.name ?? (isNamed({ name }) ? name : undefined);
      const path = new URL(file, folder).pathname;
      const opened = await openFilterFile(path, 'ask', { format }, usedKernel());
      opened.close();
      if (!abilities.includes('change')) return;
      expect(opened.layout).toBe('flat');
      const { draft, merging, like, fixedAs } = opened as FlatFile;
      if (fixedAs === undefined) expect([draft, merging, like]).not.toContain(undefined);
      else expect(works).toContain(EXCEPTIONS[fixedAs]);
      if (fixedAs !== undefined) expect(draft).toBeUndefined();
    },
  );
});
