// Filters of other systems that bloom makes. Their files equal those of the oracles byte for byte, on every way to make them.

import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { writePieces } from '../../src/engine/store/contents.ts';
import { createWorkerPool } from '../../src/engine/threads/worker-pool.ts';
import { sum } from '../../src/filters/kind.ts';
import type { ArrayBlueprint, FilePiece } from '../../src/formats/array-blueprint.ts';
import { MAKINGS, makingNamed } from '../../src/formats/makings.ts';
import { openFilterFile } from '../../src/formats/open.ts';
import { eager, withPipes } from '../engine/threads/worker-pools.ts';
import { inLongRuns } from '../long.ts';
import { SYSTEMS } from '../reference/formats/systems.ts';
import { createRandom } from '../reference/random.ts';
import { outcome } from './bloomery/files.ts';
import { added, blueprintOf, can, fileOf, folder, made, madeForKeys, merged, openingFor, placed } from './making.ts';

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ORACLES = Object.values(SYSTEMS).flatMap(({ makes = {} }) => Object.entries(makes));

/** The default run has formats that differ in more than their heads: ordered keys, links, segments, positions by size, text. */
const SEVERAL = inLongRuns(
  MAKINGS.map(({ name }) => name),
  ['dcso', 'pybloom-4'],
);

/** Formats whose files are merged by default: each counts the keys of a union in a way of its own. */
const MERGED = inLongRuns(SEVERAL, [...SEVERAL, 'poppy-speed', 'datasketches', 'redisbloom-raw']);

/** Keys, some of them twice. */
function drawnKeys(seed: number, count: number): Uint8Array[] {
  const random = createRandom(seed);
  return Array.from(
    { length: count },
    () => new Uint8Array(Buffer.from(`${Math.floor(random() % (2 * count))} of them`)),
  );
}

test('every variant that bloom makes has an oracle', () => {
  expect(ORACLES.map(([name]) => name).sort()).toEqual(MAKINGS.map(({ name }) => name).sort());
});

/** The greatest n for which filters with a rate of 1.9^-n exist, and whether they refuse keys when they are full. */
async function limitsOf(name: string): Promise<{ most: number; isBounded: boolean }> {
  let most = 40;
  while (most > 1 && !(await isPlanned(name, 1000, 1.9 ** -most))) most--;
  return { most, isBounded: (await blueprintOf(name, 1, 0.01)).remaining !== undefined };
}

const LIMITS = new Map(await Promise.all(ORACLES.map(async ([name]) => [name, await limitsOf(name)] as const)));

