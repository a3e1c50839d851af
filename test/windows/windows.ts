// npm run test:windows [-- --small]
//
// Runs the cases on each available system, including Windows, and writes the table of FAILURES.md. The small form runs only some cases,
// on this system and on Windows, and writes nothing.

import { readFileSync, writeFileSync } from 'node:fs';
import type { Result } from './run-cases.ts';
import { beginRuns, RUNTIMES, type System, windows } from './systems.ts';

const DOCUMENT = 'src/formats/FAILURES.md';
const HEADING = '| command |';

const isSmall = process.argv.includes('--small');
const systems: readonly System[] = isSmall
  ? [...RUNTIMES.slice(0, 1), windows('20.20.2')]
  : [...RUNTIMES, windows('20.20.2'), windows('22.23.3')];

beginRuns();
const columns = systems.flatMap(({ name, run }) => {
  const results = run(isSmall ? 'small' : 'all');
  return results === undefined ? [] : [{ name, results }];
});
const [here] = columns;
if (here === undefined) throw new Error('there is no system');

const keyOf = ({ command, what }: Result) => `${command}: ${what}`;
const expected = new Map(here.results.map((result) => [keyOf(result), result.value]));

/** The error of a case; undefined if it passed. */
function failureOf(result: Result): string | undefined {
  if (result.error !== undefined) return result.error;
  return result.value === expected.get(keyOf(result))
    ? undefined
    : `${result.value} is not ${expected.get(keyOf(result))}`;
}

for (const { name, results } of columns) {
  const failed = results.filter((result) => failureOf(result) !== undefined);
  console.log(`${name}: ${results.length - failed.length} of ${results.length}`);
  for (const result of failed) console.log(`  ${keyOf(result)}: ${failureOf(result)}`);
  if (failed.length > 0 && (name.startsWith('Node') || name.startsWith('Windows'))) process.exitCode = 1;
}

/** The number of cases of a command that passed, such as "5" or "4 of 5". */
function cell(results: readonly Result[], command: string): string {
  const own = results.filter((result) => result.command === command);
  const well = own.filter((result) => failureOf(result) === undefined);
  return well.length === own.length ? `${own.length}` : `${well.length} of ${own.length}`;
}

if (!isSmall && columns.length > 1) {
  const commands = [...new Set(here.results.map(({ command }) => command))];
  const table = [
    [HEADING, ...columns.map(({ name }) => ` ${name} |`)].join(''),
    `|${'---|'.repeat(columns.length + 1)}`,
    ...commands.map(
      (command) => `| ${command} |${columns.map(({ results }) => ` ${cell(results, command)} |`).join('')}`,
    ),
  ];
  const lines = readFileSync(DOCUMENT, 'utf8').split('\n');
  const from = lines.findIndex((line) => line.startsWith(HEADING));
  const length = lines.slice(from).findIndex((line) => !line.startsWith('|'));
  writeFileSync(DOCUMENT, lines.toSpliced(from, length, ...table).join('\n'));
}
