// Runs the cases on the system that runs this file: CASES RESULTS LIBRARY FORM PROGRAM... Writes the results to a file as JSON.

import { mkdirSync, writeFileSync } from 'node:fs';
import { CASES, createBench, prepare } from './cases.ts';

/** The result of a case: the value that must be the same everywhere, or the error. */
export interface Result {
  readonly command: string;
  readonly what: string;
  readonly value?: string | undefined;
  readonly error?: string;
}

async function main([results = '', , form, ...program]: readonly string[]): Promise<void> {
  const folder = `${results}.folder`;
  mkdirSync(folder);
  process.chdir(folder);
  prepare();
  const bench = createBench(program);
  const found: Result[] = [];
  for (const { command, what, isSmall, run } of CASES) {
    if (form === 'small' && !isSmall) continue;
    try {
      found.push({ command, what, value: await run(bench) });
    } catch (error) {
      found.push({ command, what, error: error instanceof Error ? error.message : String(error) });
    }
    // Written after each case: a case that ends this process must not lose the others.
    writeFileSync(results, JSON.stringify(found));
  }
}

void main(process.argv.slice(2));
