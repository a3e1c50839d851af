import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { fixture, scratch } from './run.ts';

const { path, within } = scratch();

/** Lines of numbers. A list of another range has none of these keys. */
const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `${Math.imul(from + i, 0x9e3779b1) >>> 0}\n`).join('');

const SIZES = { a: 12_000, b: 9_000, both: 6_000 };

beforeAll(() => {
  const { a, b, both } = SIZES;
  writeFileSync(path('a'), lines(0, a));
  writeFileSync(path('b'), lines(a - both, a - both + b));
  writeFileSync(path('c'), lines(1e6, 1e6 + 500));
});

async function built(flags: readonly string[], lists = ['a', 'b', 'c'], ending = 'bloom') {
  for (const list of lists) {
    const { status, stderr } = await within(['build', '-q', ...flags, list, '--force', '-o', `${list}.${ending}`]);
    expect([status, stderr]).toEqual([0, '']);
  }
}

const compared = async (...args: readonly string[]) => {
  const { stdout, stderr, status } = await within(['compare', ...args, '--json']);
  expect([stderr, status]).toEqual(['', 0]);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
};

/** Expects each estimate within five standard errors of the truth. An interval has 1.96 standard errors on either side. */
function expectOverlap({ items, otherItems, intersection, union, jaccard, containment, otherContainment }: Pair) {
  const { a, b, both } = SIZES;
  const near = (estimate: number, { low, high }: { low: number; high: number }, truth: number) => {
    expect(high).toBeGreaterThanOrEqual(low);
    expect(Math.abs(estimate - truth)).toBeLessThanOrEqual((5 / 3.92) * (high - low) + 1);
  };
  near(items.estimatedItems, items, a);
  near(otherItems.estimatedItems, otherItems, b);
  near(intersection.estimatedItems, intersection, both);
  near(union.estimatedItems, union, a + b - both);
  // Shares are in ten thousandths, as the check allows an error of 1.
  near(1e4 * containment.share, { low: 1e4 * containment.low, high: 1e4 * containment.high }, (1e4 * both) / a);
  near(
    1e4 * otherContainment.share,
    { low: 1e4 * otherContainment.low, high: 1e4 * otherContainment.high },
    (1e4 * both) / b,
  );
  near(1e4 * jaccard.share, { low: 1e4 * jaccard.low, high: 1e4 * jaccard.high }, (1e4 * both) / (a + b - both));
  // A uselessly wide interval would pass the checks above.
  expect(intersection.high - intersection.low).toBeLessThan(0.25 * both);
}

interface Keys {
  readonly estimatedItems: number;
  readonly low: number;
  readonly high: number;
}
interface Share {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}
interface Pair {
  readonly items: Keys;
  readonly otherItems: Keys;
  readonly intersection: Keys;
  readonly union: Keys;
  readonly jaccard: Share;
  readonly containment: Share;
  readonly otherContainment: Share;
}

