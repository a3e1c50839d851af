import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { KINDS } from '../../src/filters/registry.ts';
import { HASHES } from '../../src/hashes/registry.ts';
import { buildFilter, type HashName, type KindName, openFilter } from '../../src/library/index.ts';
import { fixture, scratch } from '../cli/run.ts';
import { IS_LONG, inLongRuns } from '../long.ts';

const { path, within } = scratch();

const WORDS = readFileSync(fixture('words.txt'), 'utf8').trimEnd().split('\n');
const NON_MEMBERS = WORDS.map((word) => `${word}?`);
const kinds = KINDS.map(({ name }) => name as KindName);

/** Makes the command's filter of the words. */
async function commanded(name: string, ...flags: readonly string[]): Promise<string> {
  const { stderr, status } = await within(['build', fixture('words.txt'), '--force', '-o', path(name), ...flags]);
  if (status !== 0) throw new Error(stderr);
  return path(name);
}

describe.each(kinds)('a %s filter', (kind) => {
  const sizes = [{}, { items: 9000, fpr: 1e-3 }];
  // By default each kind has one of the sizes.
  const some = sizes.filter((_, i) => IS_LONG || i === kinds.indexOf(kind) % 2);
  test.each(some)('is, byte for byte, that of the command: %o', async (options) => {
    const flags = Object.entries({ ...options, kind }).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const filter = await buildFilter(WORDS, { ...options, kind });
    expect(Buffer.compare(await filter.toBytes(), readFileSync(await commanded('commanded', ...flags)))).toBe(0);
  });

  // By default every third kind is asked.
  test('answers for keys as the command answers for records', async () => {
    const filter = await openFilter(await commanded('asked', '-p', '20%', '--kind', kind));
    const { stdout } = await within(['query', '--tag', path('asked')], { stdin: `${NON_MEMBERS.join('\n')}\n` });
    const expected = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.startsWith('+'));
    expect(filter.hasMany(NON_MEMBERS)).toEqual(expected);
    expect(NON_MEMBERS.map((word) => filter.has(word))).toEqual(expected);
    expect(expected.filter(Boolean).length).toBeGreaterThan(100);
    expect(filter.hasMany(WORDS)).not.toContain(false);
    expect(WORDS.every((word) => filter.has(word))).toBe(true);
    filter.close();
  });

  test('has the stats of the command', async () => {
    const file = await commanded('reported', '--kind', kind);
    const { stdout } = await within(['stats', '--json', '--probes', '1', file]);
    const filter = await openFilter(pathToFileURL(file));
    expect(JSON.parse(stdout)).toMatchObject(filter.stats());
    filter.close();
  });
});

test('the declared kinds and hashes are the existing ones', () => {
  const declaredKinds: Readonly<Record<KindName, true>> = {
    bloom: true,
    blocked: true,
    counting: true,
    scalable: true,
    cuckoo: true,
    quotient: true,
    ribbon: true,
    fuse: true,
  };
  const declaredHashes: Readonly<Record<HashName, true>> = { xxh64: true, xxh3: true, murmur3: true, farm64: true };
  expect(Object.keys(declaredKinds)).toEqual(kinds);
  expect(Object.keys(declaredHashes)).toEqual(HASHES.map(({ name }) => name));
});

