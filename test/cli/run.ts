import { type SpawnOptionsWithoutStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { closeUsedPools } from '../engine/threads/worker-pools.ts';
import { type Outcome, outcomeOf } from '../starter.ts';
import { outcomeWithin } from './within.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const BLOOM = join(ROOT, 'bin', 'bloom.js');

/** Replaces the user's cache: V8 compiles the program once, and not into the user's folder. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'tests');

/** The path of a file in fixtures/. */
export function fixture(name: string): string {
  return join(ROOT, 'fixtures', name);
}

export interface RunOptions {
  readonly stdin?: string | Buffer;
  readonly env?: NodeJS.ProcessEnv;
}

export interface WithinOptions extends RunOptions {
  /** Within the scratch folder. */
  readonly folder?: string;
  /** Whether the standard input is a pipe. */
  readonly isPiped?: boolean;
  /** Bytes per chunk, if threads read inputs of any size. Otherwise they read only large inputs. */
  readonly chunk?: number;
}

/** A folder for the tests of one file, in which the command runs. */
export interface Scratch {
  path(name: string): string;
  bloom(args: readonly string[], options?: RunOptions): Outcome;
  /**
   * The same without a process of its own, which takes a tenth of the time. It is for everything that does not depend on the process.
   * The standard input is a file, unless `isPiped` is set.
   */
  within(args: readonly string[], options?: WithinOptions): Promise<Outcome>;
  /** Starts the command with pipes, for tests that talk to it while it runs. */
  start(args: readonly string[], options?: SpawnOptionsWithoutStdio): ReturnType<typeof spawn>;
  /** Runs a shell line in which $BLOOM is the command. */
  shell(line: string): Outcome;
}

/** A scratch folder in which the threads of commands are counted. */
export interface ThreadScratch extends Scratch {
  /** Threads that were started since the last call. */
  threadsStarted(): number;
}

/** More than a pipe holds: once it is written, the reader has begun. */
const OVER_A_PIPE = 2 ** 20;

/** Writes a line to a command so often that the command must have begun to read. */
export function writeUntilRead({ stdin }: ReturnType<typeof spawn>, line: string): Promise<void> {
  const lines = line.repeat(Math.ceil(OVER_A_PIPE / line.length));
  return new Promise((resolve) => stdin?.write(lines, () => resolve()));
}

/** Writes the standard input of a command and waits for the end of the command, while this process does other work. */
export async function outcomeLater(child: ReturnType<typeof spawn>, stdin = ''): Promise<Outcome> {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.on('data', (text) => {
      texts[name] += text;
    });
  child.stdin?.on('error', () => {}).end(stdin);
  const [status] = await once(child, 'close');
  return { ...texts, status };
}

/**
 * The test, not the machine, sets the variables for colours, progress and the shell's own messages. The copy is made
 * once, because Node asks the system for each variable.
 */
function environment(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { ...SURROUNDINGS, ...extra };
}

const { NO_COLOR, FORCE_COLOR, CI, ...others } = process.env;
const SURROUNDINGS: NodeJS.ProcessEnv = {
  ...others,
  TERM: 'xterm',
  LC_ALL: 'C',
  XDG_CACHE_HOME: CACHE,
  BLOOM: `${process.execPath} ${BLOOM}`,
};

export function scratch(): Scratch {
  return scratchWith({});
}

/** A scratch folder with further variables for its commands. */
function scratchWith(variables: NodeJS.ProcessEnv): Scratch {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'bloomery-test-'));
  });
  afterAll(async () => {
    await closeUsedPools();
    rmSync(folder, { recursive: true, force: true });
  });
  const outcome = (command: string, args: readonly string[], { stdin = '', env }: RunOptions): Outcome =>
    outcomeOf(command, args, { cwd: folder, input: stdin, env: environment({ ...variables, ...env }) });
  return {
    path: (name) => join(folder, name),
    bloom: (args, options = {}) => outcome(process.execPath, [BLOOM, ...args], options),
    within: (args, { env, folder: inner = '.', stdin = '', isPiped = false, chunk } = {}) =>
      outcomeWithin(args, { folder: join(folder, inner), env: environment(env), stdin, isPiped, chunk }),
    start: (args, options = {}) =>
      spawn(process.execPath, [BLOOM, ...args], { cwd: folder, env: environment(variables), ...options }),
    // Otherwise bash reads its user's settings if it takes the pipe of its input for a network connection.
    shell: (line) => outcome('bash', ['--norc', '-c', line], {}),
  };
}

export function threadScratch(): ThreadScratch {
  const folder = mkdtempSync(join(tmpdir(), 'bloomery-threads-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const log = join(folder, 'log');
  const counter = fileURLToPath(new URL('count-threads.cjs', import.meta.url));
  writeFileSync(log, '');
  return {
    ...scratchWith({ NODE_OPTIONS: `--require=${counter}`, THREADS_LOG: log }),
    threadsStarted() {
      const { length } = readFileSync(log);
      writeFileSync(log, '');
      return length;
    },
  };
}
