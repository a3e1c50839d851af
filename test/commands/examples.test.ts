import { expect, test } from 'vitest';
import { EXPLANATION, wholeProgram } from '../../src/commands/program.ts';
import { COMMANDS } from '../../src/commands/registry.ts';

/** The bloom commands in a line of the shell, each with its flags. */
function commandsIn(line: string): { name: string; flags: string[] }[] {
  return [...line.matchAll(/\bbloom ([a-z]+)([^|>)]*)/g)].map(([, name = '', rest = '']) => ({
    name,
    flags: rest.match(/(?<= )--?[a-z0][\w-]*/gi) ?? [],
  }));
}

test('the examples of helps and pages have only existing commands and flags', async () => {
  const program = await wholeProgram();
  const known = new Map(
    program.commands.map((command) => [command.name(), command.options.flatMap(({ short, long }) => [short, long])]),
  );
  const explanations = [EXPLANATION];
  for (const { load } of Object.values(COMMANDS)) explanations.push((await load()).explanation);
  const used = explanations.flatMap(({ examples }) => examples.flatMap(([line]) => commandsIn(line)));
  expect(used.length).toBeGreaterThan(30);
  expect(used.filter(({ name, flags }) => flags.some((flag) => !known.get(name)?.includes(flag)))).toEqual([]);
  expect(used.filter(({ name }) => !known.has(name))).toEqual([]);
});
