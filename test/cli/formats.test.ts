import { describe, expect, test } from 'vitest';
import { KEY_TYPE_NAMES } from '../../src/formats/key-types.ts';
import { FORMATS } from '../../src/formats/registry.ts';
import { inLongRuns } from '../long.ts';
import { fixture, scratch } from './run.ts';

const { within } = scratch();

describe('formats', () => {
  test('has a line for each format with its abilities', async () => {
    const { stdout } = await within(['formats']);
    expect(stdout).toMatch(
      /^format +system +query +stats +build +add +merge +variants +keys\nbloomery +bloom( +yes){5} +text\n/,
    );
    for (const format of FORMATS) expect(stdout).toContain(format.system);
    expect(stdout).toMatch(/\nDetected, but not supported: .*Java/);
    for (const type of KEY_TYPE_NAMES) expect(stdout).toMatch(new RegExp(`\\n  ${type} +\\S`));
  });

  test('prints the same as JSON', async () => {
    const lines = (await within(['formats', '--json'])).stdout.trimEnd().split('\n');
    const byName = new Map(lines.map((line) => [JSON.parse(line).system, JSON.parse(line)]));
    expect([...byName.keys()].sort()).toEqual(FORMATS.map(({ system }) => system).sort());
    expect(byName.get('bloom')).toMatchObject({ format: 'bloomery', query: true, build: true, add: true, merge: true });
    expect(byName.get('Java')).toMatchObject({ format: null, query: false, stats: false, build: false });
  });
});

test.each(inLongRuns(['query', 'stats'], ['query']))(
  '%s accepts a stated format, and refuses a file of another format',
  async (command) => {
    const keys = command === 'query' ? ['-e', 'k'] : ['--probes', '0'];
    const run = async (format: string) =>
      await within([command, fixture('formats/dcso/a.bloom'), ...keys, '--format', format]);
    expect(await run('dcso')).toMatchObject({ status: 0, stderr: '' });
    expect(await run('guava')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/a\.bloom is not a filter of Guava: its first bytes are different/),
    });
    expect((await run('other')).stderr).toMatch(/'other'.*bloom formats lists the names/);
  },
);

test('merge and add accept a format too', async () => {
  const stated = ['--format', 'bloomery'];
  expect((await within(['build', fixture('words.txt'), '-o', 'a.bloom'])).status).toBe(0);
  expect((await within(['merge', '--dry-run', ...stated, 'a.bloom', 'a.bloom'])).status).toBe(0);
  expect((await within(['add', ...stated, 'a.bloom'], { stdin: 'new\n' })).status).toBe(0);
  expect((await within(['merge', '--dry-run', ...stated, fixture('formats/dcso/a.bloom')])).stderr).toMatch(
    /not a filter of bloom/,
  );
  expect((await within(['add', ...stated, fixture('formats/dcso/a.bloom')], { stdin: '' })).stderr).toMatch(
    /not a filter of bloom/,
  );
});
