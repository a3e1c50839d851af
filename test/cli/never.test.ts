// build --never: no protected key is selected, whichever threads, parts or passes build the filter.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { openFilter } from '../../src/library/index.ts';
import { openFilter as openInBrowsers } from '../../src/web/index.ts';
import { inLongRuns, sampled } from '../long.ts';
import { sealTable } from '../reference/bloom-file.ts';
import { protectedRules, selects } from '../reference/protected.ts';
import { scratch } from './run.ts';

const { path, within } = scratch();

const MEMBERS = inLongRuns(100_000, 10_000);
const PROTECTED = inLongRuns(1_000_000, 25_000);
const OTHERS = 100_000;
const KINDS = ['ribbon', 'fuse'] as const;

function linesOf(prefix: string, count: number): string {
  return Array.from({ length: count }, (_, i) => `${prefix}${i}\n`).join('');
}

async function built(args: readonly string[], name: string) {
  const outcome = await within(['build', ...args, '-o', name, '--force']);
  expect({ status: outcome.status, stderr: outcome.stderr }).toMatchObject({ status: 0 });
  return { ...outcome, bytes: new Uint8Array(readFileSync(path(name))) };
}

/** The number of records of a file that a filter selects. */
async function selected(filter: string, file: string): Promise<number> {
  return Number((await within(['query', '-c', filter, file])).stdout);
}

beforeAll(() => {
  writeFileSync(path('members'), linesOf('bad', MEMBERS));
  writeFileSync(path('never'), linesOf('good', PROTECTED));
  writeFileSync(path('others'), linesOf('other', OTHERS));
  writeFileSync(path('few'), linesOf('bad', 200));
  writeFileSync(path('some'), linesOf('good', 3000));
  writeFileSync(path('mixed'), linesOf('bad', 200) + linesOf('good', 3000));
});

describe.each(sampled(KINDS))('a %s filter', (kind) => {
  beforeAll(() => built(['--kind', kind, 'members', '--never', 'never'], `${kind}.bloom`));

  test('has every member, no protected key, and its rate for other keys', async () => {
    expect(await selected(`${kind}.bloom`, 'members')).toBe(MEMBERS);
    expect(await selected(`${kind}.bloom`, 'never')).toBe(0);
    // 2^-7 of the other keys, within five standard deviations.
    const expected = OTHERS / 128;
    const found = await selected(`${kind}.bloom`, 'others');
    expect(Math.abs(found - expected)).toBeLessThan(5 * Math.sqrt(expected));
  });

  test('needs at most 3 % more bytes than one without protected keys', async () => {
    const plain = await built(['--kind', kind, 'members'], 'plain.bloom');
    expect(readFileSync(path(`${kind}.bloom`)).length).toBeLessThanOrEqual(1.03 * plain.bytes.length);
  });

  test('has the bytes that size predicts, within the error of the estimate', async () => {
    const flags = ['-n', `${MEMBERS}`, '-p', '1%', '--kind', kind, '--protected', `${PROTECTED}`, '--json'];
    const { bytes } = JSON.parse((await within(['size', ...flags])).stdout);
    expect(Math.abs(readFileSync(path(`${kind}.bloom`)).length / bytes - 1)).toBeLessThan(0.003);
  });

  test('states its protected keys and their rate', async () => {
    const { stdout } = await within(['stats', '--json', '--probes', '100k', `${kind}.bloom`]);
    expect(JSON.parse(stdout)).toMatchObject({ kind, protectedFpr: 0, predictedFpr: expect.closeTo(1 / 128, 6) });
    expect(Math.abs(JSON.parse(stdout).protectedKeys / PROTECTED - 1)).toBeLessThan(0.02);
  });

  test('answers as an independent reader does', async () => {
    const { bytes } = await built(['--kind', kind, '-p', '20%', 'few', '--never', 'some'], 'small.bloom');
    const rules = protectedRules(bytes);
    const payload = bytes.subarray(128, 128 + (rules.segments * rules.segmentBits) / 8);
    const { stdout } = await within(['query', '--tag', 'small.bloom', 'mixed']);
    const records = stdout.trimEnd().split('\n');
    expect(records).toHaveLength(3200);
    for (const record of records.slice(0, 700))
      expect([record, selects(payload, Buffer.from(record.slice(1)), rules)]).toEqual([record, record[0] === '+']);
    const other = (await within(['query', '--tag', 'small.bloom', 'others'])).stdout.split('\n').slice(0, 300);
    expect(other.filter((record) => record[0] === '+').length).toBeGreaterThan(0);
    for (const record of other)
      expect([record, selects(payload, Buffer.from(record.slice(1)), rules)]).toEqual([record, record[0] === '+']);
  });
});

