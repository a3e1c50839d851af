// Code of earlier runs in the user's cache folder: bloom uses it, and no damage to it changes what the program does.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { sampled } from '../long.ts';
import { scratch } from './run.ts';

const { path, bloom, shell, within } = scratch();

const PROGRAM = readFileSync(fileURLToPath(new URL('../../dist/js/cli.cjs', import.meta.url)));
const DIGEST_BYTES = '/*0123456789abcdef*/'.length;
const digestOf = (program: Buffer) =>
  createHash('sha256').update(program.subarray(DIGEST_BYTES)).digest('hex').slice(0, 16);
const digest = digestOf(PROGRAM);
const MODULE = 'exports,require,module,__filename';

const folder = () => path('cache/bloom/code');
const kept = (command: string) => join(folder(), `${digest}-cli.cjs-${command}-${process.version}-${process.arch}`);
const names = () => (existsSync(folder()) ? readdirSync(folder()) : []);
const query = (env: NodeJS.ProcessEnv = {}) =>
  bloom(['query', 'one.bloom', '-e', 'one', '-e', 'nowhere'], {
    env: { XDG_CACHE_HOME: path('cache'), ...env },
  });
const ANSWERS = { stdout: 'one\n', stderr: '', status: 0 };

beforeAll(async () => {
  await within(['build', '-n', '10', '-p', '1e-6', '-o', 'one.bloom'], { stdin: 'one\n' });
  expect(query()).toEqual(ANSWERS);
  cpSync(path('cache'), path('filled'), { recursive: true });
});

/** Restores the cache that a query leaves. */
const fill = () => cpSync(path('filled'), path('cache'), { recursive: true });

beforeEach(() => rmSync(path('cache'), { recursive: true, force: true }));

test('is kept by one run, for its command and by the digest of the source, and used by the next', () => {
  expect(query()).toEqual(ANSWERS);
  expect(names().map((name) => join(folder(), name))).toContain(kept('query'));
  const { ino, mode } = statSync(kept('query'));
  expect([mode & 0o777, statSync(folder()).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(query()).toEqual(ANSWERS);
  expect(statSync(kept('query')).ino).toBe(ino);
});

test('is neither used nor kept for --version, which is printed without the program if possible', () => {
  const version = (flag: string) => bloom([flag], { env: { XDG_CACHE_HOME: path('cache') } });
  for (const flag of ['--version', '-V']) expect(version(flag)).toMatchObject({ stderr: '', status: 0 });
  expect(names()).toEqual([]);
  expect(shell('$BLOOM --version > /dev/full')).toMatchObject({
    stderr: expect.stringContaining('bloom: cannot write to standard output'),
    status: 2,
  });
});

test('is what runs', () => {
  fill();
  // V8 accepts code for any source of the same length.
  const says = `require('node:fs').writeSync(1, 'from the cache');`.padEnd(PROGRAM.toString().length);
  const make = `const { Script } = require('node:vm'); process.stdout.write(new Script(require('node:fs').readFileSync(0, 'utf8'), { filename: 'x' }).createCachedData());`;
  const { NODE_OPTIONS, ...env } = process.env;
  const code = execFileSync(process.execPath, ['-e', make], { input: `(function(${MODULE}){${says}\n})`, env });
  writeFileSync(kept('query'), Buffer.concat([code, code]));
  expect(query().stdout).toBe('from the cache');
});

/** Damages to a file, and to the code in it. */
const DAMAGES: Readonly<Record<string, (file: string) => void>> = {
  'a bit is another one': (file) => {
    const bytes = readFileSync(file);
    bytes[5000] = (bytes[5000] ?? 0) ^ 4;
    writeFileSync(file, bytes);
  },
  'it is cut off': (file) => truncateSync(file, 4096),
  'it is empty': (file) => truncateSync(file, 0),
  'it is no code': (file) => writeFileSync(file, Buffer.alloc(100_000, 'x')),
};

test.each(sampled(Object.entries(DAMAGES)))('is compiled again if %s', (_, damage) => {
  fill();
  const before = readFileSync(kept('query'));
  damage(kept('query'));
  expect(query()).toEqual(ANSWERS);
  const after = readFileSync(kept('query'));
  expect(after.subarray(0, after.length / 2).equals(after.subarray(after.length / 2))).toBe(true);
  expect(Math.abs(after.length - before.length)).toBeLessThan(before.length / 10);
});

test('in a folder that others may write to is neither used nor kept', () => {
  fill();
  writeFileSync(kept('query'), 'x');
  chmodSync(folder(), 0o777);
  expect(query()).toEqual(ANSWERS);
  expect(readFileSync(kept('query'), 'utf8')).toBe('x');
});

test.runIf(process.getuid?.() === 0)('of another user is neither used nor kept', () => {
  fill();
  writeFileSync(kept('query'), 'x');
  chownSync(folder(), 1, 1);
  expect(query()).toEqual(ANSWERS);
  expect(readFileSync(kept('query'), 'utf8')).toBe('x');
});

test.runIf(process.getuid?.() === 0)('makes no folder in a folder of another user', () => {
  mkdirSync(path('cache'));
  chownSync(path('cache'), 1, 1);
  expect(query()).toEqual(ANSWERS);
  expect(readdirSync(path('cache'))).toEqual([]);
});

test.each([
  ['NODE_DISABLE_COMPILE_CACHE', '1'],
  ['NODE_OPTIONS', '--no-deprecation'],
  ['XDG_CACHE_HOME', '/dev/null/nowhere'],
])('is neither used nor kept with %s=%s', (name, value) => {
  expect(query({ [name]: value })).toEqual(ANSWERS);
  expect(names()).toEqual([]);
});

test('is kept of the threads too, for all commands', () => {
  const env = { XDG_CACHE_HOME: path('cache') };
  writeFileSync(path('zeros'), '');
  truncateSync(path('zeros'), 33 * 2 ** 20);
  const build = () => bloom(['build', '-n', '10', '--threads', '2', 'zeros', '-o', 'zeros.bloom', '--force'], { env });
  expect(build().status).toBe(0);
  const [threads = '', ...others] = names().filter((name) => name.includes('worker'));
  expect(others).toEqual([]);
  const worker = readFileSync(fileURLToPath(new URL('../../dist/js/worker.cjs', import.meta.url)));
  expect(threads).toBe(`${digestOf(worker)}-worker.cjs-${process.version}-${process.arch}`);
  const { ino } = statSync(join(folder(), threads));
  expect(build().status).toBe(0);
  expect(statSync(join(folder(), threads)).ino).toBe(ino);
});

test('is not kept for unknown commands and failures', () => {
  const env = { XDG_CACHE_HOME: path('cache') };
  expect(bloom(['qury'], { env }).status).toBe(2);
  expect(bloom(['no/command'], { env }).status).toBe(2);
  expect(names()).toEqual([]);
});

test('of other programs is removed if there is too much', () => {
  fill();
  const made = names();
  for (let i = 0; i < 64; i++)
    writeFileSync(
      join(folder(), `${String(i).padStart(16, '0')}-cli.cjs-query-v20.0.0-x64${i % 2 ? '' : '.17.part'}`),
      '',
    );
  for (const name of made) rmSync(join(folder(), name));
  expect(query()).toEqual(ANSWERS);
  expect(names()).toEqual(made);
});