describe('compare', () => {
  test.each([
    ['bloom', ['-n', '20k']],
    ['blocked', ['-n', '20k', '--kind', 'blocked']],
    ['counting', ['-n', '20k', '--kind', 'counting']],
    ['many segments', ['-n', '80k', '--segment-size', '4KiB']],
    ['blocked, many segments', ['-n', '80k', '--kind', 'blocked', '--segment-size', '4KiB']],
    ['segments with tags', ['-n', '900k', '--segment-size', '4KiB', '-k', '1', '-p', '10%']],
    ['Guava', ['-n', '20k', '--format', 'guava']],
    ['Spark', ['-n', '20k', '--format', 'spark']],
    ['RedisBloom', ['-n', '20k', '--format', 'redisbloom']],
    ['Hadoop', ['-n', '20k', '--format', 'hadoop']],
    ['bits-and-blooms', ['-n', '20k', '--format', 'bits-and-blooms']],
  ])('finds what %s filters have in common', async (_, flags) => {
    await built(flags);
    const [ab, ac, bc] = await compared('a.bloom', 'b.bloom', 'c.bloom');
    expectOverlap(ab);
    expect([ab, ac, bc].map(({ file, otherFile }) => [file, otherFile])).toEqual([
      ['a.bloom', 'b.bloom'],
      ['a.bloom', 'c.bloom'],
      ['b.bloom', 'c.bloom'],
    ]);
    for (const { intersection, containment } of [ac, bc]) {
      expect(intersection.low).toBeLessThan(20);
      expect(containment.high).toBeLessThan(0.02);
    }
    const [itself] = await compared('a.bloom', 'a.bloom');
    expect([itself.containment.share, itself.otherContainment.share, itself.jaccard.share]).toEqual([1, 1, 1]);
  });

  test('finds what sketches have in common, of any two sizes', async () => {
    for (const list of ['a', 'b', 'c']) await within(['count', '-q', list, '-o', `${list}.hll`]);
    const [ab, ac] = await compared('a.hll', 'b.hll', 'c.hll');
    expectOverlap(ab);
    expect(ac.containment.low).toBe(0);
    const [itself] = await compared('c.hll', 'c.hll');
    expect(itself).toMatchObject({ intersection: { estimatedItems: 500, low: 500, high: 500 }, jaccard: { share: 1 } });
  });

  test('prints a pair, or a matrix', async () => {
    await built(['-n', '20k']);
    const pair = (await within(['compare', 'a.bloom', 'b.bloom'])).stdout;
    expect(pair.split('\n').map((line) => line.replace(/ {2}.*/, ''))).toEqual([
      '',
      'keys of a.bloom',
      'keys of b.bloom',
      'keys in both',
      'keys in either',
      'share of a.bloom in b.bloom',
      'share of b.bloom in a.bloom',
      'Jaccard index',
      '',
    ]);
    const matrix = (await within(['compare', 'a.bloom', 'b.bloom', 'c.bloom'])).stdout;
    expect(matrix.split('\n')[1]).toMatch(/^1 a\.bloom +1[12],\d{3} +(49|50)\.\d % +(< )?\d\.\d+ %$/);
  });

  test('states no share of a filter without keys', async () => {
    await built(['-n', '20k'], ['a', 'b']);
    writeFileSync(path('none'), '');
    await built(['--like', 'a.bloom'], ['none']);
    const { stdout } = await within(['compare', 'none.bloom', 'a.bloom']);
    expect(stdout).toMatch(/share of none\.bloom in a\.bloom +-\n/);
    expect(await compared('none.bloom', 'none.bloom')).toMatchObject([
      { union: { estimatedItems: 0, low: 0, high: 0 }, containment: null, otherContainment: null, jaccard: null },
    ]);
    expect((await within(['compare', 'none.bloom', 'a.bloom', 'b.bloom'])).stdout).toMatch(/^1 none\.bloom +0 +- +-$/m);
  });

  test('reads one of the filters from a pipe', async () => {
    await built(['-n', '20k'], ['a', 'b']);
    const { stdout } = await within(['compare', '--json', '-', 'b.bloom'], { stdin: readFileSync(path('a.bloom')) });
    const [whole] = await compared('a.bloom', 'b.bloom');
    expect(JSON.parse(stdout)).toEqual({ ...whole, file: '-', seconds: expect.any(Number) });
  });

  test.each([
    ['another kind', ['--kind', 'cuckoo'], /is a cuckoo filter, so nothing tells how many keys/],
    ['a filter that grows', ['--kind', 'scalable'], /is a scalable filter, so nothing tells/],
    ['a static filter', ['--kind', 'ribbon'], /is a ribbon filter, so nothing tells/],
    ['another size', ['-n', '30k'], /the filters do not fit together: bits is \d+ in b\.bloom/],
    ['another seed', ['-n', '20k', '--seed', '7'], /seed is 7 in b\.bloom, 0 in a\.bloom/],
    ['another case', ['-n', '20k', '-i'], /ignore-case is yes in b\.bloom/],
    ['hashed keys', ['-n', '20k', '--key-hash', 'sha1'], /key hash is sha1 in b\.bloom/],
    [
      'a slice',
      ['-n', '20k', '--slice', '1/2'],
      /b\.bloom has only a slice of its inputs; merge all slices first: bloom merge/,
    ],
  ])('refuses %s, and names what to build', async (_, flags, message) => {
    await built(['-n', '20k'], ['a']);
    await built(flags, ['b']);
    const { stdout, stderr, status } = await within(['compare', 'a.bloom', 'b.bloom']);
    expect([stdout, status]).toEqual(['', 2]);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/bloom build -n \d+ LIST -o LIST\.bloom|--like a\.bloom|bloom merge SLICE/);
  });

  test('refuses filters without zeros, sketches beside filters, an index and one file', async () => {
    for (const list of ['a', 'b']) await within(['build', '-q', '-m', '512', list, '--force', '-o', `${list}.bloom`]);
    expect((await within(['compare', 'a.bloom', 'b.bloom'])).stderr).toContain('a segment without a zero');
    await within(['count', '-q', 'a', '-o', 'a.hll']);
    expect((await within(['compare', 'a.hll', 'b.bloom'])).stderr).toContain('b.bloom is not a sketch');
    await within(['index', '-q', 'a', 'b', '-o', 'lists.index']);
    expect((await within(['compare', 'a.bloom', 'lists.index'])).stderr).toContain('lists.index is an index of files');
    expect(await within(['compare', 'a.bloom', 'a'])).toEqual({
      stdout: '',
      stderr:
        'bloom: a is neither a filter nor a sketch; make a filter of each list: bloom build -n 1M LIST -o LIST.bloom\n',
      status: 2,
    });
    expect((await within(['compare', 'a.bloom'])).stderr).toContain('nothing to compare a.bloom with');
  });

  test('refuses a part of a filter', async () => {
    await built(['-n', '80k', '--segment-size', '4KiB', '--part', '1/2'], ['a']);
    const { stderr, status } = await within(['compare', 'a.bloom', 'a.bloom']);
    expect([stderr, status]).toEqual([
      'bloom: a.bloom is a part of a filter; join all parts first: bloom merge PART... -o whole.bloom\n',
      2,
    ]);
  });

  test.each(['poppy/none-p01.poppy', 'hbase/row.hfile', 'redisbloom/scaled.dump', 'hadoop/retouched.bin'])(
    'refuses %s, whose bits do not tell its keys',
    async (name) => {
      const file = fixture(`formats/${name}`);
      const { stderr, status } = await within(['compare', file, file]);
      expect(stderr).toMatch(/so nothing tells how many keys it shares with another filter/);
      expect(status).toBe(2);
    },
  );
});
