// What each help says, and how long it is.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { wholeProgram } from '../../src/commands/program.ts';
import { COMMANDS } from '../../src/commands/registry.ts';
import { GROUPS } from '../../src/options/flags/define.ts';
import { scratch } from './run.ts';

const { within } = scratch();

const NAMES = Object.keys(COMMANDS);

/** The lines of a help. */
async function linesOf(...args: string[]): Promise<string[]> {
  const { stdout, stderr, status } = await within(args);
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout.trimEnd().split('\n');
}

describe('-h', () => {
  test.each([[], ...NAMES.map((name) => [name])])('of %s has at most 30 lines of 80 columns', async (...args) => {
    const lines = await linesOf(...args, '-h');
    expect(lines.length).toBeLessThanOrEqual(30);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
    expect(lines.filter((line) => line.startsWith('Usage: bloom '))).toHaveLength(1);
    const examples = lines.slice(lines.indexOf('Examples:') + 1, -2);
    expect(examples.filter((line) => /^ {2}(?=\S).*\bbloom\b/.test(line))).toHaveLength(2);
  });

  test.each(NAMES)('of %s shows at most ten flags, and says how many --help shows', async (name) => {
    const [short, whole] = [await linesOf(name, '-h'), await linesOf(name, '--help')];
    const flags = (lines: readonly string[]) => lines.filter((line) => /^ {2}-/.test(line));
    expect(flags(short).length).toBeLessThanOrEqual(10);
    expect(short.at(-1)).toBe(`--help shows all ${flags(whole).length} flags, man bloom-${name} their details.`);
  });

  test('of the program has every command in one of three groups', async () => {
    const text = (await linesOf('-h')).join('\n');
    const groups = text.split('\n\n').filter((part) => part.includes(':\n  ') && !part.startsWith('Examples'));
    expect(groups.map((group) => group.split('\n')[0])).toEqual([
      'Make and change filters:',
      'Query:',
      'Plan and look after:',
    ]);
    for (const name of [...NAMES, 'help'])
      expect(groups.join('\n').match(new RegExp(`^  ${name} `, 'gm'))).toHaveLength(1);
  });

  test('goes to standard error if no command is given, with status 2', async () => {
    const { stdout } = await within(['-h']);
    expect(await within([])).toEqual({ stdout: '', stderr: stdout, status: 2 });
  });

  test('names no words of values, which --help lists', async () => {
    expect((await within(['build', '-h'])).stdout).not.toContain('cuckoo');
    expect((await within(['build', '--help'])).stdout).toContain('cuckoo');
  });

  test('is a value after a flag with a value', async () => {
    expect((await within(['size', '-n', '9', '--key-size', '-h'])).stderr).toContain("argument '-h' is invalid");
  });
});

test('a flag and an argument are described by an imperative phrase of at most 60 characters', async () => {
  const program = await wholeProgram();
  const described = [program, ...program.commands].flatMap((command) => [
    ...command.createHelp().visibleOptions(command),
    ...command.registeredArguments,
  ]);
  const lines = new Set(described.map(({ description }) => description));
  expect(lines.size).toBeGreaterThan(80);
  expect([...lines].filter((line) => line.length > 60)).toEqual([]);
  // A sentence would have a capital and a full stop.
  expect([...lines].filter((line) => /^[A-Z]|\.$/.test(line))).toEqual([]);
});

describe('--help', () => {
  test.each([undefined, ...NAMES])('of %s has groups of flags, two examples and the manual', async (name) => {
    const lines = await linesOf(...(name === undefined ? [] : [name]), '--help');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
    const headings = lines.filter((line) => GROUPS.some((group) => line === `${group}:`));
    expect(headings).toEqual(GROUPS.map((group) => `${group}:`).filter((heading) => headings.includes(heading)));
    expect(lines.findIndex((line) => line.startsWith('  -'))).toBe(lines.indexOf(headings[0] ?? '') + 1);
    expect(lines.at(-1)).toBe(`Manual: man bloom${name === undefined ? '' : `-${name}`}`);
    const examples = lines.slice(lines.indexOf('Examples:') + 1, -2);
    expect(examples.filter((line) => /^ {2}(?=\S).*\bbloom\b/.test(line))).toHaveLength(2);
    if (name !== undefined) expect(await linesOf('help', name)).toEqual(lines);
  });

  test('names every command', async () => {
    const { stdout } = await within(['--help']);
    for (const [name, { summary }] of Object.entries(COMMANDS))
      expect(stdout.replace(/\n +/g, ' ')).toMatch(new RegExp(`\\b${name} +${summary}`));
  });

  test('help of help', async () => {
    const { stdout } = await within(['--help']);
    for (const line of [['help'], ['help', 'help']])
      expect(await within(line)).toEqual({ stdout, stderr: '', status: 0 });
  });
});

test('help json explains every name that the document lists', async () => {
  const document = readFileSync(new URL('../../src/commands/JSON.md', import.meta.url), 'utf8');
  const names = [...document.matchAll(/^\| `(\w+)`/gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(50);
  const lines = await linesOf('help', 'json');
  expect(names.filter((name) => !lines.some((line) => line.startsWith(`  ${name}`)))).toEqual([]);
  expect(lines.join('\n')).not.toMatch(/`|\]\(|^\|/m);
  const [, code = ''] = /^```sh\n([^`]+)\n```$/m.exec(document) ?? [];
  // Its lines are indented, and not folded: they can be copied.
  expect(lines.join('\n')).toContain(code.replace(/^/gm, '  '));
});
