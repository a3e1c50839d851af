// A copy of the project in which a mutant lives: nothing of the project itself is ever changed.

import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { type Mutant, mutated } from './mutants.ts';

const LEFT_OUT = ['.git', 'node_modules'];

/** A path in this one, and in each copy. */
const CONFIG = join('test', 'mutation', 'vitest.config.ts');

export interface Copy {
  readonly folder: string;
  /** Folder of temporary files, emptied after each run: a test that is killed leaves its own. */
  readonly temporary: string;
}

export function copyOf(root: string, folder: string): Copy {
  cpSync(root, folder, { recursive: true, filter: (path) => !LEFT_OUT.includes(basename(path)) });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return { folder, temporary: join(folder, 'tmp') };
}

interface Outcome {
  readonly isSuccess: boolean;
  readonly lines: readonly string[];
}

/** Groups of processes that run. */
const groups = new Set<number>();

/** Ends all that runs in copies. */
export function stop(): void {
  for (const group of groups) process.kill(-group, 'SIGKILL');
}

/** Runs a line of the shell in a copy; kills it, and all that it started, when it says nothing for some seconds. */
function run({ folder, temporary }: Copy, line: string, silence: number, env: NodeJS.ProcessEnv = {}) {
  const path = `${join(folder, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`;
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary);
  const child = spawn('sh', ['-c', line], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, PATH: path, TMPDIR: temporary, ...env },
  });
  const group = child.pid;
  if (group === undefined) throw new Error(`${line} cannot be run`);
  groups.add(group);
  const kill = () => process.kill(-group, 'SIGKILL');
  let timer = setTimeout(kill, 1000 * silence);
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (text) => {
    lines.push(text);
    clearTimeout(timer);
    timer = setTimeout(kill, 1000 * silence);
  });
  return new Promise<Outcome>((resolve) => {
    child.on('close', (code) => {
      clearTimeout(timer);
      groups.delete(group);
      resolve({ isSuccess: code === 0, lines });
    });
  });
}

/** A line that package.json names. */
function script(copy: Copy, name: string): string {
  return JSON.parse(readFileSync(join(copy.folder, 'package.json'), 'utf8')).scripts[name];
}

/** Longer than a compiler takes, even on a machine that is busy. */
const COMPILED_WITHIN = 300;

async function isCompiled(copy: Copy, { file }: Mutant): Promise<boolean> {
  const steps = file.includes('assembly')
    ? [script(copy, 'build:kernel')]
    : ['tsc --incremental --tsBuildInfoFile .types', script(copy, 'build:program')];
  return (await run(copy, steps.join(' && '), COMPILED_WITHIN)).isSuccess;
}

export interface Tested {
  /** The first failure: the file, and the name of the test. */
  readonly failure: string | undefined;
  /** Seconds that each file took which was run to its end. */
  readonly seconds: ReadonlyMap<string, number>;
}

/** Runs the test files in this order up to the first that fails. */
export async function test(copy: Copy, order: readonly string[], silence: number, workers = 1): Promise<Tested> {
  const line = `vitest run --config ${CONFIG} --maxWorkers ${workers}`;
  const { isSuccess, lines } = await run(copy, line, silence, { BLOOM_TEST_ORDER: order.join('\n') });
  const seconds = new Map<string, number>();
  let failure: string | undefined;
  for (const [state = '', module = '', what = ''] of lines.map((text) => text.split('\t'))) {
    const file = relative(copy.folder, module);
    if (state.startsWith('file ')) seconds.set(file, Number(what) / 1000);
    if (state.endsWith('failed')) failure ??= `${file} ${what}`;
  }
  if (!isSuccess) failure ??= 'no more was heard of the tests';
  return { failure, seconds };
}

export type Fate = { readonly state: 'invalid' | 'survived' } | { readonly state: 'killed'; readonly by: string };

/** What becomes of a mutant. */
export async function fateOf(copy: Copy, mutant: Mutant, order: readonly string[], silence: number): Promise<Fate> {
  const path = join(copy.folder, mutant.file);
  const source = readFileSync(path, 'utf8');
  const built = join(copy.folder, 'dist');
  const kept = `${built}.kept`;
  if (!existsSync(kept)) cpSync(built, kept, { recursive: true });
  try {
    writeFileSync(path, mutated(source, mutant));
    if (!(await isCompiled(copy, mutant))) return { state: 'invalid' };
    const { failure } = await test(copy, order, silence);
    return failure === undefined ? { state: 'survived' } : { state: 'killed', by: failure };
  } finally {
    writeFileSync(path, source);
    rmSync(built, { recursive: true, force: true });
    cpSync(kept, built, { recursive: true });
  }
}