describe('keys', () => {
  const odd = [
    '',
    'ü',
    '\u{1F600}',
    'a\nb',
    'a\0b',
    'a\r',
    ' x ',
    'x'.repeat(24),
    'x'.repeat(25),
    'é'.repeat(24),
    'y'.repeat(inLongRuns(3_000_000, 150_000)),
  ];

  test.each(HASHES.map(({ name }) => name))(
    'are texts or the bytes of their UTF-8, one or many, by %s',
    async (hash) => {
      const filter = await buildFilter(odd, { hash });
      const bytes = odd.map((key) => new TextEncoder().encode(key));
      for (const keys of [odd, bytes, odd.map((key, i) => (i % 2 === 0 ? key : (bytes[i] ?? key)))]) {
        expect(filter.hasMany(keys)).toEqual(odd.map(() => true));
        expect(keys.every((key) => filter.has(key))).toBe(true);
      }
      expect(filter.hasMany(odd.map((key) => `${key}!`)).filter(Boolean)).toEqual([]);
      expect(filter.stats().inserted).toBe(odd.length);
    },
  );

  test('with separate halves of a character differ from keys with the character', async () => {
    const filter = await buildFilter(['\uD83D', '\uDE00'], { items: 100 });
    expect(filter.has('\uFFFD')).toBe(true);
    expect(filter.has('\u{1F600}')).toBe(false);
  });

  test('are domain names or the bytes of domain names, whose parent domains are found', async () => {
    await within(['build', '--suffixes', '-p', '1e-9', '-o', 'names.bloom', '--force'], { stdin: 'example.com\n' });
    const filter = await openFilter(path('names.bloom'));
    const asked = ['example.com', 'a.example.com', 'b.a.example.com', 'com', 'a.com', 'notexample.com'];
    const expected = [true, true, true, false, false, false];
    expect(filter.hasMany(asked)).toEqual(expected);
    expect(filter.hasMany(asked.map((name) => new Uint8Array(Buffer.from(name))))).toEqual(expected);
  });

  test('are normalised as it was built', async () => {
    const filter = await buildFilter(['  Walk\t'], { ignoreCase: true, trim: true, items: 100 });
    expect(filter.hasMany(['walk', 'WALK ', 'wa lk'])).toEqual([true, true, false]);
    expect(filter.has('\tWALK')).toBe(true);
  });

  test.each([[1], [undefined], [['walk']]])('are of no other type: %o', async (key) => {
    const filter = await buildFilter(['a']);
    expect(() => filter.has(key as unknown as string)).toThrow('a key must be a string or a Uint8Array');
    expect(() => filter.hasMany(['a', key as unknown as string])).toThrow('a key must be a string or a Uint8Array');
    expect(filter.hasMany(['a', 'b'])).toEqual([true, false]);
  });

  test('may be many, of a filter of many segments', async () => {
    const numbers = Array.from({ length: inLongRuns(50_000, 5000) }, (_, i) => String(i));
    const filter = await buildFilter(numbers, { items: 3_000_000, fpr: 1e-4 });
    expect(filter.stats().segments).toBeGreaterThan(8);
    const asked = [...numbers, ...numbers.map((number) => `not ${number}`)];
    const expected = asked.map((key) => filter.has(key));
    expect(filter.hasMany(asked)).toEqual(expected);
    expect(expected.slice(0, numbers.length)).not.toContain(false);
    expect(expected.filter(Boolean).length).toBeLessThan(numbers.length + 50);
  });

  test.each([
    { seed: 0 },
    { seed: 2 ** 32 + 7, hashes: 1 },
    { seed: 2n ** 63n + 5n },
    { hash: 'xxh3' as const },
    { kind: 'blocked' as const },
  ])('have the same answer for any length, one by one and together: %o', async (options) => {
    const texts = Array.from({ length: inLongRuns(20_000, 5000) }, (_, i) =>
      `${i}${'äx€y'.repeat(i % 5 === 0 ? i % 13 : 0)}`.padEnd(i % 70, '-'),
    );
    const filter = await buildFilter(texts, { bits: 2 ** 22 + 2 ** 19, items: 20_000, ...options });
    expect(filter.stats().segments).toBe(2);
    const nonMembers = texts.map((text) => `${text}?`);
    for (const keys of [texts, texts.map((text) => Buffer.from(text)), nonMembers]) {
      const many = filter.hasMany(keys);
      expect(keys.findIndex((key, i) => filter.has(key) !== many[i])).toBe(-1);
      expect(many.every(Boolean)).toBe(keys !== nonMembers);
    }
    // Longer than the batch of one call.
    expect(filter.has('y'.repeat(200_000))).toBe(false);
    filter.add('y'.repeat(200_000));
    expect(filter.has('y'.repeat(200_000))).toBe(true);
    expect(filter.has(new TextEncoder().encode('y'.repeat(200_000)))).toBe(true);
  });

  test('of an iterable that breaks off leave no trace', async () => {
    const filter = await buildFilter(['a'], { items: 10_000_000 });
    const broken = function* () {
      yield 'a';
      yield 'b';
      throw new Error('enough');
    };
    expect(() => filter.hasMany(broken())).toThrow('enough');
    expect(filter.hasMany(['x', 'a'])).toEqual([false, true]);
    expect(() => filter.addMany(broken())).toThrow('enough');
    expect(filter.hasMany(['b', 'c'])).toEqual([true, false]);
    expect(filter.stats().inserted).toBe(3);
  });
});