test('reports distinguish an estimated number of protected keys from an exact one', async () => {
  await built(['--kind', 'ribbon', '-p', '20%', 'few', '--never', 'some'], 'counted.bloom');
  expect((await within(['stats', '--probes', '0', 'counted.bloom'])).stdout).toContain('protected keys  3,000\n');
  const many = linesOf('many', 150_000);
  await within(['build', '--kind', 'ribbon', '-p', '20%', 'few', '--never', '-', '-o', 'about.bloom'], { stdin: many });
  expect((await within(['stats', '--probes', '0', 'about.bloom'])).stdout).toMatch(
    /protected keys {2}about 1[45]\dk\n/,
  );
});

test('all protected keys are used if members are few and protected keys are many', async () => {
  await built(['--kind', 'ribbon', '-p', '20%', 'few', '--never', 'never'], 'many.bloom');
  expect(await selected('many.bloom', 'never')).toBe(0);
  expect(await selected('many.bloom', 'few')).toBe(200);
});

describe('the bytes are the same', () => {
  /** Several segments, for few keys. */
  const LARGE = ['--kind', 'ribbon', '-n', '1M', 'members', '--never', 'never'];
  let whole = new Uint8Array();
  beforeAll(async () => {
    ({ bytes: whole } = await built([...LARGE, '--threads', '1'], 'whole.bloom'));
    expect(new DataView(whole.buffer).getUint32(40, true)).toBeGreaterThan(1);
  });

  test.each(inLongRuns([2, 3, 4, 8, 16], [3]))('with %i threads', async (threads) => {
    const { bytes } = await built([...LARGE, '--threads', `${threads}`], 'threads.bloom');
    expect(Buffer.compare(bytes, whole)).toBe(0);
  });

  test('in passes, and in parts that merge joins', async () => {
    expect(Buffer.compare((await built([...LARGE, '--passes', '2'], 'passes.bloom')).bytes, whole)).toBe(0);
    for (const part of [1, 2]) await built([...LARGE, '--part', `${part}/2`], `part${part}.bloom`);
    await within(['merge', 'part1.bloom', 'part2.bloom', '-o', 'joined.bloom']);
    expect(Buffer.compare(readFileSync(path('joined.bloom')), whole)).toBe(0);
    expect(await selected('joined.bloom', 'never')).toBe(0);
  });

  test('of a pipe, and of digests', async () => {
    const stdin = readFileSync(path('never'));
    const piped = await within(['build', ...LARGE.slice(0, -1), '-', '-o', 'piped.bloom'], { stdin, isPiped: true });
    expect(piped.status).toBe(0);
    expect(Buffer.compare(readFileSync(path('piped.bloom')), whole)).toBe(0);
    await within(['digest', '--like', 'whole.bloom', 'members', '-o', 'members.digests']);
    await within(['digest', '--like', 'whole.bloom', 'never', '-o', 'never.digests']);
    const flags = ['--kind', 'ribbon', '-n', '1M', '--digests', 'members.digests', '--never', 'never.digests'];
    // The number of protected keys is an estimate that depends on their digests.
    await built(flags, 'digests.bloom');
    expect(await selected('digests.bloom', 'never')).toBe(0);
    expect(await selected('digests.bloom', 'members')).toBe(MEMBERS);
  });

  test('with --like, whose filter may have other protected keys', async () => {
    const { bytes } = await built(['--like', 'whole.bloom', 'members', '--never', 'never'], 'like.bloom');
    expect(Buffer.compare(bytes, whole)).toBe(0);
    const { stderr, status } = await within(['build', '--like', 'whole.bloom', 'members', '-o', 'unlike.bloom']);
    expect({ stderr, status }).toMatchObject({
      stderr: expect.stringContaining('name their file with --never'),
      status: 2,
    });
  });
});

