// Commands on a system that lacks what src/io/system.ts names: they work without it, and lose nothing.

import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { IS_LONG, sampled } from '../long.ts';
import { fixture, scratch } from './run.ts';

const { path, shell, start, within } = scratch();
const WORDS = fixture('words.txt');
const HOOK = fileURLToPath(new URL('./other-system.cjs', import.meta.url));

/** Runs a shell line whose commands find such a system. */
const elsewhere = (line: string, more = '') => shell(`export NODE_OPTIONS='--require ${HOOK} ${more}'; ${line}`);

beforeAll(async () => {
  await within(['build', '-n', '10k', WORDS, '-o', 'here.bloom']);
});

test('a filter is built, and replaced although another program had it open', () => {
  const built = `$BLOOM build -n 10k ${WORDS} -o there.bloom`;
  expect(elsewhere(built)).toMatchObject({ status: 0 });
  expect(readFileSync(path('there.bloom')).equals(readFileSync(path('here.bloom')))).toBe(true);
  expect(elsewhere(`${built} --force`)).toMatchObject({ status: 0 });
  expect(readFileSync(path('there.bloom')).equals(readFileSync(path('here.bloom')))).toBe(true);
  expect(readdirSync(path('.')).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('an existing file is refused, links or no links', () => {
  const { status, stderr } = elsewhere(`$BLOOM build -n 10k ${WORDS} -o here.bloom`);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 'bloom: here.bloom exists already; choose another name, or add --force to replace it\n',
  });
});

test.runIf(IS_LONG)('keys are added and removed in place, though an open file cannot be replaced', async () => {
  await within(['build', '--kind', 'counting', '-n', '10k', WORDS, '-o', 'changed.bloom']);
  expect(elsewhere('echo one more | $BLOOM add changed.bloom')).toMatchObject({ status: 0 });
  expect((await within(['query', 'changed.bloom', '-e', 'one more'])).status).toBe(0);
  expect(elsewhere('echo one more | $BLOOM remove changed.bloom')).toMatchObject({ status: 0 });
  expect((await within(['query', 'changed.bloom', '-e', 'one more'])).status).toBe(1);
  expect((await within(['query', '-c', 'changed.bloom', WORDS])).stdout).toBe('5130\n');
});

test.runIf(IS_LONG)('dedup replaces the state that it has read', () => {
  const line = 'printf "a\\nb\\n" | $BLOOM dedup --state seen.bloom';
  expect(elsewhere(line)).toMatchObject({ stdout: 'a\nb\n', status: 0 });
  expect(elsewhere(line)).toMatchObject({ stdout: '', status: 0 });
});

test.each(
  sampled<[string, string | RegExp]>([
    ['query -c here.bloom -', '5130\n'],
    ['stats --probes 0 --json here.bloom', /"inserted":5130,/],
    ['dedup -', /^AIDS\n/],
    ['query --which -F here.bloom -', /^here\.bloom\tAIDS\n/],
  ]),
)('a standard stream of unknown type is read and written: %s', (line, stdout) => {
  const outcome = elsewhere(`export ODD_STREAMS=1; $BLOOM ${line} < ${WORDS}`);
  expect(outcome).toMatchObject({ stderr: '', status: 0 });
  expect(outcome.stdout).toMatch(stdout);
});

test.runIf(IS_LONG)('a pipe is answered completely although its available bytes cannot be counted', async () => {
  expect(elsewhere(`cat ${WORDS} | $BLOOM query -c here.bloom`).stdout).toBe(
    (await within(['query', '-c', 'here.bloom', WORDS])).stdout,
  );
  expect(elsewhere(`(echo no; sleep 0.1; head -1 ${WORDS}) | $BLOOM query --tag here.bloom`).stdout).toBe(
    shell(`echo -no; head -1 ${WORDS} | sed s/^/+/`).stdout,
  );
});

test.runIf(IS_LONG)('if threads do not share descriptors, as under Deno, one thread does the work', async () => {
  const hook = fileURLToPath(new URL('./own-descriptors.cjs', import.meta.url));
  const line = `$BLOOM stats --json --threads 2 --probes 100k here.bloom | grep -o '"bits":[0-9]*\\|"probes":[0-9]*'`;
  expect(shell(`export NODE_OPTIONS='--require ${hook}'; ${line}`)).toEqual(shell(line));
  const query = ['query', '-c', '--threads', '3', 'here.bloom', WORDS];
  const outcome = shell(`export NODE_OPTIONS='--require ${hook}'; $BLOOM ${query.join(' ')}`);
  expect(outcome).toEqual(await within(query));
});

test('an argument that may have been decoded wrongly is refused', () => {
  const { status, stderr } = elsewhere(`$BLOOM query here.bloom -e 'a\uFFFDb'`);
  expect(status).toBe(2);
  expect(stderr).toMatch(/is not UTF-8; pass such keys on standard input/);
});

test('patterns of Windows have backslashes, and ignore the case of letters', () => {
  const { stdout } = elsewhere(
    `mkdir -p Many; cp here.bloom Many; $BLOOM query --which -e AIDS -F '.\\Many\\H*.BLOOM'`,
  );
  expect(stdout).toBe('./Many/here.bloom\tAIDS\n');
});

test('a filter of a lasting query is not kept open, so it can be replaced', async () => {
  const child = start(['query', '--line-buffered', '--tag', 'here.bloom']);
  if (child.stdin === null || child.stdout === null) throw new Error('there are pipes');
  child.stdin.write('AIDS\n');
  expect(String(await once(child.stdout, 'data'))).toBe('+AIDS\n');
  const folder = `/proc/${child.pid}/fd`;
  const open = readdirSync(folder).map((fd) => readlinkSync(`${folder}/${fd}`));
  child.stdin.end();
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(open.length).toBeGreaterThan(3);
  expect(open.filter((name) => name.endsWith('here.bloom'))).toEqual([]);
});

test('a signal that ends a process with status 1 is an error with status 2', () => {
  writeFileSync(
    path('signalled.cjs'),
    `process.kill = () => process.exit(1); require('fs').fsync = () => setImmediate(() => process.emit('SIGINT', 'SIGINT'));`,
  );
  const { status, stderr } = elsewhere(`$BLOOM build -q -n 10k ${WORDS} -o never.bloom`, '--require ./signalled.cjs');
  expect({ status, stderr }).toEqual({ status: 2, stderr: 'bloom: stopped by SIGINT\n' });
  expect(readdirSync(path('.')).filter((name) => name.endsWith('.tmp') || name === 'never.bloom')).toEqual([]);
});
