// Iterables whose code queries, changes, saves and closes the filter that gets their keys.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { KINDS } from '../../src/filters/registry.ts';
import { buildFilter, type Filter, type Key, type KindName, openFilter } from '../../src/library/index.ts';
import { scratch } from '../cli/run.ts';
import { inLongRuns } from '../long.ts';

const { path } = scratch();

const keys = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}${i}`);
const changed = KINDS.filter(({ abilities }) => abilities.includes('add')).map(({ name }) => name as KindName);
const LINKS = keys('link', 100);
const MANY = keys('many', inLongRuns(20_000, 2000));

/** Sizes with one segment and with several. By default each kind has one of them. */
const sizes = (kind: number) => inLongRuns([1000, 1_000_000], kind % 2 === 0 ? [1000, 500_000] : [1000]);
describe.each(changed.flatMap((kind, i) => sizes(i).map((items) => ({ kind, items }))))(
  'a $kind filter for $items keys',
  ({ kind, items }) => {
    const filled = (given: readonly string[] = ['first']) => buildFilter(given, { kind, items });

    test('may be queried by the iterable that gives it keys, and has the keys given before', async () => {
      const seen = await filled();
      const given: string[] = [];
      seen.addMany(
        (function* () {
          for (const link of [...LINKS, ...LINKS]) {
            if (seen.has(link)) continue;
            given.push(link);
            yield link;
            if (!seen.has(link) || seen.hasMany([link])[0] !== true) throw new Error(`${link} is missing`);
          }
        })(),
      );
      expect(given).toEqual(LINKS);
      expect(LINKS.every((link) => seen.has(link))).toBe(true);
      expect(seen.stats().inserted).toBe(1 + LINKS.length);
    });

    test('may be queried by the iterable that gives the keys of a query', async () => {
      const filter = await buildFilter(MANY, { kind, items: Math.max(items, MANY.length) });
      const answers = filter.hasMany(
        (function* () {
          for (const [i, key] of MANY.entries()) {
            if (i % 3 === 0) filter.has(`x${i}`);
            if (i % 1000 === 0) expect(filter.hasMany(MANY.slice(i, i + 10))).not.toContain(false);
            yield key;
          }
        })(),
      );
      expect(answers).toEqual(MANY.map(() => true));
    });

    test('accepts keys during an addition, and during a query', async () => {
      const filter = await filled();
      const nest = (depth: number): Iterable<Key> =>
        (function* () {
          for (const link of LINKS.slice(0, 5)) {
            yield `${depth} ${link}`;
            if (depth > 0) filter.addMany(nest(depth - 1));
            filter.add(`${depth} ${link} alone`);
            yield new TextEncoder().encode(`${depth} ${link} in bytes`);
          }
        })();
      filter.addMany(nest(2));
      for (const depth of [0, 1, 2])
        for (const link of LINKS.slice(0, 5))
          expect(
            filter.hasMany([`${depth} ${link}`, `${depth} ${link} alone`, `${depth} ${link} in bytes`]),
          ).not.toContain(false);
      expect(filter.stats().inserted).toBe(1 + 3 * (5 + 25 + 125));
      const answers = filter.hasMany(
        (function* () {
          for (const link of LINKS) {
            filter.add(link);
            yield link;
          }
        })(),
      );
      expect(answers).toEqual(LINKS.map(() => true));
    });

    test('may be saved by the iterable that gives it keys, with the keys given before', async () => {
      const filter = await filled();
      const saves: Promise<void>[] = [];
      filter.addMany(
        (function* () {
          yield* LINKS.slice(0, 50);
          saves.push(filter.save(path('half')));
          expect(filter.stats().inserted).toBe(51);
          yield* LINKS.slice(50);
        })(),
      );
      await Promise.all(saves);
      const half = await filled();
      half.addMany(LINKS.slice(0, 50));
      expect(readFileSync(path('half')).equals(await half.toBytes())).toBe(true);
    });

    test('has the keys before an error, and is closed for later keys', async () => {
      const broken = await filled();
      const enough = () =>
        broken.addMany(
          (function* () {
            yield* LINKS;
            throw new RangeError('enough');
          })(),
        );
      expect(enough).toThrow(new RangeError('enough'));
      expect(broken.hasMany(LINKS)).not.toContain(false);
      const closed = await filled();
      const closing = () =>
        closed.addMany(
          (function* () {
            yield 'a';
            closed.close();
            yield 'b';
          })(),
        );
      expect(closing).toThrow('was closed');
    });
  },
);

test.each(['counting', 'cuckoo', 'quotient'] as const)(
  'the iterable may remove a key that it gave to a %s filter',
  async (kind) => {
    const filter = await buildFilter(['first'], { kind, items: 1_000_000 });
    filter.addMany(
      (function* () {
        for (const link of LINKS) {
          yield link;
          if (!filter.remove(link)) throw new Error(`${link} is missing`);
        }
      })(),
    );
    expect(filter.hasMany([...LINKS, 'first'])).toEqual([...LINKS.map(() => false), true]);
    expect(filter.stats().inserted).toBe(1);
    filter.addMany(LINKS);
    const answers = filter.hasMany(
      (function* () {
        for (const link of LINKS) {
          yield link;
          filter.remove(link);
        }
      })(),
    );
    expect(answers).toEqual(LINKS.map(() => true));
  },
);

test('a scalable filter grows during a query of many keys', async () => {
  const filter = await buildFilter(['first'], { kind: 'scalable', items: 100 });
  const answers = filter.hasMany(
    (function* () {
      for (const key of MANY) {
        filter.add(key);
        yield key;
      }
    })(),
  );
  expect(answers).toEqual(MANY.map(() => true));
});

test('a full filter cannot be used any more, even if the iterable continues', async () => {
  const filter = await buildFilter([], { kind: 'cuckoo', items: 100 });
  const going = () =>
    filter.addMany(
      (function* () {
        for (const key of MANY) {
          yield key;
          try {
            filter.has(key);
          } catch {
            // The iterable continues.
          }
        }
      })(),
    );
  expect(going).toThrow(expect.objectContaining({ code: 'capacity' }));
  expect(() => filter.has('a')).toThrow(expect.objectContaining({ code: 'capacity' }));
});

test('bytes may be used again for the next key', async () => {
  const bytes = new Uint8Array(2);
  const filter = await buildFilter([], { items: 1000 });
  filter.addMany(
    (function* () {
      for (let i = 0; i < 200; i++) {
        bytes.fill(i);
        yield bytes;
      }
    })(),
  );
  bytes.fill(0);
  const there = Array.from({ length: 200 }, (_, i) => new Uint8Array(2).fill(i));
  expect(filter.hasMany(there)).not.toContain(false);
  expect(() => filter.add(new Proxy(new Uint8Array(2), {}))).toThrow('a key must be a string or a Uint8Array');
});

describe('an iterable that ends early', () => {
  /** Gives a value that is not a key. `end` runs when the iterable is told to end. */
  const wrong = (end: () => never): Iterable<Key> => ({
    [Symbol.iterator]: () => ({
      next: () => ({ done: false, value: 7 as unknown as Key }),
      return: end,
    }),
  });

  test('may throw at its end, and the first error is reported', async () => {
    const end = () => {
      throw new Error('at the end');
    };
    const filter = await buildFilter(['a'], { items: 100 });
    expect(() => filter.addMany(wrong(end))).toThrow('a key must be a string');
    expect(() => filter.hasMany(wrong(end))).toThrow('a key must be a string');
    expect(filter.has('a')).toBe(true);
    await expect(buildFilter(wrong(end))).rejects.toThrow('a key must be a string');
    const later: AsyncIterable<Key> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: 7 as unknown as Key }),
        return: async () => end(),
      }),
    };
    await expect(buildFilter(later)).rejects.toThrow('a key must be a string');
    // An unhandled rejection would end the run.
    await new Promise((resolve) => setTimeout(resolve));
  });
});

test('two handles of one file do not undo each other', async () => {
  await (await buildFilter(['a'], { items: 100 })).save(path('twice'));
  const open = (): Promise<Filter> => openFilter(path('twice'), { writable: true });
  const [one, other] = [await open(), await open()];
  one.add('one');
  other.add('other');
  const results = await Promise.allSettled([one.save(path('twice')), other.save(path('twice'))]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'changed' } });
  one.close();
  other.close();
});