describe.each(sampled(KINDS.toReversed()))('a %s filter of a universe', (kind) => {
  test.each(inLongRuns([1, 2, 4, 16, 50], [4]))(
    'of %i other keys per member answers exactly, in few bits',
    async (others) => {
      const members = inLongRuns(20_000, 5000);
      writeFileSync(path('some-members'), linesOf('key', members));
      writeFileSync(path('universe'), linesOf('key', members * (1 + others)));
      const flags = ['--kind', kind, 'some-members', '--universe', 'universe'];
      const { bytes } = await built(flags, 'universe.bloom');
      const found = await within(['query', 'universe.bloom', 'universe']);
      expect(found.stdout).toBe(linesOf('key', members));
      // log2 of the binomial coefficient, by entropy; a fuse filter has at least 1.125 slots per key.
      const share = 1 / (1 + others);
      const entropy = -share * Math.log2(share) - (1 - share) * Math.log2(1 - share);
      const least = members * (1 + others) * entropy;
      expect(8 * bytes.length).toBeLessThan((kind === 'ribbon' ? 1.14 : 1.35) * least + 8 * 64 * 8);
      const stated = JSON.parse((await within(['stats', '--probes', '1k', '--json', 'universe.bloom'])).stdout);
      expect(stated).toMatchObject({ universeFpr: 0, estimatedItems: members });
      expect(Math.abs(stated.universeKeys / (members * (1 + others)) - 1)).toBeLessThan(0.02);
      expect(stated.predictedFpr).toBeCloseTo(2 ** -stated.hashes, 6);
      const size = ['size', '-n', `${members}`, '--kind', kind, '--universe', `${members * (1 + others)}`, '--json'];
      const predicted = JSON.parse((await within(size)).stdout);
      expect(Math.abs(bytes.length / predicted.bytes - 1)).toBeLessThan(0.01);
    },
  );

  test('has its members outside the universe, and says so', async () => {
    writeFileSync(path('small-universe'), linesOf('bad', 100) + linesOf('good', 1000));
    const { stderr } = await built(['--kind', kind, 'few', '--universe', 'small-universe'], 'outside.bloom');
    expect(stderr).toContain('100 added keys are not in the universe');
    expect(await selected('outside.bloom', 'few')).toBe(200);
    expect((await within(['query', 'outside.bloom', 'small-universe'])).stdout).toBe(linesOf('bad', 100));
  });
});

test('a universe has the same bytes with every number of threads, in parts and in passes', async () => {
  const flags = ['--kind', 'ribbon', '-n', '5M', 'members', '--universe', 'both-lists'];
  writeFileSync(path('both-lists'), linesOf('bad', MEMBERS) + linesOf('good', PROTECTED));
  const { bytes: whole } = await built([...flags, '--threads', '1'], 'universe-1.bloom');
  expect(new DataView(whole.buffer).getUint32(40, true)).toBeGreaterThan(1);
  expect(await selected('universe-1.bloom', 'both-lists')).toBe(MEMBERS);
  for (const other of inLongRuns(
    [
      ['--threads', '2'],
      ['--threads', '3'],
      ['--threads', '8'],
      ['--threads', '16'],
      ['--passes', '2'],
    ],
    [['--threads', '3']],
  ))
    expect(Buffer.compare((await built([...flags, ...other], 'universe-2.bloom')).bytes, whole)).toBe(0);
});

test('a filter of one segment whose keys are counted has no room for others, with any number of threads', async () => {
  writeFileSync(path('counted-members'), linesOf('key', 30_000));
  writeFileSync(path('counted-universe'), linesOf('key', 150_000));
  const flags = ['--kind', 'ribbon', 'counted-members', '--universe', 'counted-universe'];
  const stated = await built([...flags, '-n', '30000'], 'stated.bloom');
  const { bytes } = await built([...flags, '--threads', '1'], 'counted-1.bloom');
  expect(bytes.length).toBeLessThan(stated.bytes.length);
  expect(await selected('counted-1.bloom', 'counted-universe')).toBe(30_000);
  for (const threads of inLongRuns([2, 3, 4, 8, 16], [3]))
    expect(Buffer.compare((await built([...flags, '--threads', `${threads}`], 'counted-2.bloom')).bytes, bytes)).toBe(
      0,
    );
});