describe.each(ORACLES)('%s', (name, make) => {
  const filled = (items: number, fpr: number, keys: readonly Uint8Array[]) => {
    const filter = make(items, fpr);
    for (const key of keys) filter.add(key);
    return Buffer.from(filter.encode());
  };
  const { most, isBounded } = LIMITS.get(name) ?? { most: 1, isBounded: false };

  test('of no keys is the file of the oracle, of any size', async () => {
    const items = fc.integer({ min: 1, max: inLongRuns(20_000, 2500) });
    const property = fc.asyncProperty(items, fc.integer({ min: 1, max: most }), async (items, power) => {
      const fpr = 1.9 ** -power;
      fc.pre(await isPlanned(name, items, fpr));
      expect((await emptyFile(await blueprintOf(name, items, fpr))).equals(filled(items, fpr, []))).toBe(true);
    });
    await fc.assert(property, { numRuns: inLongRuns(20, 2) });
  });

  test('of many keys is as large as its plan', async () => {
    const many = { items: 20_000, fpr: 0.01 };
    const plan = makingNamed(name)?.making.sizing.plan(many);
    const { shape } = (await blueprintOf(name, many.items, many.fpr)).description;
    expect(shape.bits).toBe(plan?.bits);
    // An optimal Bloom filter has 9.585 bits per key at this rate.
    expect(shape.bits).toBeGreaterThan(9.5 * many.items);
  });

  // Whole numbers of DUMP have more bytes from 2^14 on.
  test.each(name === 'redisbloom-dump' ? [1, 50, 20_000] : inLongRuns([1, 50, 3000], [1, 200]))(
    'of %d keys has the bytes of its plan',
    (items) => {
      const keys = Array.from({ length: items }, (_, i) => new Uint8Array(Buffer.from(`${i}`)));
      const plan = makingNamed(name)?.making.sizing.plan({ items, fpr: 0.01 });
      expect(plan?.fileBytes).toBe(filled(items, 0.01, keys).length);
    },
  );

  test('of keys of any bytes is the file of the oracle', async () => {
    const key = fc.uint8Array({ min: 1, maxLength: 70 });
    const keys = fc.array(key, { maxLength: 40, size: 'max' });
    const property = fc.asyncProperty(keys, fc.integer({ min: 1, max: most }), async (keys, power) => {
      const items = Math.max(1, isBounded ? keys.length : keys.length >> 1);
      const fpr = 1.9 ** -power;
      fc.pre(await isPlanned(name, items, fpr));
      expect(
        Buffer.from(await made(await blueprintOf(name, items, fpr), [fileOf(keys)])).equals(filled(items, fpr, keys)),
      ).toBe(true);
    });
    await fc.assert(property, { numRuns: inLongRuns(10, 2) });
  });

  test.runIf(SEVERAL.includes(name))(
    'is the same with any number of threads, from files and pipes, sized before or after',
    async () => {
      const keys = drawnKeys(1, inLongRuns(2000, 1100));
      const distinct = new Set(keys.map((key) => Buffer.from(key).toString())).size;
      const inputs = [keys.slice(0, 1000), keys.slice(1000)].map(fileOf);
      const expected = filled(distinct, 0.02, keys);
      for (const threads of inLongRuns([1, 3, 8], [3])) {
        const pool = createWorkerPool(threads, eager(499));
        try {
          const blueprint = () => blueprintOf(name, distinct, 0.02);
          const files = [
            await made(await blueprint(), inputs, pool),
            await madeForKeys(name, 0.02, inputs, pool),
            await withPipes(inputs, async (pipes) => made(await blueprint(), pipes, pool)),
            await withPipes(inputs, (pipes) => madeForKeys(name, 0.02, pipes, pool)),
          ];
          expect(files.map((file) => Buffer.from(file).equals(expected))).toEqual(files.map(() => true));
        } finally {
          await pool.close();
        }
      }
    },
  );

  test.runIf(can(name, 'change'))('with later added keys is the file of all keys', async () => {
    const count = inLongRuns(900, 240);
    const keys = drawnKeys(2, count);
    const items = isBounded ? count : 150;
    const first = placed(await made(await blueprintOf(name, items, 0.03), [fileOf(keys.slice(0, count / 3))]));
    const all = await added(first, openingFor(name), [fileOf(keys.slice(count / 3))]);
    expect(Buffer.from(all).equals(filled(items, 0.03, keys))).toBe(true);
  });

  test.runIf(can(name, 'change'))('like another is the file of its own keys', async () => {
    const items = 150;
    const keys = drawnKeys(5, isBounded ? items : 3 * items);
    const opened = await openFilterFile(placed(filled(items, 0.03, keys)), 'query', openingFor(name));
    opened.close();
    const like = opened.layout === 'arrays' ? opened.like : undefined;
    if (like === undefined) throw new Error('no filter like it is made');
    const few = drawnKeys(6, 100);
    const file = Buffer.from(await made(like(), [fileOf(few)]));
    expect(file.equals(filled(items, 0.03, few))).toBe(true);
    expect(await outcome(made(like(), [fileOf(drawnKeys(7, 400))]))).toBe(isBounded ? 'capacity' : 'accepted');
  });

  test.runIf(isBounded)('accepts no more keys than its capacity', async () => {
    const keys = fileOf(drawnKeys(3, 400));
    expect(await outcome(made(await blueprintOf(name, 100, 0.01), [keys]))).toBe('capacity');
  });

  test.runIf(isBounded && can(name, 'change'))('accepts no key once it is full', async () => {
    // At this rate all keys are new. pybloom is full once it has more keys than its capacity.
    const blueprint = await blueprintOf(name, 100, 1e-6);
    const keys = Array.from(
      { length: name.startsWith('pybloom') ? 101 : 100 },
      (_, i) => new Uint8Array(Buffer.from(`${i}`)),
    );
    const full = placed(await made(blueprint, [fileOf(keys)]));
    const more = fileOf([new Uint8Array(Buffer.from('more'))]);
    expect(await outcome(added(full, openingFor(name), [more]))).toBe('capacity');
    expect(await outcome(added(full, openingFor(name), [fileOf(keys.slice(0, 3))]))).toBe('accepted');
  });
});

