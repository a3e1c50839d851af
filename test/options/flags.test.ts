import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { wholeProgram } from '../../src/commands/program.ts';
import { GROUPS } from '../../src/options/flags/define.ts';
import { flags } from '../../src/options/flags.ts';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const withText = (text: RegExp) => sources.filter((file) => text.test(readFileSync(join(SRC, file), 'utf8')));

test('flags are made in one module, which gives each its group', () => {
  expect(withText(/new Option\b|createOption|\.(requiredO|o)ption\(|\.helpOption\(/)).toEqual([
    'options/flags/define.ts',
  ]);
});

test('no two groups have a flag of the same name', () => {
  const files = sources.filter((file) => /^options.flags.(?!define)/.test(file));
  const names = files.flatMap((file) => readFileSync(join(SRC, file), 'utf8').match(/^ {2}\w+(?=: \()/gm) ?? []);
  expect(names.length).toBeGreaterThan(60);
  expect(Object.keys(flags)).toHaveLength(names.length);
});

test('every flag of every command is in a group of the help', async () => {
  const program = await wholeProgram();
  const flagsInHelp = [program, ...program.commands].flatMap((command) => command.createHelp().visibleOptions(command));
  const headings: readonly string[] = GROUPS.map((group) => `${group}:`);
  expect(flagsInHelp.length).toBeGreaterThan(100);
  expect(flagsInHelp.filter(({ helpGroupHeading = '' }) => !headings.includes(helpGroupHeading))).toEqual([]);
});