describe('a key that is both a member and protected', () => {
  beforeAll(() => writeFileSync(path('both'), `good1\nbad7\nbad3\nbad3\nbad5\nbad9\ngood2\n`));

  test.each(KINDS)('is refused in a %s filter, with the number of such keys and the first few', async (kind) => {
    const { stderr, status } = await within([
      'build',
      '--kind',
      kind,
      'members',
      '--never',
      'both',
      '-o',
      'refused.bloom',
    ]);
    expect(status).toBe(2);
    expect(stderr).toContain('4 keys are both to be added and protected by --never: bad7, bad3, bad3, ...');
    expect(stderr).toContain('--never-wins');
    expect((await within(['stats', '--probes', '1k', 'refused.bloom'])).status).toBe(2);
  });

  test.each(sampled(KINDS))('leaves a %s filter with --never-wins, and stays with --member-wins', async (kind) => {
    const flags = ['--kind', kind, 'members', '--never', 'both'];
    const without = await built([...flags, '--never-wins'], 'without.bloom');
    expect(without.stderr).toContain('4 keys were left out of the filter');
    expect(await selected('without.bloom', 'both')).toBe(0);
    expect(await selected('without.bloom', 'members')).toBe(MEMBERS - 4);
    const stated = JSON.parse((await within(['stats', '--probes', '1k', '--json', 'without.bloom'])).stdout);
    expect(stated).toMatchObject({ estimatedItems: MEMBERS - 4, estimateIsExact: true });
    const kept = await built([...flags, '--member-wins'], 'kept.bloom');
    expect(kept.stderr).toContain('4 keys of --never are in the filter');
    expect(await selected('kept.bloom', 'both')).toBe(5);
    expect(await selected('kept.bloom', 'members')).toBe(MEMBERS);
  });
});

describe('nothing is written', () => {
  test.each([
    ['a kind that is not made from all keys', ['--never', 'never'], 'add --kind ribbon, or --kind fuse'],
    ['a file that is missing', ['--kind', 'fuse', '--never', 'none'], 'cannot read none'],
    ['a file of the keys themselves', ['--kind', 'fuse', '--never', 'members'], 'both'],
    ['a file without keys', ['--kind', 'fuse', '--never', 'empty'], 'empty has no keys to protect'],
    ['a rule without protected keys', ['--kind', 'fuse', '--never-wins'], '--never-wins has no effect'],
    [
      'a list beside a universe',
      ['--kind', 'fuse', '--universe', 'never', '--never', 'never'],
      '--never has no effect',
    ],
    ['a file of another system', ['--format', 'guava', '--never', 'never'], '--never'],
    ['standard input twice', ['--kind', 'fuse', '--never', '-', '-'], 'can be read only once'],
  ])('for %s', async (_, flags, message) => {
    writeFileSync(path('empty'), '');
    const { stderr, status } = await within(['build', ...flags, 'members', '-o', 'nothing.bloom']);
    expect({ stderr, status }).toMatchObject({ stderr: expect.stringContaining(message), status: 2 });
    expect((await within(['stats', '--probes', '1k', 'nothing.bloom'])).status).toBe(2);
  });
});

test.each(['--never', '--universe'])('the file of %s is not overwritten', async (flag) => {
  writeFileSync(path('kept-keys'), 'a\nb\n');
  const line = ['build', '--kind', 'fuse', flag, 'kept-keys', 'members', '--force', '-o', 'kept-keys'];
  expect((await within(line)).stderr).toContain('kept-keys is both an input and the output');
  expect(readFileSync(path('kept-keys'), 'utf8')).toBe('a\nb\n');
});

test.each(['--protected', '--universe'])('size %s needs such a kind too', async (flag) => {
  const { stderr, status } = await within(['size', '-n', '10', '-p', '1%', '--kind', 'bloom', flag, '100']);
  expect({ stderr, status }).toMatchObject({ stderr: expect.stringContaining(`${flag} needs a filter`), status: 2 });
});

