// The abilities in SYSTEMS.md, tested on the files that the systems wrote.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { BitArrayFile } from '../../src/formats/format.ts';
import { openFilterFile } from '../../src/formats/open.ts';
import { KNOWN_FORMATS } from '../../src/formats/registry.ts';
import { usedKernel } from '../kernel/kernels.ts';

const FIXTURES = new URL('../../fixtures/formats/', import.meta.url);
const DOCUMENT = readFileSync(new URL('../../src/formats/SYSTEMS.md', import.meta.url), 'utf8');

/** The sections about systems, by heading. */
const SECTIONS = new Map(
  DOCUMENT.split(/^##+ /m).map((section) => [section.split('\n', 1)[0] ?? '', section.replace(/\s+/g, ' ')] as const),
);

/** The abilities in the table, and the section that the row links to, by format. */
const CLAIMS = new Map(
  [...DOCUMENT.matchAll(/^\| \[.*\]\(#(.*)\) \| `(.*)` \| (.*) \|$/gm)].map(([, anchor, name = '', works = '']) => {
    const [, section = ''] = [...SECTIONS].find(([heading]) => anchorOf(heading) === anchor) ?? [];
    return [name, { works, section }] as const;
  }),
);

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

/** The words of the table for each ability. */
const WORDS = { query: 'query', report: 'report', build: 'make', change: 'add', merge: 'merge' } as const;

/** The section's sentence about files that cannot be changed although others of the format can, by the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'it is JSON': 'Files of gob and JSON cannot be added to.',
  'it is a stream of encoding/gob': 'Files of gob and JSON cannot be added to.',
  'it is a Java object': 'Serialized Java objects can be queried, reported on and given to `--like` only.',
  'it is scalable': 'A scalable filter can be queried and reported on only.',
  'it is a dynamic filter': 'Only a `BloomFilter` can be made, added to and merged.',
  'it is a counting filter': 'Only a `BloomFilter` can be made, added to and merged.',
  'it is a retouched filter': 'Only a `BloomFilter` can be made, added to and merged.',
  'it was written by a version before 2.2': 'Filters of versions before 2.2 can be queried and reported on only.',
};

/** Bloomery's own format has no row. */
const FOREIGN = KNOWN_FORMATS.slice(1).filter(({ name }) => readdirSync(FIXTURES).includes(name));

test('every system has a row, and every row a system', () => {
  expect([...CLAIMS.keys()].sort()).toEqual(FOREIGN.map(({ name }) => name).sort());
});

describe.each(FOREIGN)('$name', ({ name, abilities, variants = [] }) => {
  const { works, section } = CLAIMS.get(name) ?? { works: '', section: '' };
  const folder = new URL(`${name}/`, FIXTURES);

  test('the row names the abilities of its format', () => {
    const said = Object.entries(WORDS).filter(([, word]) => new RegExp(`\\b${word}\\b`).test(works));
    expect(said.map(([ability]) => ability).sort()).toEqual([...abilities].sort());
  });

  test.each(readdirSync(folder).filter((file) => !file.endsWith('.answers')))(
    '%s supports the operations of the row',
    async (file) => {
      const isNamed = (named: { readonly name: string }) => file.endsWith(`.${named.name}`);
      const format = variants.find(isNamed)?.name ?? (isNamed({ name }) ? name : undefined);
      const path = new URL(file, folder).pathname;
      const opened = await openFilterFile(path, 'query', { format }, usedKernel());
      opened.close();
      if (!abilities.includes('change')) return;
      expect(opened.layout).toBe('arrays');
      const { blueprint, merging, like, fixedAs } = opened as BitArrayFile;
      if (fixedAs === undefined) expect([blueprint, merging, like]).not.toContain(undefined);
      else expect(section).toContain(EXCEPTIONS[fixedAs]);
      if (fixedAs !== undefined) expect(blueprint).toBeUndefined();
    },
  );
});
