import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { quotient } from '../../src/filters/quotient.ts';
import { canBeUsed, KINDS, type Use } from '../../src/filters/registry.ts';
import { IS_LONG } from '../long.ts';
import { contentOfFile } from '../reference/bloom-file.ts';
import { oracleOf } from '../reference/kinds.ts';
import { fixture, scratch } from './run.ts';

const { path, shell, within } = scratch();
const linesOfJson = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
/** Reports about filters, without their measured rates. */
const reportsOf = async (...files: string[]) =>
  linesOfJson((await within(['stats', '--probes', '0', '--json', ...files])).stdout);
const contentIn = (file: string) => contentOfFile(readFileSync(path(file)));
const WORDS = fixture('words.txt');

describe.each(KINDS.map(({ name, abilities }) => [name, abilities] as const))('a %s filter', (kind, abilities) => {
  const can = (use: Use) => canBeUsed({ abilities }, use);
  const file = `${kind}.bloom`;

  test('is built, queried, enlarged and reported on like any other', async () => {
    expect((await within(['build', '--kind', kind, WORDS, '-o', file])).status).toBe(0);
    expect((await within(['query', '-c', file, WORDS])).stdout).toBe('5130\n');
    const {
      kind: name,
      measuredFpr,
      predictedFpr,
      present,
      healthy,
    } = JSON.parse((await within(['stats', '--json', '--probes', '200k', file, '--present', WORDS])).stdout);
    expect(name).toBe(kind);
    expect(present).toEqual({ records: 5130, missing: 0, skipped: 0 });
    expect(healthy).toBe(true);
    const error = Math.sqrt(predictedFpr / measuredFpr.probes);
    expect(Math.abs(measuredFpr.rate - predictedFpr)).toBeLessThan(4 * error + 0.1 * predictedFpr);
    expect(measuredFpr.rate).toBeLessThan(0.0115);
    const { status, stderr } = await within(['add', file], { stdin: 'added\n' });
    if (can('add')) expect((await within(['query', file, '-e', 'added'])).stdout).toBe('added\n');
    else expect(stderr).toContain(`is a ${kind} filter, and no key can be added to it; build it with --kind bloom or`);
    expect(status).toBe(can('add') ? 0 : 2);
  });

  // test/filters covers the union of the other kinds, and merge.test.ts that of one.
  test.runIf(IS_LONG || ['scalable', 'ribbon'].includes(kind))(
    'is merged with filters of the same parameters',
    async () => {
      shell(`head -n 3000 ${WORDS} > head; tail -n +2001 ${WORDS} > tail`);
      for (const part of ['head', 'tail'])
        await within(['build', '--kind', kind, '-n', '7k', part, '-o', `${part}-${file}`, '--force']);
      const merged = await within(['merge', `head-${file}`, `tail-${file}`, '-o', `merged-${file}`]);
      if (!can('merge')) {
        expect(merged).toMatchObject({ status: 2, stdout: '' });
        expect(merged.stderr).toContain(`is a ${kind} filter, which cannot be merged; build it with --kind bloom or`);
        return;
      }
      expect(merged.status).toBe(0);
      expect((await within(['query', '-c', `merged-${file}`, WORDS])).stdout).toBe('5130\n');
      // A merge concatenates filters that grow.
      if (kind === 'scalable') return;
      await within(['build', '--kind', kind, '-n', '7k', 'head', 'tail', '-o', `both-${file}`, '--force']);
      expect(contentIn(`merged-${file}`)).toEqual(contentIn(`both-${file}`));
    },
  );

  // test/filters covers more geometries.
  test.runIf(IS_LONG)('does not depend on the order of its keys', async () => {
    shell(`sort -R ${WORDS} > mixed`);
    await within(['build', '--kind', kind, '-n', '7k', WORDS, '-o', `one-${file}`]);
    await within(['build', '--kind', kind, '-n', '7k', 'mixed', '-o', `two-${file}`]);
    expect(contentIn(`one-${file}`)).toEqual(contentIn(`two-${file}`));
  });
});

test('no kind needs more bits per key at 1 % than it should', async () => {
  for (const items of ['10M', '1M']) {
    const { stdout } = await within(['size', '--kind', 'all', '-n', items, '-p', '1%', '--json']);
    const sizes = linesOfJson(stdout);
    expect(sizes.map(({ kind }) => kind).sort()).toEqual(KINDS.map(({ name }) => name).sort());
    for (const { id, name } of KINDS) {
      const { bytes, capacity } = sizes.find(({ kind }) => kind === name);
      expect((8 * bytes) / capacity, name).toBeLessThan(oracleOf(id).bitsPerKey);
    }
  }
});

