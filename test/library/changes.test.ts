import { readFileSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { canBeUsed, KINDS } from '../../src/filters/registry.ts';
import { buildFilter, type KindName, mergeFilters, openFilter, sizeFilter } from '../../src/library/index.ts';
import { fixture, scratch } from '../cli/run.ts';

const { path, within } = scratch();

const WORDS = readFileSync(fixture('words.txt'), 'utf8').trimEnd().split('\n');
const [OLD, NEW] = [WORDS.slice(0, 3000), WORDS.slice(3000)];
const named = (ability: 'add' | 'remove' | 'merge') =>
  KINDS.filter((kind) => canBeUsed(kind, ability)).map(({ name }) => name as KindName);
const without = (ability: 'add' | 'remove' | 'merge') =>
  KINDS.filter((kind) => !canBeUsed(kind, ability)).map(({ name }) => name as KindName);

describe.each(named('add'))('keys that are added to a %s filter', (kind) => {
  test('in memory are found, one by one or many', async () => {
    const filter = await buildFilter(OLD, { items: WORDS.length, kind });
    filter.addMany(NEW.slice(0, 2000));
    for (const word of NEW.slice(2000)) filter.add(word);
    expect(filter.hasMany(WORDS)).not.toContain(false);
    expect(WORDS.every((word) => filter.has(word))).toBe(true);
    expect(filter.stats().inserted).toBe(WORDS.length);
    const { estimatedItems, predictedFpr } = filter.stats();
    expect(Math.abs(estimatedItems / WORDS.length - 1)).toBeLessThan(0.03);
    expect(predictedFpr).toBeLessThan(0.02);
    expect(filter.hasMany(WORDS.map((word) => `${word}?`)).filter(Boolean).length).toBeLessThan(150);
  });

  test('in a file make the file that bloom add makes', async () => {
    writeFileSync(path('old'), `${OLD.join('\n')}\n`);
    writeFileSync(path('new'), `${NEW.join('\n')}\n`);
    for (const name of ['ours', 'theirs'])
      expect(
        (await within(['build', '-n', '6000', '--kind', kind, '--force', path('old'), '-o', path(name)])).status,
      ).toBe(0);
    expect((await within(['add', path('theirs'), path('new')])).status).toBe(0);
    const filter = await openFilter(path('ours'), { writable: true });
    filter.addMany(NEW);
    await filter.save(path('ours'));
    filter.close();
    expect(readFileSync(path('ours')).equals(readFileSync(path('theirs')))).toBe(true);
  });
});

test('a scalable filter grows under single keys as under many', async () => {
  const one = await buildFilter([], { kind: 'scalable', items: 500, fpr: 1e-3 });
  for (const word of WORDS) {
    one.add(word);
    if (!one.has(word)) throw new Error(`${word} is missing`);
  }
  expect(one.hasMany(WORDS)).not.toContain(false);
  expect(one.stats().capacity).toBeGreaterThan(WORDS.length * 0.9);
  expect(one.stats().predictedFpr).toBeLessThan(1e-3);
  const again = await openFilter(await one.toBytes(), { writable: true });
  again.addMany(WORDS.map((word) => `${word}!`));
  expect(again.hasMany(WORDS)).not.toContain(false);
  expect(again.stats().predictedFpr).toBeLessThan(1e-3);
});

describe.each(named('remove'))('keys that are removed from a %s filter', (kind) => {
  test('are absent, and others are not', async () => {
    const filter = await buildFilter(WORDS, { items: WORDS.length, fpr: 1e-6, kind });
    expect(OLD.every((word) => filter.remove(word))).toBe(true);
    expect(filter.remove('never added')).toBe(false);
    expect(filter.hasMany(NEW)).not.toContain(false);
    expect(filter.hasMany(OLD).filter(Boolean).length).toBeLessThan(2);
    expect(filter.stats().inserted).toBe(NEW.length);
  });
});

describe('what a kind cannot do', () => {
  test.each(without('add'))('add: %s', async (kind) => {
    const filter = await buildFilter(OLD, { kind });
    expect(() => filter.add('a')).toThrow(expect.objectContaining({ code: 'mismatch' }));
  });

  test.each(without('remove'))('remove: %s', async (kind) => {
    const filter = await buildFilter(OLD, { kind });
    expect(() => filter.remove('a')).toThrow(expect.objectContaining({ code: 'mismatch' }));
  });

  test.each(without('merge'))('merge: %s', async (kind) => {
    const filter = await buildFilter(OLD, { kind });
    await expect(mergeFilters([filter, filter])).rejects.toMatchObject({ code: 'mismatch' });
  });
});

test.each(['cuckoo', 'quotient'] as const)('a full %s filter cannot be used any more', async (kind) => {
  const filter = await buildFilter([], { kind, items: 100 });
  const add = () => filter.addMany(WORDS);
  expect(add).toThrow(expect.objectContaining({ code: 'capacity' }));
  expect(() => filter.has('walk')).toThrow(expect.objectContaining({ code: 'capacity' }));
  await expect(filter.save(path('full'))).rejects.toMatchObject({ code: 'capacity' });
});

test('keys that do not fit at first are an error too', async () => {
  await expect(buildFilter(WORDS, { kind: 'cuckoo', items: 100 })).rejects.toMatchObject({ code: 'capacity' });
});

describe.each(named('merge'))('the union of %s filters', (kind) => {
  test('has the keys of all, like the union of bloom merge', async () => {
    const filters = await Promise.all([OLD, NEW].map((words) => buildFilter(words, { items: 6000, kind })));
    for (const [i, filter] of filters.entries()) await filter.save(path(`part${i}`));
    const union = await mergeFilters(filters);
    expect((await within(['merge', path('part0'), path('part1'), '--force', '-o', path('union')])).status).toBe(0);
    expect(Buffer.compare(await union.toBytes(), readFileSync(path('union')))).toBe(0);
    expect(union.hasMany(WORDS)).not.toContain(false);
    union.add('one more');
    expect(union.has('one more')).toBe(true);
  });
});

test('filters that do not fit together are refused with what differs', async () => {
  const [one, other] = [
    await buildFilter(['a'], { items: 100 }),
    await buildFilter(['a'], { items: 100, hash: 'xxh3' }),
  ];
  await expect(mergeFilters([one, other])).rejects.toThrow('hash is xxh3 in filter 2, xxh64 in filter 1');
  await expect(mergeFilters([])).rejects.toMatchObject({ code: 'usage' });
  await expect(mergeFilters([{} as typeof one])).rejects.toMatchObject({ code: 'usage' });
});

describe('a file', () => {
  test('is not replaced if another program has changed it', async () => {
    await (await buildFilter(['a'], { items: 100 })).save(path('shared'));
    const [one, other] = await Promise.all([1, 2].map(() => openFilter(path('shared'), { writable: true })));
    one?.add('one');
    other?.add('other');
    await one?.save(path('shared'));
    await one?.save(path('shared'));
    const saved = readFileSync(path('shared'));
    await expect(other?.save(path('shared'))).rejects.toMatchObject({ code: 'changed' });
    expect(readFileSync(path('shared')).equals(saved)).toBe(true);
    one?.close();
    other?.close();
  });

  test('that exists is kept with replace: false', async () => {
    writeFileSync(path('kept'), 'text');
    const filter = await buildFilter(['a']);
    await expect(filter.save(path('kept'), { replace: false })).rejects.toMatchObject({ code: 'output' });
    expect(readFileSync(path('kept'), 'utf8')).toBe('text');
    await expect(filter.save(path('no/such/folder'))).rejects.toMatchObject({ code: 'output' });
  });

  test('can only be queried unless it was opened as writable', async () => {
    await (await buildFilter(['a'], { items: 100 })).save(path('asked'));
    const filter = await openFilter(path('asked'));
    expect(() => filter.add('b')).toThrow(
      expect.objectContaining({ code: 'usage', hint: 'open it with { writable: true }' }),
    );
    const text = openFilter(fixture('formats/redisbloom/plain.dump'), { writable: true });
    await expect(text).rejects.toMatchObject({ code: 'format' });
    filter.close();
    filter.close();
    expect(() => filter.has('a')).toThrow('was closed');
    expect(() => filter.stats()).toThrow('was closed');
    expect(() => filter.add('a')).toThrow('was closed');
    await expect(filter.toBytes()).rejects.toThrow('was closed');
    await expect(mergeFilters([filter])).rejects.toThrow('was closed');
  });
});

describe('a note', () => {
  const noted = (words: readonly string[], note: string) => buildFilter(words, { items: 6000, note, stamp: true });

  test('and the time are those of the command, and are kept in later filters', async () => {
    const env = { SOURCE_DATE_EPOCH: '1000000000' };
    vi.stubEnv('SOURCE_DATE_EPOCH', env.SOURCE_DATE_EPOCH);
    const flags = ['-n', '6000', '--note', 'old wörds', '--stamp', '--force', '-o', path('noted')];
    expect((await within(['build', ...flags], { stdin: `${OLD.join('\n')}\n`, env })).status).toBe(0);
    const filter = await noted(OLD, 'old wörds');
    vi.stubEnv('SOURCE_DATE_EPOCH', '1000000001');
    const newer = await noted(NEW, 'new words');
    vi.unstubAllEnvs();
    expect(Buffer.from(await filter.toBytes()).equals(readFileSync(path('noted')))).toBe(true);
    expect(filter.stats()).toMatchObject({ note: 'old wörds', made: '2001-09-09T01:46:40Z' });
    filter.add('one more');
    await filter.save(path('saved'));
    const again = await openFilter(path('saved'));
    expect(again.stats()).toEqual(filter.stats());
    again.close();
    const union = await mergeFilters([filter, newer]);
    expect(union.stats()).toMatchObject({ note: 'old wörds; new words', made: '2001-09-09T01:46:41Z' });
  });

  test('is missing unless it is requested, and has no time by default', async () => {
    expect((await buildFilter(['a'])).stats()).toMatchObject({ note: null, made: null });
    expect((await buildFilter(['a'], { note: '' })).stats()).toMatchObject({ note: '', made: null });
    const { note, made } = (await buildFilter(['a'], { stamp: true })).stats();
    expect(note).toBe('');
    expect(Math.abs(Date.parse(made ?? '') - Date.now())).toBeLessThan(3_600_000);
  });

  test.each(['ü'.repeat(501), 7 as unknown as string])('is invalid: %s', async (note) => {
    await expect(buildFilter(['a'], { note })).rejects.toMatchObject({ code: 'usage' });
    expect((await buildFilter(['a'], { note: 'ü'.repeat(500) })).stats().note).toHaveLength(500);
  });
});

describe('keys come', () => {
  const expected = async () => (await buildFilter(WORDS)).toBytes();

  test('from a generator, a Set, an asynchronous iterable and a stream of objects', async () => {
    const later = async function* () {
      yield* WORDS;
    };
    for (const keys of [new Set(WORDS), (() => WORDS.values())(), later(), Readable.from(WORDS)])
      expect(Buffer.compare(await (await buildFilter(keys)).toBytes(), await expected())).toBe(0);
  });

  test('as lines of a stream, with any division into pieces', async () => {
    const bytes = Buffer.from(`${WORDS.join('\r\n')}\n`);
    const pieces = Array.from({ length: Math.ceil(bytes.length / 777) }, (_, i) =>
      bytes.subarray(777 * i, 777 * (i + 1)),
    );
    for (const stream of [Readable.from(pieces, { objectMode: false }), Readable.from([bytes.toString()])])
      expect(Buffer.compare(await (await buildFilter(stream, { lines: true })).toBytes(), await expected())).toBe(0);
    await expect(buildFilter(Readable.from(pieces, { objectMode: false }))).rejects.toMatchObject({
      hint: 'add { lines: true }',
    });
    await expect(buildFilter(WORDS, { lines: true })).rejects.toMatchObject({ code: 'usage' });
  });

  test('until one is an error, which is thrown, and the iterable is closed', async () => {
    let ended = false;
    const broken = async function* () {
      yield 'a';
      throw new RangeError('enough');
    };
    const endless = function* () {
      try {
        for (let i = 0; ; i++) yield i < 10_000 ? String(i) : (i as unknown as string);
      } finally {
        ended = true;
      }
    };
    await expect(buildFilter(broken())).rejects.toThrow(new RangeError('enough'));
    await expect(buildFilter(broken(), { lines: true })).rejects.toThrow(new RangeError('enough'));
    await expect(buildFilter(endless(), { items: 10 })).rejects.toThrow('a key must be a string');
    expect(ended).toBe(true);
  });
});

describe('sizes', () => {
  test('are those of bloom size', async () => {
    for (const options of [
      { items: 1e6, fpr: 0.001 },
      { items: 1e6 },
      { bits: 1e6, fpr: 0.01 },
      { items: 1000, bitsPerKey: 12, hashes: 4 },
    ]) {
      const flags = Object.entries(options).map(
        ([name, value]) => `--${name === 'bitsPerKey' ? 'bits-per-key' : name}=${value}`,
      );
      const { stdout } = await within([
        'size',
        '--json',
        ...flags,
        ...('fpr' in options || 'bitsPerKey' in options ? [] : ['-p', '1%']),
      ]);
      expect(JSON.parse(stdout)).toMatchObject(sizeFilter(options));
    }
  });

  test('state the size of the file that buildFilter makes', async () => {
    for (const options of [
      { items: 1000 },
      { items: 300_000, fpr: 0.001 },
      { items: 500, kind: 'quotient' as const },
    ]) {
      const { bits, bytes } = sizeFilter(options);
      const filter = await buildFilter(['a'], options);
      const stats = filter.stats();
      expect(stats.bytes).toBe(bytes);
      expect((await filter.toBytes()).length).toBe(bytes);
      expect(stats.bits).toBeGreaterThanOrEqual(bits);
      expect(stats.bits - bits).toBeLessThan(512 * stats.segments);
    }
  });

  test.each([
    [{}, 'do not determine'],
    [{ items: 0 }, 'items must be a whole number above 0, not 0'],
    [{ items: 1.5 }, 'items must be'],
    [{ items: 10, fpr: 1 }, 'fpr must be a number from 1e-15 to below 1, not 1'],
    [{ items: 10, fpr: '1%' as unknown as number }, 'fpr must be'],
    [{ items: 10, bitsPerKey: -1 }, 'bitsPerKey must be'],
    [{ items: 10, kind: 'none' as KindName }, 'there is no kind none'],
    [{ items: 1000, bits: 100, fpr: 0.01 }, 'contradict'],
  ])('%o is refused', (options, message) => {
    expect(() => sizeFilter(options)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(message) }),
    );
  });

  test.each([{ seed: -1 }, { seed: 1.5 }, { seed: 2n ** 64n }, { hash: 'md5' as 'xxh3' }])(
    '%o is not a filter',
    async (options) => {
      await expect(buildFilter(['a'], options)).rejects.toMatchObject({ code: 'usage' });
    },
  );
});