test('poppy counts each key once, by its buckets and not by its cache', async () => {
  const make = SYSTEMS.poppy?.makes?.['poppy-speed'];
  const [items, fpr] = [3000, 0.5];
  const expected = make?.(items, fpr);
  const keys = drawnKeys(8, items);
  for (const key of keys) expected?.add(key);
  const file = await made(await blueprintOf('poppy-speed', items, fpr), [fileOf(keys)]);
  expect(Buffer.from(file).equals(expected?.encode() ?? Buffer.of())).toBe(true);
});

describe.each(MERGED.filter((name) => can(name, 'merge')))('%s, merged', (name) => {
  const keys = drawnKeys(4, inLongRuns(3000, 1100));
  const parts = [keys.slice(0, 900), keys.slice(900, 1000), keys.slice(1000)];

  const mergedFile = async (files: readonly string[], opening = openingFor(name)) =>
    Buffer.from(await merged(files, opening));

  test('has the bits of the filter of all keys, from files and from pipes', async () => {
    const files = await Promise.all(
      parts.map(async (part) => placed(await made(await blueprintOf(name, 3000, 0.02), [fileOf(part)]))),
    );
    const whole = await made(await blueprintOf(name, 3000, 0.02), [fileOf(keys)]);
    const union = await mergedFile(files);
    // The stated numbers of keys differ, because keys in several filters are unknown. The number of poppy is an estimate.
    expect(union.length).toBe(whole.length);
    const { before, behind } = bytesAround(await blueprintOf(name, 3000, 0.02), keys.length);
    const [ours, theirs] = [union, whole].map((file) => file.subarray(before, file.length - behind));
    expect(Buffer.compare(ours ?? union, theirs ?? whole)).toBe(0);
    if (name.startsWith('poppy')) {
      const { description, close } = await openFilterFile(placed(union), 'query');
      close();
      const distinct = new Set(keys.map((key) => Buffer.from(key).toString())).size;
      expect((description.inserted ?? 0) / distinct).toBeCloseTo(1, 1);
    }
    // A pipe has no length that tells the format.
    const stated = { format: makingNamed(name)?.format.name ?? name, ...openingFor(name) };
    expect((await withPipes(files, (pipes) => mergedFile(pipes, stated))).equals(union)).toBe(true);
  });
});

/** Returns whether such a filter exists. */
async function isPlanned(name: string, items: number, fpr: number): Promise<boolean> {
  try {
    return (await blueprintOf(name, items, fpr)).arrays.length > 0;
  } catch {
    return false;
  }
}

// The fields of a file that limit its size: signed numbers of 32 bits for words, or for bits; bits-and-blooms' 64 bits have a limit of
// ours.
test.each([
  ['guava', 2 ** 31 - 1],
  ['spark', 2 ** 31 - 1],
  ['cassandra-4', 2 ** 31 - 1],
  ['datasketches', 2 ** 31 - 1],
  ['hadoop', 2 ** 25 - 1],
  ['bits-and-blooms', 2 ** 34],
])('%s has filters of up to %d words', async (name, words) => {
  const found = makingNamed(name);
  const plan = found?.making.sizing.plan({ items: 100, fpr: 0.01 });
  if (found === undefined || plan === undefined) throw new Error(`there is no ${name}`);
  const { description } = await found.making.blueprint({ ...plan, k: 2, bits: 64 * words }, 0n);
  expect(description.shape.bits).toBe(64 * words);
  await expect(async () => found.making.blueprint({ ...plan, k: 2, bits: 64 * words + 64 }, 0n)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining(`has at most ${(64 * words).toLocaleString('en')} bits`),
  });
});

/** The file of a filter without keys. */
async function emptyFile(blueprint: ArrayBlueprint): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const append = async (bytes: Uint8Array) => void pieces.push(bytes.slice());
  const zeros = () => (from: number, to: number) => [new Uint8Array(to - from)];
  await writePieces(
    append,
    blueprint.written([], () => 0),
    zeros,
    () => {},
  );
  return Buffer.concat(pieces);
}

/** The number of bytes before and after the bits of a filter that states about `keys` keys. */
function bytesAround(blueprint: ArrayBlueprint, keys: number): { before: number; behind: number } {
  const { pieces, description } = blueprint.written([keys], () => 1);
  const lengths = pieces.map((piece) => ('bytes' in piece ? piece.bytes : piece.length));
  const before = sum(lengths.slice(0, pieces.findIndex(isOfArray)));
  const upTo = sum(lengths.slice(0, pieces.findLastIndex(isOfArray) + 1));
  return { before, behind: (description.bytes ?? sum(lengths)) - upTo };
}

const isOfArray = (piece: FilePiece) => 'array' in piece;
