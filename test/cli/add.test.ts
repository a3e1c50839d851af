import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { IS_LONG } from '../long.ts';
import { fixture, scratch, writeUntilRead } from './run.ts';

const { path, shell, start, within } = scratch();
const WORDS = fixture('words.txt');

beforeAll(async () => {
  shell(`head -n 3000 ${WORDS} > head; tail -n +3001 ${WORDS} > tail`);
  await within(['build', '-n', '6000', WORDS, '-o', 'all.bloom']);
});

describe('add', () => {
  test('makes the filter that one build of all keys makes', async () => {
    await within(['build', '-n', '6000', 'head', '-o', 'grown.bloom']);
    const { stderr, status } = await within(['add', 'grown.bloom', 'tail']);
    expect(status).toBe(0);
    expect(stderr).toMatch(/^grown\.bloom: added 2,130 keys; now 5,130 keys/);
    expect(readFileSync(path('grown.bloom')).equals(readFileSync(path('all.bloom')))).toBe(true);
  });

  test('does not change the filter if --strict finds it overfull', async () => {
    await within(['build', '-n', '3000', 'head', '-o', 'strict.bloom']);
    const before = readFileSync(path('strict.bloom'));
    expect((await within(['add', '--strict', 'strict.bloom', 'tail'])).status).toBe(2);
    expect(readFileSync(path('strict.bloom')).equals(before)).toBe(true);
    const { stderr, status } = await within(['add', 'strict.bloom', 'tail']);
    expect(status).toBe(0);
    expect(stderr).toContain('warning: strict.bloom was sized for 3,000 keys');
  });

  test('obeys the normalisation of the filter', async () => {
    await within(['build', '-i', '-n', '100', '-o', 'folded.bloom'], { stdin: 'One\n' });
    await within(['add', 'folded.bloom'], { stdin: 'TWO\n' });
    expect((await within(['query', 'folded.bloom', '-e', 'two', '-e', 'oNE'])).stdout).toBe('two\noNE\n');
  });

  test('does not change the filter if no input can be read, and adds the readable inputs', async () => {
    await within(['build', '-n', '6000', 'head', '-o', 'partly.bloom']);
    const { ino } = statSync(path('partly.bloom'));
    expect(await within(['add', 'partly.bloom', 'nowhere'])).toEqual({
      stdout: '',
      stderr:
        'bloom: cannot read nowhere: no such file or folder\nbloom: partly.bloom was left as it was: 1 input could not be read (see above); try bloom add partly.bloom -e nowhere\n',
      status: 2,
    });
    expect(statSync(path('partly.bloom')).ino).toBe(ino);
    expect(await within(['add', 'partly.bloom', 'nowhere', 'tail'])).toMatchObject({
      stderr: expect.stringContaining('partly.bloom lacks the keys of 1 input that could not be read'),
      status: 2,
    });
    expect(readFileSync(path('partly.bloom')).equals(readFileSync(path('all.bloom')))).toBe(true);
  });

  test('reports that keys of an input that breaks off are missing', async () => {
    shell('seq 20000 | gzip > numbers.gz; head -c 30000 numbers.gz > broken.gz');
    await within(['build', '-n', '30k', 'head', '-o', 'some.bloom']);
    const lacking = 'some of the keys of 1 input that could not be read to the end\n';
    const added = await within(['add', 'some.bloom', 'broken.gz', 'tail']);
    expect(added).toMatchObject({ stderr: expect.stringContaining(`some.bloom lacks ${lacking}`), status: 2 });
    expect((await within(['query', 'some.bloom', '-e', '1000'])).stdout).toBe('1000\n');
    const built = await within(['build', '-n', '30k', 'nowhere', 'broken.gz', 'tail', '-o', 'new.bloom']);
    expect(built.stderr).toContain(`lacks the keys of 1 input that could not be read and ${lacking}`);
    if (!IS_LONG) return;
    expect((await within(['build', 'broken.gz', 'broken.gz', '-o', 'none.bloom'])).stderr).toContain(
      'nothing was written: 2 inputs could not be read to the end (see above); fix it',
    );
  });

  test('refuses an input that breaks off while its keys are counted, like remove', async () => {
    shell('seq 20000 > numbers; gzip < numbers | head -c 30000 > broken.gz');
    await within(['build', '--kind', 'counting', '-n', '30k', 'head', 'numbers', '-o', 'counting.bloom']);
    const bytes = () => readFileSync(path('counting.bloom'));
    const whole = bytes();
    for (const command of ['add', 'remove']) {
      const before = bytes();
      const { stderr, status } = await within([command, 'counting.bloom', 'broken.gz', 'head']);
      expect(stderr).toContain(
        'counting.bloom, which counts its keys, was left as it was: 1 input could not be read to the end (see above); fix it',
      );
      expect(status).toBe(2);
      expect(bytes().equals(before)).toBe(true);
      // A file that cannot be opened adds no keys.
      const without = await within([command, 'counting.bloom', 'nowhere', 'head']);
      expect(without.stderr).toContain('the keys of 1 input that could not be read\n');
      expect(bytes().equals(before)).toBe(false);
    }
    expect(bytes().equals(whole)).toBe(true);
  });

  test('refuses a filter from a pipe', async () => {
    expect((await within(['add', '-', 'head'])).status).toBe(2);
    const { stderr, status } = shell('$BLOOM add <(cat all.bloom) head');
    expect(stderr).toContain('is not a regular file');
    expect(status).toBe(2);
  });

  test('loses no keys if two run at the same time: the slower one is refused', async () => {
    await within(['build', '-n', '100', '-o', 'shared.bloom'], { stdin: 'first\n' });
    const slow = start(['add', 'shared.bloom']);
    await writeUntilRead(slow, 'slow\n');
    expect((await within(['add', 'shared.bloom'], { stdin: 'quick\n' })).status).toBe(0);
    slow.stdin?.end();
    expect(await once(slow, 'exit')).toEqual([3, null]);
    expect((await within(['query', 'shared.bloom', '-e', 'first', '-e', 'quick'])).stdout).toBe('first\nquick\n');
  });
});
