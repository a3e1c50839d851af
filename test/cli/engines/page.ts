// The page about engines. The tests run its commands unchanged.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { blocksIn } from '../../document-blocks.ts';
import { IS_LONG } from '../../long.ts';
import type { Outcome } from '../../starter.ts';
import { BLOOM, type Scratch, scratch } from '../run.ts';

const PAGE = readFileSync(new URL('../../../src/commands/ENGINES.md', import.meta.url), 'utf8');

/** Where programs of the page find XXH64 in Python, under the name of the package that they import. */
const PYTHON = ['python', '../../python'].map((folder) => fileURLToPath(new URL(folder, import.meta.url))).join(':');

/** The code blocks of a section in one language, in order. */
export const blocksOf = (section: string, language: string): string[] => blocksIn(PAGE, section, language);

/** Tells a program from others of its name: moreutils has a parallel too. */
const PROBES: Readonly<Record<string, string>> = { parallel: 'parallel --version | grep -q "^GNU parallel"' };

/** Tests for long runs that need programs. If a program is missing, the tests are skipped and a message names the program. */
export function testedWith(...programs: readonly string[]) {
  if (!IS_LONG) return test.skip;
  const missing = programs.filter(
    (program) => spawnSync('sh', ['-c', PROBES[program] ?? `command -v ${program}`]).status !== 0,
  );
  if (missing.length > 0) console.warn(`skipped: nothing is tested with ${missing.join(' and ')}, which is not there`);
  return test.skipIf(missing.length > 0);
}

/** A scratch folder in which the commands of the page run. */
export interface PageScratch extends Scratch {
  /** Installs a shell program, given as lines, where commands find it before others of its name. */
  install(name: string, lines: readonly string[]): void;
  /** The folder of these programs. */
  programs(): string;
  /** A shell line that makes these programs commands. */
  environment(): string;
  /** Runs commands, which must succeed. */
  run(commands: string): string;
}

/** A scratch folder in which `bloom` is a command. */
export function pageScratch(): PageScratch {
  const folder = scratch();
  const programs = () => folder.path('bin');
  const install = (name: string, lines: readonly string[]) =>
    writeFileSync(`${programs()}/${name}`, ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
  beforeAll(() => {
    mkdirSync(programs());
    install('bloom', [`exec '${process.execPath}' '${BLOOM}' "$@"`]);
  });
  const environment = () => `export PATH='${programs()}':"$PATH" PYTHONPATH='${PYTHON}' PYTHONDONTWRITEBYTECODE=1`;
  return {
    ...folder,
    install,
    programs,
    environment,
    run(commands) {
      const outcome: Outcome = folder.shell(`${environment()}\n${commands}`);
      expect(outcome).toMatchObject({ status: 0 });
      return outcome.stdout;
    },
  };
}
