// The page about engines, whose commands the tests run as they stand there.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import type { Outcome } from '../../starter.ts';
import { BLOOM, type Scratch, scratch } from '../run.ts';

const PAGE = readFileSync(new URL('../../../src/commands/ENGINES.md', import.meta.url), 'utf8');

/** Where programs of the page find XXH64 in Python, which the package has that they name. */
const PYTHON = ['python', '../../python'].map((folder) => fileURLToPath(new URL(folder, import.meta.url))).join(':');

/** The blocks of a section in some language, in their order. */
export function blocksOf(section: string, language: string): string[] {
  const [, text = ''] = PAGE.split(`\n## ${section}\n`);
  const [own = ''] = text.split('\n## ');
  return [...own.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block);
}

/** What tells a program from others of its name: moreutils has a parallel too. */
const PROBES: Readonly<Record<string, string>> = { parallel: 'parallel --version | grep -q "^GNU parallel"' };

/** Tests that need programs: where one is missing they are skipped, and it is said which. */
export function testedWith(...programs: readonly string[]) {
  const missing = programs.filter(
    (program) => spawnSync('sh', ['-c', PROBES[program] ?? `command -v ${program}`]).status !== 0,
  );
  if (missing.length > 0) console.warn(`skipped: nothing is tested with ${missing.join(' and ')}, which is not there`);
  return test.skipIf(missing.length > 0);
}

/** A scratch folder in which commands of the page are run. */
export interface PageScratch extends Scratch {
  /** Puts a program of the shell, as lines, where commands find it before others of its name. */
  install(name: string, lines: readonly string[]): void;
  /** The folder of these programs. */
  programs(): string;
  /** Makes these programs commands, as a line of the shell. */
  environment(): string;
  /** Runs commands, which have to succeed. */
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
