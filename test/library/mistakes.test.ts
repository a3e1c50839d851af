// A BloomError refuses each argument that the types do not allow, and names the mistake.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BloomError } from '../../src/errors.ts';
import { buildFilter, mergeFilters, openFilter, openIndex, sizeFilter } from '../../src/library/index.ts';
import { requireKnown } from '../../src/library/known-options.ts';
import { fixture, scratch } from '../cli/run.ts';
import { inLongRuns } from '../long.ts';

const { path } = scratch();

/** Passes a value that no type allows. */
function untyped<T>(value: unknown): T {
  return value as T;
}

const usage = (message: string, hint?: string) =>
  expect.objectContaining({ name: 'BloomError', code: 'usage', message, hint });

test.each([
  ['abc', 'a string'],
  [undefined, 'undefined'],
  [null, 'null'],
  [7, 'a number'],
  [{}, 'an object'],
  [Uint8Array.of(1), 'an object'],
])('%o is neither an iterable of keys nor of filters', async (given, type) => {
  const ofKeys = usage(`keys must be an array or another iterable, not ${type}`, 'put a single key into an array');
  await expect(buildFilter(untyped(given))).rejects.toEqual(ofKeys);
  await expect(buildFilter(untyped(given), { lines: true })).rejects.toEqual(ofKeys);
  const filter = await buildFilter(['a'], { items: 10 });
  expect(() => filter.hasMany(untyped(given))).toThrow(ofKeys);
  expect(() => filter.addMany(untyped(given))).toThrow(ofKeys);
  expect(filter.stats().inserted).toBe(1);
  await expect(mergeFilters(untyped(given))).rejects.toThrow(
    `filters must be an array or another iterable, not ${type}`,
  );
});

test('many keys are not looked up from an asynchronous iterable', async () => {
  const filter = await buildFilter(['a'], { items: 10 });
  const coming = (async function* () {
    yield 'a';
  })();
  expect(() => filter.hasMany(untyped(coming))).toThrow('keys must be an array or another iterable, not an object');
});

test.each([
  [null, 'not null'],
  [7, 'not a number'],
  [['a'], 'not an array'],
])('%o is not a key', async (key, what) => {
  const filter = await buildFilter(['a'], { items: 10 });
  expect(() => filter.has(untyped(key))).toThrow(usage(`a key must be a string or a Uint8Array, ${what}`));
});

test('a value that does not name a file is refused by open and by save', async () => {
  const filter = await buildFilter(['a'], { items: 10 });
  await expect(filter.save(untyped(undefined))).rejects.toEqual(usage('a file must be a name or a URL, not undefined'));
  await expect(openFilter(untyped(new ArrayBuffer(8)))).rejects.toEqual(
    usage('a file must be a name or a URL, not an object', 'state the bytes of a filter as a Uint8Array'),
  );
});

test('bytes that are not a filter get the error of a file', async () => {
  await expect(openFilter(new Uint8Array(10))).rejects.toThrow(/^the file in memory is /);
});

test('unknown options are refused, with the likely name', async () => {
  const ignoring = buildFilter(['a'], untyped({ items: 10, ignorecase: true }));
  await expect(ignoring).rejects.toEqual(usage('buildFilter has no option ignorecase', 'did you mean ignoreCase?'));
  expect(() => sizeFilter(untyped({ Items: 5 }))).toThrow(
    usage('sizeFilter has no option Items', 'did you mean items?'),
  );
  expect(() => sizeFilter(untyped({ bitsperKeys: 5 }))).toThrow(
    expect.objectContaining({ hint: 'did you mean bitsPerKey?' }),
  );
  // Two edits from the name, and three.
  expect(() => sizeFilter(untyped({ bitprKey: 5 }))).toThrow(
    expect.objectContaining({ hint: 'did you mean bitsPerKey?' }),
  );
  expect(() => sizeFilter(untyped({ bitprKy: 5 }))).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('known: ') }),
  );
  expect(() => sizeFilter(untyped({ seed: 5 }))).toThrow(
    usage('sizeFilter has no option seed', 'known: kind, items, fpr, bits, bitsPerKey, hashes'),
  );
  const writing = openFilter(fixture('words.txt'), untyped({ writeable: true }));
  await expect(writing).rejects.toEqual(usage('openFilter has no option writeable', 'did you mean writable?'));
  const filter = await buildFilter(['a'], { items: 10 });
  const saving = filter.save(path('new.bloom'), untyped({ overwrite: true }));
  await expect(saving).rejects.toEqual(usage('save has no option overwrite', 'known: replace'));
  await expect(buildFilter(['a'], untyped(null))).rejects.toEqual(
    usage('the options of buildFilter must be an object, not null'),
  );
});

