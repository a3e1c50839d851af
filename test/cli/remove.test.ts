import { readFileSync, statSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { KINDS } from '../../src/filters/registry.ts';
import { IS_LONG, inLongRuns } from '../long.ts';
import { contentOfFile } from '../reference/bloom-file.ts';
import { fixture, scratch } from './run.ts';

const { path, shell, within } = scratch();
const WORDS = fixture('words.txt');

beforeAll(() => {
  shell(`head -n 3000 ${WORDS} > head; tail -n +3001 ${WORDS} > tail`);
});

const removing = KINDS.filter(({ abilities }) => abilities.includes('remove')).map(({ name }) => name);
const others = KINDS.filter(({ abilities }) => !abilities.includes('remove')).map(({ name }) => name);

describe.each(inLongRuns(removing, removing.slice(1)))('remove from a %s filter', (kind) => {
  const file = `${kind}.bloom`;
  beforeAll(async () => {
    await within(['build', '--kind', kind, '-n', '6000', 'head', '-o', `head-${file}`]);
    await within(['build', '--kind', kind, '-n', '6000', WORDS, '-o', file]);
  });

  test('makes the filter that a build without the keys makes', async () => {
    const { stderr, status } = await within(['remove', file, 'tail']);
    expect(status).toBe(0);
    expect(stderr).toMatch(new RegExp(`^${kind}\\.bloom: removed 2,130 keys; now 3,000 keys`));
    expect(contentOfFile(readFileSync(path(file)))).toEqual(contentOfFile(readFileSync(path(`head-${file}`))));
    expect((await within(['query', '-c', file, 'head'])).stdout).toBe('3000\n');
  });

  test('removes no key if one is absent', async () => {
    const before = readFileSync(path(file));
    const { stderr, status } = await within(['remove', file], { stdin: 'nobody-has-added-this\nnor this\n' });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^bloom: .*was left as it was: 2 keys of 2 are not in it/);
    expect((await within(['remove', file], { stdin: 'nobody-has-added-this\n' })).stderr).toContain(
      '1 key of 1 is not in it, or not',
    );
    expect(shell(`(head -n 5 head; echo nobody-has-added-this) | $BLOOM remove ${file}`).status).toBe(2);
    expect(readFileSync(path(file)).equals(before)).toBe(true);
  });

  const isTried = IS_LONG || kind === 'cuckoo';
  // test/filters covers what the kinds do.
  test.runIf(isTried)('removes a key as often as it was added, and no more', async () => {
    await within(['build', '--kind', kind, '-n', '100', '-o', 'twice.bloom', '--force'], { stdin: 'a\na\nb\n' });
    expect((await within(['remove', 'twice.bloom'], { stdin: 'a\n' })).status).toBe(0);
    expect((await within(['query', 'twice.bloom', '-e', 'a', '-e', 'b'])).stdout).toBe('a\nb\n');
    expect((await within(['remove', 'twice.bloom'], { stdin: 'a\n' })).status).toBe(0);
    expect((await within(['query', 'twice.bloom', '-e', 'a', '-e', 'b'])).stdout).toBe('b\n');
    expect((await within(['remove', 'twice.bloom'], { stdin: 'a\n' })).status).toBe(2);
    expect((await within(['remove', 'twice.bloom'], { stdin: 'b\nb\n' })).status).toBe(2);
    expect((await within(['query', 'twice.bloom', '-e', 'b'])).stdout).toBe('b\n');
  });

  test.runIf(isTried)('uses the selection of keys and the normalisation of the filter', async () => {
    await within(['build', '--kind', kind, '-i', '-n', '100', '-o', 'folded.bloom', '--force'], {
      stdin: 'One\nTwo\n',
    });
    expect((await within(['remove', '-f', '2', 'folded.bloom'], { stdin: 'x ONE\n' })).status).toBe(0);
    expect((await within(['query', 'folded.bloom', '-e', 'one', '-e', 'two'])).stdout).toBe('two\n');
  });

  test.runIf(isTried)('reports unreadable inputs, and removes the other keys', async () => {
    await within(['build', '--kind', kind, '-n', '100', '-o', 'part.bloom', '--force'], { stdin: 'a\nb\n' });
    const { stderr, status } = shell('echo a | $BLOOM remove part.bloom - missing');
    expect(status).toBe(2);
    expect(stderr).toContain('cannot read missing');
    expect((await within(['query', 'part.bloom', '-e', 'a', '-e', 'b'])).stdout).toBe('b\n');
    const { ino } = statSync(path('part.bloom'));
    expect(await within(['remove', 'part.bloom', 'missing'])).toMatchObject({
      stderr: expect.stringContaining('part.bloom was left as it was: 1 input could not be read'),
      status: 2,
    });
    expect(statSync(path('part.bloom')).ino).toBe(ino);
  });
});

test.each(others)('a %s filter does not support removal, and the error names the kinds that do', async (kind) => {
  await within(['build', '--kind', kind, '-n', '100', '-o', `not-${kind}.bloom`], { stdin: 'a\n' });
  const { stderr, status } = await within(['remove', `not-${kind}.bloom`], { stdin: 'a\n' });
  expect(status).toBe(2);
  expect(stderr).toMatch(new RegExp(`is a ${kind} filter, and no key can be removed from it; build it with --kind`));
  for (const name of removing) expect(stderr).toContain(name);
});

test('a counter that was full is reported, and keeps its keys', async () => {
  const many = 'often\n'.repeat(20);
  await within(['build', '--kind', 'counting', '-n', '100', '-o', 'full.bloom'], { stdin: `${many}once\n` });
  const { fullCounters, hashes } = JSON.parse(
    (await within(['stats', '--json', '--probes', '0', 'full.bloom'])).stdout,
  );
  expect(fullCounters).toBe(hashes);
  expect((await within(['remove', 'full.bloom'], { stdin: many })).status).toBe(0);
  expect((await within(['query', 'full.bloom', '-e', 'often', '-e', 'once'])).stdout).toBe('often\nonce\n');
});