test('a filter is not merged with another kind', async () => {
  for (const kind of ['bloom', 'cuckoo'])
    await within(['build', '--kind', kind, '-o', `one-${kind}.bloom`], { stdin: 'a\n' });
  const { stderr, status } = await within(['merge', 'one-bloom.bloom', 'one-cuckoo.bloom', '-o', 'no.bloom']);
  expect(status).toBe(2);
  expect(stderr).toContain('kind is cuckoo in one-cuckoo.bloom, bloom in one-bloom.bloom');
});

test('size compares all kinds', async () => {
  const { stdout } = await within(['size', '-n', '1M', '-p', '1%', '--kind', 'all']);
  const names = stdout.split('\n').map((line) => line.split(' ')[0]);
  for (const { name } of KINDS) expect(names).toContain(name);
  expect(stdout).toContain('takes less than 6.64 bits per key, 830 kB.');
  expect(stdout).toMatch(/^counting .* add, remove, merge$/m);
  expect(stdout).toMatch(/^ribbon .* nothing$/m);
});

test('the hashes of a blocked filter are fixed', async () => {
  const { stderr, status } = await within(['size', '--kind', 'blocked', '-n', '1M', '-k', '7']);
  expect(status).toBe(2);
  expect(stderr).toContain('this kind of filter has 8 hash functions, not 7');
});

describe('a filter with a slot for every key', () => {
  test.each(['cuckoo', 'quotient'])('is not written if it becomes full: %s', async (kind) => {
    await within(['build', '--kind', kind, '-n', '1k', '-o', 'full.bloom', '--force'], { stdin: 'a\n' });
    const before = readFileSync(path('full.bloom'));
    const { stderr, status } = await within(['add', 'full.bloom', WORDS]);
    expect(status).toBe(2);
    expect(stderr).toBe(
      'bloom: nothing was written: the filter is full, it has no capacity for 5,130 keys (5,130 distinct) in addition to its 1; build a filter for all of them with -n 5,200\n',
    );
    expect(readFileSync(path('full.bloom')).equals(before)).toBe(true);
    const all = { stdin: `a\n${readFileSync(WORDS, 'utf8')}` };
    expect((await within(['build', '--kind', kind, '-n', '5,200', '-o', 'all.bloom', '--force'], all)).status).toBe(0);
  });

  test('states how large filters should be if their union is full: cuckoo', async () => {
    shell('seq 1000 > one; seq 501 1500 > two');
    const merge = async (items: string) => {
      for (const part of ['one', 'two'])
        await within(['build', '--kind', 'cuckoo', '-n', items, part, '-o', `${part}.bloom`, '--force']);
      return await within(['merge', 'one.bloom', 'two.bloom', '-o', 'union.bloom', '--force']);
    };
    const { stderr } = await merge('1k');
    expect(stderr).toContain('the union is full, it has no capacity for 2,000 keys; build the filters with -n 3,200');
    expect((await merge('3,200')).status).toBe(0);
  });

  test.each(['cuckoo', 'quotient'])('is sized for the copies that it keeps: %s', async (kind) => {
    shell(`for i in 1 2 3 4 5 6 7 8 9 10; do cat ${WORDS}; done > copies`);
    expect((await within(['build', '--kind', kind, 'copies', '-o', 'copies.bloom', '--force'])).status).toBe(0);
    const { stdout } = await within(['stats', '--json', 'copies.bloom']);
    const { predictedFpr, measuredFpr, estimatedItems } = JSON.parse(stdout);
    expect(Math.abs(predictedFpr / measuredFpr.rate - 1)).toBeLessThan(0.15);
    expect(Math.abs(estimatedItems - 5130)).toBeLessThan(100);
    expect((await within(['remove', 'copies.bloom', 'copies'])).status).toBe(0);
    // A key that was added more often than the filter can count stays.
    expect((await within(['query', '-c', 'copies.bloom', WORDS])).stdout).toBe('5130\n');
  });

  test('merges into a larger one: quotient', async () => {
    shell(`head -n 3000 ${WORDS} > head; tail -n +3001 ${WORDS} > tail`);
    for (const part of ['head', 'tail']) {
      await within(['build', '--kind', 'quotient', '-n', '3k', part, '-o', `small-${part}.bloom`]);
    }
    const { stderr, status } = await within(['merge', 'small-head.bloom', 'small-tail.bloom', '-o', 'grown.bloom']);
    expect(status).toBe(0);
    // The keys fit, but each bit that this takes from their remainders doubles the rate.
    expect(stderr).toContain('warning: grown.bloom was sized for 3,000 keys and has about 5.');
    expect((await within(['add', 'grown.bloom', '--strict'], { stdin: 'more\n' })).status).toBe(2);
    expect((await within(['query', '-c', 'grown.bloom', WORDS])).stdout).toBe('5130\n');
    const [small, grown] = await reportsOf('small-head.bloom', 'grown.bloom');
    expect(grown).toMatchObject({ capacity: 3000, hashes: small.hashes - 1 });
    expect(grown.predictedFpr / small.predictedFpr).toBeGreaterThan(1.5);
    // The numbers of the keys are unchanged, so the filter still supports removal and merging.
    expect((await within(['remove', 'grown.bloom', 'tail'])).status).toBe(0);
    expect((await within(['merge', 'grown.bloom', 'small-tail.bloom', '-o', 'again.bloom'])).status).toBe(0);
    expect((await within(['query', '-c', 'again.bloom', WORDS])).stdout).toBe('5130\n');
  });

  test.runIf(IS_LONG)('merges into one of the same size if it has enough slots: quotient', () => {
    const built = (lines: string, name: string) => {
      shell(`${lines} | $BLOOM build --force --json --kind quotient -n 3k -o ${name} > built.json`);
      return JSON.parse(readFileSync(path('built.json'), 'utf8'));
    };
    const { bits } = built('seq 10', 'ten.bloom');
    const plan = quotient.plan({ items: 3000, fpr: 0.01 });
    const shape = plan && { ...quotient.geometry(plan.bits, plan.k), k: plan.k };
    const room = (shape && quotient.enlarging?.capacity(shape)) ?? 0;
    for (const [keys, isLarger] of [
      [room, false],
      [room + 1, true],
    ] as const) {
      built(`seq 11 ${keys}`, 'rest.bloom');
      const { stdout } = shell('$BLOOM merge --force --json ten.bloom rest.bloom -o all.bloom');
      expect(JSON.parse(stdout)).toMatchObject({ inserted: keys });
      expect(JSON.parse(stdout).bits > bits).toBe(isLarger);
    }
  });

  test.runIf(IS_LONG)('states its rate after growth to millions of slots: quotient', async () => {
    shell('seq 300000 > numbers');
    await within(['build', '--kind', 'quotient', '-n', '300k', '-p', '3%', 'numbers', '-o', 'once.bloom']);
    const eight = Array<string>(8).fill('once.bloom');
    expect((await within(['merge', ...eight, '-o', 'eight.bloom'])).status).toBe(0);
    const { stdout } = await within(['stats', '--json', 'once.bloom', 'eight.bloom']);
    const [once, grown] = linesOfJson(stdout);
    // Eight copies of each number, and no further numbers.
    expect(grown).toMatchObject({
      segments: 1,
      inserted: 2_400_000,
      repeatedFingerprints: 7 * (300_000 - once.repeatedFingerprints),
    });
    expect(grown.predictedFpr).toBe(once.predictedFpr);
    expect(Math.abs(grown.predictedFpr / grown.measuredFpr.rate - 1)).toBeLessThan(0.02);
    expect((await within(['query', '-c', 'eight.bloom', 'numbers'])).stdout).toBe('300000\n');
  });
});

