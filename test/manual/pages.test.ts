import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { PROGRAM_NAMES } from '../../src/commands/command.ts';
import { wholeProgram } from '../../src/commands/program.ts';
import { COMMANDS } from '../../src/commands/registry.ts';
import { manual } from '../../src/manual/pages.ts';

const [reference = '', json = ''] = ['REFERENCE', 'JSON'].map((name) =>
  readFileSync(new URL(`../../src/commands/${name}.md`, import.meta.url), 'utf8'),
);

let pages: ReadonlyMap<string, string> = new Map();

beforeAll(async () => {
  pages = await manual({ version: '1.2.3', date: '2026-11-22' }, { reference, json });
});

const hasMandoc = spawnSync('mandoc', ['-T', 'lint', '/dev/null']).error === undefined;
if (!hasMandoc) console.warn('skipped: there is no mandoc');

/** The warnings of mandoc about a page, or its text. */
function mandoc(output: 'lint' | 'ascii', page = ''): string {
  const { stdout } = spawnSync('mandoc', ['-T', output, '-W', 'style'], { input: page, encoding: 'utf8' });
  // mandoc prints bold and underlined letters with backspaces.
  return stdout.replace(/.[\b]/g, '');
}

describe('the manual', () => {
  test('has a page for the program, one for each command and one for JSON', () => {
    const commands = Object.keys(COMMANDS).map((name) => `bloom-${name}.1`);
    expect([...pages.keys()]).toEqual(['bloom.1', ...commands, 'bloom-json.5']);
    expect(packageFile.man).toEqual([...pages.keys()].map((name) => `dist/man/${name}`));
  });

  test('has the names that the package lists', () => {
    expect(Object.keys(packageFile.bin)).toEqual(PROGRAM_NAMES);
  });

  test('has every flag of every command with its details, and all words that its value may be', async () => {
    const program = await wholeProgram();
    for (const command of [program, ...program.commands]) {
      const source = pages.get(command === program ? 'bloom.1' : `bloom-${command.name()}.1`) ?? '';
      const options = command.createHelp().visibleOptions(command);
      const expected = options.map(({ short, long }) => [short, long].filter((name) => name !== undefined).join(', '));
      const terms = source.matchAll(/^\.TP\n(\\fB\\-.*?\\fP)(?: \\fI.*\\fP)?$/gm);
      const named = [...terms].map(([, term = '']) => term.replace(/\\f[BP]/g, '').replaceAll('\\-', '-'));
      expect(named.sort()).toEqual(expected.sort());
    }
    const filledBuild = (pages.get('bloom-build.1') ?? '').replaceAll('\n', ' ').replaceAll('\\-', '-');
    expect(filledBuild).toContain('build only part K of N; bloom merge joins the parts. K counts from 1.');
    const filled = (pages.get('bloom-query.1') ?? '').replaceAll('\n', ' ').replaceAll('\\-', '-');
    expect(filled).toContain('one of: text, hex, utf16, int8');
    expect(filled).toContain('redisbloom, redisbloom-cuckoo, redis-rdb');
  });

  test('has all subjects of the reference, and the subjects of a command on its page too', () => {
    const subjects = [...reference.matchAll(/^## (.*)$/gm)].map(([, heading = '']) => `.SH ${heading.toUpperCase()}`);
    expect(subjects.length).toBeGreaterThan(10);
    const linesOf = (page: string) => pages.get(page)?.split('\n') ?? [];
    expect(linesOf('bloom.1')).toEqual(expect.arrayContaining(subjects));
    expect(linesOf('bloom-dedup.1')).toEqual(expect.arrayContaining(['.SH DEDUPLICATION', '.SS State']));
    expect(linesOf('bloom-dedup.1')).not.toContain('.SH SEVERAL FILTERS');
  });

  test('has each section once', () => {
    for (const [name, page] of pages) {
      const sections = page.split('\n').filter((line) => line.startsWith('.SH '));
      expect([name, sections]).toEqual([name, [...new Set(sections)]]);
    }
  });

  test.skipIf(!hasMandoc)('has no findings of mandoc', () => {
    for (const [name, page] of pages) expect([name, mandoc('lint', page)]).toEqual([name, '']);
    expect(mandoc('lint', '.TH X 1 2026-11-22\n.SH NAME\n.PP\nx')).toContain('WARNING');
  });

  test.skipIf(!hasMandoc)('shows texts as they are typed', () => {
    const shown = mandoc('ascii', pages.get('bloom.1'));
    expect(shown.replace(/\s+/g, ' ')).toContain(
      'The same thing has the same name everywhere: all names (src/commands/JSON.md).',
    );
    expect(shown).toContain(`if may_contain "$word"; then echo "$word: maybe"; else echo "$word: no"; fi`);
    expect(shown).toContain(`printf '%s\\n' "$1" >&"\${BLOOM[1]}" && IFS= read -r answer <&"\${BLOOM[0]}" || exit 2`);
    expect(shown).toMatch(/^BLOOM\(1\) .*\n\nNAME\n +bloom, bloomery - Approximate set membership: /m);
    expect(mandoc('ascii', pages.get('bloom-build.1'))).toContain(
      "find . -name '*.log' -print0 | bloom build --files0-from - -o seen.bloom",
    );
  });
});