describe('a file', () => {
  test('of another system can be queried', async () => {
    const filter = await openFilter(fixture('formats/redisbloom/plain.dump'));
    expect(filter.hasMany(['ab', 'qb'])).toEqual([true, false]);
    expect([filter.has('ab'), filter.has('qb')]).toEqual([true, false]);
    expect(filter.stats().format).toBe('redisbloom');
    await expect(filter.toBytes()).rejects.toThrow('which this library can only query');
    filter.close();
  });

  test('of numbers is queried with texts of numbers, and has no other texts', async () => {
    const filter = await openFilter(fixture('typed/guava/int64.guava'), { keyType: 'int64' });
    const numbers = ['-1', '+1', ' 01', '-0', 'one', '', '99', '1.5'];
    const { stdout } = await within(['query', '--tag', '--key-type', 'int64', fixture('typed/guava/int64.guava')], {
      stdin: `${numbers.join('\n')}\n`,
    });
    const expected = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.startsWith('+'));
    expect(expected).toContain(true);
    expect(filter.hasMany(numbers)).toEqual(expected);
    expect(numbers.map((number) => filter.has(number))).toEqual(expected);
    filter.close();
  });

  test('that has every number has no other text', async () => {
    const numbers = Array.from({ length: 1000 }, (_, i) => String(i));
    const flags = ['--format', 'guava', '--key-type', 'int64', '-n', '10', '-o', path('numbers')];
    expect((await within(['build', ...flags], { stdin: `${numbers.join('\n')}\n` })).status).toBe(0);
    const filter = await openFilter(path('numbers'), { keyType: 'int64' });
    expect(filter.hasMany(['123456', 'one', '-1', ''])).toEqual([true, false, true, false]);
    expect([filter.has('one'), filter.has('123456')]).toEqual([false, true]);
    filter.close();
  });

  test('that is not a filter, or does not exist, is refused', async () => {
    await expect(openFilter(fixture('words.txt'))).rejects.toMatchObject({ name: 'BloomError', code: 'format' });
    await expect(openFilter(path('missing'))).rejects.toMatchObject({ code: 'input' });
    await expect(openFilter('-')).rejects.toMatchObject({ message: expect.stringContaining('./-') });
    await expect(openFilter(new Uint8Array(10))).rejects.toMatchObject({ code: 'format' });
    await expect(openFilter(fixture('words.txt'), { format: 'none' })).rejects.toMatchObject({ code: 'usage' });
    await expect(openFilter(fixture('words.txt'), { keyType: 'none' })).rejects.toMatchObject({ code: 'usage' });
  });

  test('is read only as far as a key needs', async () => {
    const file = await commanded('large', '-n', '10M');
    const bytes = readFileSync(file);
    // Flips a bit of the last segment.
    bytes[bytes.length - 1000] = (bytes[bytes.length - 1000] ?? 0) ^ 1;
    writeFileSync(path('broken'), bytes);
    const filter = await openFilter(path('broken'));
    const answers = WORDS.map((word) => {
      try {
        return filter.has(word);
      } catch {
        return undefined;
      }
    });
    expect(answers.filter((answer) => answer === undefined).length).toBeGreaterThan(50);
    expect(answers.filter((answer) => answer === true).length).toBeGreaterThan(4000);
    expect(() => filter.hasMany(WORDS)).toThrow('is damaged');
    await expect(openFilter(bytes)).rejects.toThrow('is damaged');
    filter.close();
  });

  test('that is one of many parts calls the keys of other parts maybe present', async () => {
    const part = await openFilter(await commanded('part', '-n', '10M', '--part', '2/4'), { writable: true });
    expect(part.hasMany(WORDS)).not.toContain(false);
    expect(WORDS.every((word) => part.has(word))).toBe(true);
    const maybe = part.hasMany(NON_MEMBERS);
    expect(maybe).toEqual(NON_MEMBERS.map((word) => part.has(word)));
    expect(maybe.filter((answer) => !answer).length / maybe.length).toBeCloseTo(1 / 4, 1);
    const { inserted } = part.stats();
    part.addMany(NON_MEMBERS);
    expect((part.stats().inserted ?? 0) - (inserted ?? 0)).toBe(maybe.filter((answer) => !answer).length);
    part.close();
  });
});