test('scalable filters are concatenated slice by slice, and their rates add up', async () => {
  shell(`head -n 3000 ${WORDS} > head; tail -n +3001 ${WORDS} > tail`);
  for (const part of ['head', 'tail'])
    await within(['build', '--kind', 'scalable', '-n', '3k', part, '-o', `slice-${part}.bloom`]);
  expect((await within(['merge', 'slice-head.bloom', 'slice-tail.bloom', '-o', 'slices.bloom'])).status).toBe(0);
  const [head, tail, both] = await reportsOf('slice-head.bloom', 'slice-tail.bloom', 'slices.bloom');
  expect(both.predictedFpr).toBeCloseTo(1 - (1 - head.predictedFpr) * (1 - tail.predictedFpr), 9);
  expect(both.sliceFill).toEqual([...head.sliceFill, ...tail.sliceFill]);
  expect((await within(['add', 'slices.bloom'], { stdin: 'more\n' })).status).toBe(0);
  expect((await within(['query', '-c', 'slices.bloom', WORDS])).stdout).toBe('5130\n');

  const many = Array.from({ length: 19 }, () => 'slice-head.bloom');
  expect((await within(['merge', ...many, '-o', 'many.bloom'])).stderr).toContain(
    'the filters together have 19 slices, and a filter has at most 18',
  );
  expect((await within(['merge', ...many.slice(1), '-o', 'many.bloom'])).status).toBe(0);
});

// With 29 bits, two remainders of a run do not always fit in the 64 bits that are read at once.
test.each([2, 3, 13, 20, 28, 29, 30, 32])('a quotient filter with remainders of %d bits finds all keys', async (k) => {
  const design = k < 10 ? ['-p', '30%'] : ['-n', '6k'];
  await within(['build', '--kind', 'quotient', '-k', String(k), ...design, WORDS, '-o', 'wide.bloom', '--force']);
  expect((await within(['query', '-c', 'wide.bloom', WORDS])).stdout).toBe('5130\n');
});