test('all unknown options are named', async () => {
  await expect(openFilter('f', untyped({ seed: 1, header: {} }))).rejects.toEqual(
    usage('openFilter has no options seed, header', expect.stringContaining('headers')),
  );
});

test.each([
  [{ 'x y': 'secret' }, 'the header "x y" is not valid'],
  [{ token: 'secret\r\nHost: other' }, 'the header "token" is not valid'],
  [{ token: 7 }, 'the header "token" is not valid'],
  [{ Range: 'secret' }, 'bloom states the header Range itself'],
  ['secret', 'headers must be an object of names and values, not a string'],
])('headers %o are refused, and are not shown', async (headers, message) => {
  const error = await openFilter('http://localhost:9/f', untyped({ headers })).catch((refusal: unknown) => refusal);
  expect(error).toMatchObject({ code: 'usage', message });
  expect(JSON.stringify(error)).not.toContain('secret');
});

test('headers need a server', async () => {
  await expect(openFilter(fixture('words.txt'), { headers: { token: 'a' } })).rejects.toMatchObject({
    code: 'usage',
    message: 'headers are for a file on a server',
  });
});

test('openIndex has the checks of openFilter for headers and timeouts', async () => {
  const opening = (options: unknown, file = 'http://localhost:9/f') => openIndex(file, untyped(options));
  await expect(opening({ header: {} })).rejects.toEqual(
    usage('openIndex has no option header', 'did you mean headers?'),
  );
  await expect(opening({ format: 'guava', hashed: true })).rejects.toEqual(
    usage('openIndex has no options format, hashed', 'known: timeout, headers'),
  );
  await expect(opening({ timeout: 0 })).rejects.toMatchObject({
    code: 'usage',
    message: 'timeout must be a number of seconds above 0, not 0',
  });
  await expect(opening({ headers: { Range: 'a' } })).rejects.toMatchObject({ code: 'usage' });
  await expect(opening({ headers: { token: 'a' } }, fixture('words.txt'))).rejects.toMatchObject({
    code: 'usage',
    message: 'headers are for a file on a server',
  });
});

/** The Levenshtein distance, by its recursive definition. */
function editsBetween(a: string, b: string, known = new Map<string, number>()): number {
  if (a === '' || b === '') return a.length + b.length;
  const pair = `${a}\0${b}`;
  const [shorterA, shorterB] = [a.slice(1), b.slice(1)];
  const edits =
    known.get(pair) ??
    (a[0] === b[0]
      ? editsBetween(shorterA, shorterB, known)
      : 1 +
        Math.min(
          editsBetween(shorterA, b, known),
          editsBetween(a, shorterB, known),
          editsBetween(shorterA, shorterB, known),
        ));
  known.set(pair, edits);
  return edits;
}

test('the proposed option has two edits at most, fewer than half of its letters, and no other has fewer', () => {
  const names = ['kind', 'items', 'fpr', 'bits', 'bitsPerKey', 'hashes'];
  const letters = fc.array(fc.constantFrom(...'abefhiknprstyKP'), { maxLength: 3 }).map((all) => all.join(''));
  const mistyped = fc
    .tuple(fc.constantFrom(...names), fc.nat(9), fc.nat(3), letters)
    .map(([name, at, without, more]) => {
      return `${name.slice(0, at)}${more}${name.slice(at + without)}`;
    });
  const property = fc.property(fc.oneof(mistyped, letters), (unknown) => {
    fc.pre(!names.includes(unknown));
    const edits = new Map(names.map((name) => [name, editsBetween(name.toLowerCase(), unknown.toLowerCase())]));
    const near = names.filter((name) => (edits.get(name) ?? 9) <= 2 && 2 * (edits.get(name) ?? 9) < name.length);
    const least = Math.min(...near.map((name) => edits.get(name) ?? 9));
    const nearest = near.filter((name) => edits.get(name) === least);
    let hint: unknown;
    try {
      requireKnown('sizeFilter', { [unknown]: 1 });
    } catch (error) {
      hint = error instanceof BloomError ? error.hint : error;
    }
    const possible =
      nearest.length === 0 ? [`known: ${names.join(', ')}`] : nearest.map((name) => `did you mean ${name}?`);
    expect(possible).toContain(hint);
  });
  fc.assert(property, { numRuns: inLongRuns(3000, 300) });
});