// The file is the output of
//   printf 'delta\nepsilon\nzeta\n' > never.txt
//   printf 'Alpha\nbeta\r\n gamma \n\nalpha\nno newline' | bloom build -n 10 -p 20% --seed 42 -i --trim --kind KIND --never never.txt
// The former files are the outputs of an earlier version, `never` with -p 50% and so without a screen.
const GOLDEN: readonly (readonly [string, string])[] = [
  ['ribbon-never', 'a2d8b5f1b8ab3eb760be19697232c4f6b42b91e99d1477185686a440ee81f087'],
  ['fuse-never', '48aa535191e797c84e87d53c76eda9e7c1739eb23794e86abfb639592dad6660'],
  ['ribbon-never-former', 'dce257efe3ce5da016c025b189bbd58b37f3b0e13faaf0bae4b646288fc3d9e3'],
  ['fuse-never-former', '4858e0fdf9ea7c6c20dbe8102eff538e7601076fe7c350e50840a2e50051a5e4'],
  ['ribbon-screened-former', 'e70910675c68e82015bbc53640a059b7cc21cad50a555729c9ce921211a44f4c'],
  ['fuse-screened-former', '02fcd66260c168c2c71141f7698d89cc95f044e1bcf6d59414c79a2b47deea9b'],
];

describe.each(GOLDEN)('the golden file tiny-%s.bloom', (name, pinned) => {
  const file = fileURLToPath(new URL(`../formats/bloomery/golden/tiny-${name}.bloom`, import.meta.url));
  const bytes = new Uint8Array(readFileSync(file));
  const sha256 = (some: Uint8Array) => createHash('sha256').update(some).digest('hex');
  const keys = ['alpha', 'beta', 'gamma', '', 'no newline'];
  const protectedKeys = ['delta', 'epsilon', 'zeta'];
  const strangers = Array.from({ length: 1000 }, (_, i) => `stranger ${i}`);
  const asked = [...keys, ...protectedKeys, ...strangers];

  test('is pinned', () => {
    expect(sha256(bytes)).toBe(pinned);
  });

  test('is read by the command, by programs and in browsers as by an independent reader', async () => {
    const { stdout } = await within(['query', '--tag', file], { stdin: `${asked.join('\n')}\n` });
    const tags = stdout
      .replace(/(?<=^.).*$/gm, '')
      .split('\n')
      .slice(0, -1);
    const rules = protectedRules(bytes);
    const payload = bytes.subarray(128, 128 + (rules.segments * rules.segmentBits) / 8);
    const answers = asked.map((key) => selects(payload, Buffer.from(key), rules));
    expect(answers.slice(0, 8)).toEqual([true, true, true, true, true, false, false, false]);
    expect(tags.map((tag) => tag === '+')).toEqual(answers);
    expect((await openFilter(file)).hasMany(asked)).toEqual(answers);
    expect(await (await openInBrowsers(new Blob([bytes]))).hasMany(asked)).toEqual(answers);
    expect((await within(['stats', '--probes', '0', file])).status).toBe(0);
  });

  test('is written with the same bytes today, unless it is of an earlier version', async () => {
    const stdin = 'Alpha\nbeta\r\n gamma \n\nalpha\nno newline';
    writeFileSync(path('golden-never'), 'delta\nepsilon\nzeta\n');
    const [kind = '', , former] = name.split('-');
    if (former === undefined) {
      const flags = ['-n', '10', '-p', '20%', '--seed', '42', '-i', '--trim', '--kind', kind];
      await within(['build', ...flags, '--never', 'golden-never', '-o', 'golden.bloom', '--force'], { stdin });
      expect(sha256(readFileSync(path('golden.bloom')))).toBe(pinned);
    } else {
      const like = ['build', '--like', file, '--never', 'golden-never', '-o', 'unmade.bloom'];
      const { stderr, status } = await within(like, { stdin });
      expect({ stderr, status }).toMatchObject({
        stderr: expect.stringContaining('of an earlier version, and filters like it are no longer made'),
        status: 2,
      });
    }
  });
});

describe('a damaged filter is refused:', () => {
  test.each([
    ['a bit of its screen', 200, false],
    ['a bit of its protected keys', 96, false],
    ['an impossible number of trials', 128 + 4, true],
  ])('%s', async (_, at, isSealed) => {
    const { bytes } = await built(['--kind', 'fuse', 'few', '--never', 'some'], 'sound.bloom');
    bytes[at] = (bytes[at] ?? 0) ^ 0xf0;
    if (isSealed) sealTable(bytes);
    writeFileSync(path('damaged.bloom'), bytes);
    const { stderr, status } = await within(['query', 'damaged.bloom', 'few']);
    expect({ stderr, status }).toMatchObject({ stderr: expect.stringContaining('damaged'), status: 2 });
  });
});
