// Commands on a system that lacks what src/io/system.ts names: they do without, and lose nothing.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { fixture, scratch } from './run.ts';

const { path, shell, within } = scratch();
const WORDS = fixture('words.txt');
const HOOK = fileURLToPath(new URL('./other-system.cjs', import.meta.url));

/** Runs a line of shell whose commands find such a system. */
const elsewhere = (line: string) => shell(`export NODE_OPTIONS='--require ${HOOK}'; ${line}`);

beforeAll(async () => {
  await within(['build', '-n', '10k', WORDS, '-o', 'here.bloom']);
});

test('a filter is built, and replaced though somebody had it open', () => {
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

test('keys are added in place', async () => {
  shell('cp here.bloom changed.bloom');
  expect(elsewhere('echo one more | $BLOOM add changed.bloom')).toMatchObject({ status: 0 });
  expect((await within(['query', 'changed.bloom', '-e', 'one more'])).status).toBe(0);
});

test('a pipe is answered whole, though nobody can look whether more is there', async () => {
  expect(elsewhere(`cat ${WORDS} | $BLOOM query -c here.bloom`).stdout).toBe(
    (await within(['query', '-c', 'here.bloom', WORDS])).stdout,
  );
  expect(elsewhere(`(echo no; sleep 0.1; head -1 ${WORDS}) | $BLOOM query --tag here.bloom`).stdout).toBe(
    shell(`echo -no; head -1 ${WORDS} | sed s/^/+/`).stdout,
  );
});

test('where threads do not share descriptors, as under Deno, one thread does all', async () => {
  const hook = fileURLToPath(new URL('./own-descriptors.cjs', import.meta.url));
  const line = `$BLOOM stats --json --threads 2 --probes 100k here.bloom | grep -o '"bits":[0-9]*\\|"probes":[0-9]*'`;
  expect(shell(`export NODE_OPTIONS='--require ${hook}'; ${line}`)).toEqual(shell(line));
  const query = ['query', '-c', '--threads', '3', 'here.bloom', WORDS];
  const outcome = shell(`export NODE_OPTIONS='--require ${hook}'; $BLOOM ${query.join(' ')}`);
  expect(outcome).toEqual(await within(query));
});

test('an argument of which nobody can tell whether it was decoded is refused', () => {
  const { status, stderr } = elsewhere(`$BLOOM query here.bloom -e 'a\uFFFDb'`);
  expect(status).toBe(2);
  expect(stderr).toMatch(/is not UTF-8; give such keys on standard input/);
});
