// A copy of the project for a mutant. The project itself is never changed.

import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import asc from 'assemblyscript/asc';
import { isOfKernel, type Mutant, mutated } from './mutants.ts';

const LEFT_OUT = ['.git', 'node_modules'];

/** A path in this project, and in each copy. */
const CONFIG = join('test', 'mutation', 'vitest.config.ts');

export interface Copy {
  readonly folder: string;
  /** The folder of temporary files. It is emptied after each run, as a killed test leaves its own. */
  readonly temporary: string;
}

export function copyOf(root: string, folder: string): Copy {
  cpSync(root, folder, { recursive: true, filter: (path) => !LEFT_OUT.includes(basename(path)) });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return { folder, temporary: join(folder, 'tmp') };
}

interface Outcome {
  readonly isSuccess: boolean;
  /** Whether the process was not killed before its end. */
  readonly isEnded: boolean;
  readonly lines: readonly string[];
}

/** Groups of running processes. */
const groups = new Set<number>();

/** Ends all processes in copies. */
export function stop(): void {
  for (const group of groups) process.kill(-group, 'SIGKILL');
}

/** Runs a shell line in a copy. Kills it, with all that it started, after some seconds without output. */
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
      resolve({ isSuccess: code === 0, isEnded: code !== null, lines });
    });
  });
}

/** The shell line of a script in package.json. */
function script(copy: Copy, name: string): string {
  return JSON.parse(readFileSync(join(copy.folder, 'package.json'), 'utf8')).scripts[name];
}

/** Longer than a compiler takes, even on a busy machine. */
const COMPILED_WITHIN = 300;

/** Builds the program of a copy. */
async function isProgramBuilt(copy: Copy): Promise<boolean> {
  return (await run(copy, script(copy, 'build:program'), COMPILED_WITHIN)).isSuccess;
}

/** Ends after the last compilation that was begun. Two at once would share the transform's program. */
let compiled: Promise<unknown> = Promise.resolve();

/** Compiles the kernel of a copy in this process, which takes a second. Optimizing would take five more. */
async function isKernelBuilt(copy: Copy): Promise<boolean> {
  const [, ...options] = script(copy, 'build:kernel').split(' ');
  const compile = () =>
    asc.main([...options, '--optimizeLevel', '0', '--baseDir', copy.folder], { stderr: { write: () => {} } });
  const result = compiled.then(compile);
  compiled = result;
  return (await result).error === null;
}

/** Builds the kernel and the program of a copy. */
export async function isBuilt(copy: Copy): Promise<boolean> {
  return (await isKernelBuilt(copy)) && isProgramBuilt(copy);
}

/**
 * The mutants that the type checker accepts. It checks all of them at once, each as a file beside the source, so errors in other files
 * go unnoticed. The kernel is not checked here; its compiler finds errors later.
 */
export async function accepted(copy: Copy, mutants: readonly Mutant[]): Promise<Mutant[]> {
  const nameOf = (i: number) => `mutant-${i}`;
  const paths = new Map<string, Mutant>();
  for (const [i, mutant] of mutants.entries()) {
    if (!isOfKernel(mutant.file)) paths.set(join(dirname(mutant.file), `${nameOf(i)}.ts`), mutant);
  }
  for (const [path, mutant] of paths) {
    const source = readFileSync(join(copy.folder, mutant.file), 'utf8');
    writeFileSync(join(copy.folder, path), mutated(source, mutant));
  }
  const { lines } = await run(copy, 'tsc --pretty false', COMPILED_WITHIN);
  for (const path of paths.keys()) rmSync(join(copy.folder, path));
  const refused = new Set(lines.map((line) => paths.get(line.replace(/\(.*/, ''))));
  return mutants.filter((mutant) => !refused.has(mutant));
}

export interface Tested {
  /** The failed tests: the file and the name of each. */
  readonly failures: readonly { readonly file: string; readonly name: string }[];
  /** Seconds per test file that ran to its end. */
  readonly seconds: ReadonlyMap<string, number>;
}

interface HowToTest {
  /** The tests are ended after this many seconds without output. */
  readonly silence: number;
  readonly workers?: number;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs these test files, or all of them. */
export async function test(
  copy: Copy,
  files: readonly string[],
  { silence, workers = 1, env = {} }: HowToTest,
): Promise<Tested> {
  const line = `vitest run --config ${CONFIG} --maxWorkers ${workers} ${files.join(' ')}`;
  const { isSuccess, isEnded, lines } = await run(copy, line, silence, env);
  const seconds = new Map<string, number>();
  const failures: { file: string; name: string }[] = [];
  for (const [state = '', module = '', what = ''] of lines.map((text) => text.split('\t'))) {
    const file = relative(copy.folder, module);
    if (state.startsWith('file ')) seconds.set(file, Number(what) / 1000);
    if (state === 'failed') failures.push({ file, name: what });
    // The file failed without a failed test: it could not be loaded, or a hook failed.
    if (state === 'file failed' && !failures.some((failure) => failure.file === file))
      failures.push({ file, name: '' });
  }
  // A recorded run that was killed says nothing about the files that it had not reached, whatever failed before.
  if (!isEnded || (!isSuccess && failures.length === 0))
    failures.push({ file: '', name: 'no more was heard of the tests' });
  return { failures, seconds };
}

/** Test files in the order in which they run. */
export interface Plan {
  /** Test files that run the mutant in their own process. */
  readonly within: readonly string[];
  /** Test files that run the mutant in the built program. */
  readonly built: readonly string[];
}

export type Fate = { readonly state: 'invalid' | 'survived' } | { readonly state: 'killed'; readonly by: string };

/** The fate of a mutant. The tests run up to the first failure, and the program is built only if they need it. */
export async function fateOf(copy: Copy, mutant: Mutant, { within, built }: Plan, silence: number): Promise<Fate> {
  const path = join(copy.folder, mutant.file);
  const source = readFileSync(path, 'utf8');
  const dist = join(copy.folder, 'dist');
  const kept = `${dist}.kept`;
  if (!existsSync(kept)) cpSync(dist, kept, { recursive: true });
  const failureOf = async (files: readonly string[]) => {
    if (files.length === 0) return undefined;
    const env = { BLOOM_TEST_ORDER: files.join('\n') };
    const [failure] = (await test(copy, files, { silence, env })).failures;
    return failure && `${failure.file} ${failure.name}`;
  };
  try {
    writeFileSync(path, mutated(source, mutant));
    if (isOfKernel(mutant.file) && !(await isKernelBuilt(copy))) return { state: 'invalid' };
    let by = await failureOf(within);
    if (by === undefined && built.length > 0) {
      if (!isOfKernel(mutant.file) && !(await isProgramBuilt(copy))) return { state: 'invalid' };
      by = await failureOf(built);
    }
    return by === undefined ? { state: 'survived' } : { state: 'killed', by };
  } finally {
    writeFileSync(path, source);
    rmSync(dist, { recursive: true, force: true });
    cpSync(kept, dist, { recursive: true });
  }
}
