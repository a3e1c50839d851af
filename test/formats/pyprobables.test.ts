// Filters of pyprobables: keys beyond ASCII, and the flags that they need.

import { expect, test } from 'vitest';
import type { LoadedFilter } from '../../src/engine/store/loaded.ts';
import { createWorkerPool } from '../../src/engine/threads/worker-pool.ts';
import { openFilterFile } from '../../src/formats/open.ts';
import type { Opening } from '../../src/formats/opening.ts';
import { linesOf } from '../filters/filling.ts';
import { pyprobables } from '../reference/formats/pyprobables.ts';
import { answersTo, positivesIn, withLoaded } from './asking.ts';
import { placed } from './bloomery/files.ts';

// `export_hex` of filters for 20 keys at 0.001, with these 5 strings, by versions 0.7.0 and 0.4.1.
const KEYS = ['é', '日本', '😀', 'a\u0300', '\ufeffmark'];
const TEXTS = {
  'pyprobables-0.5':
    '14280000005810110010040041a200188000124000018084421200025000a88031202404000000000000001400000000000000053a83126f',
  'pyprobables-0.4':
    '010a80880000804100012040a1000a4008040808604008100a00041cd551008401904000000000000000001400000000000000053a83126f',
} as const;

/** Returns how many keys are maybe present. The first line is '-', because bloom skips a byte order mark before the first line. */
const found = async (file: string, keys: readonly string[], opening: Opening) =>
  (await positivesIn(file, [placed(linesOf(['-', ...keys]), 'keys')], createWorkerPool(1), opening))[0];

test.each(Object.entries(TEXTS))('%s finds strings by their characters', async (format, text) => {
  for (const end of ['', '\n', '\r\n']) {
    const file = placed(Buffer.from(text + end));
    expect(await found(file, KEYS, { format })).toBe(KEYS.length);
    expect(await found(file, ['è', '日', '本', '😁', 'a', 'mark'], { format })).toBe(0);
    expect(
      await found(
        file,
        KEYS.map((key) => Buffer.from(key).toString('hex')),
        { format, keyType: 'hex' },
      ),
    ).toBe(0);
  }
});

/** Bytes that are not UTF-8, or barely are, and the result of bytes.decode('utf-8', 'replace') in Python 3.11. */
const DAMAGED: readonly (readonly [string, string])[] = [
  ['7f', '\x7f'],
  ['80', '\ufffd'],
  ['c280', '\x80'],
  ['c080', '\ufffd\ufffd'],
  ['c341', '\ufffdA'],
  ['e0a080', '\u0800'],
  ['e09fbf', '\ufffd\ufffd\ufffd'],
  ['e0a041', '\ufffdA'],
  ['ed9fbf', '\ud7ff'],
  ['ed80', '\ufffd'],
  ['eda0', '\ufffd\ufffd'],
  ['eda041', '\ufffd\ufffdA'],
  ['eda080', '\ufffd\ufffd\ufffd'],
  ['edbfbf', '\ufffd\ufffd\ufffd'],
  ['ee8080', '\ue000'],
  ['f0908080', '\u{10000}'],
  ['f08f8080', '\ufffd\ufffd\ufffd\ufffd'],
  ['f0904180', '\ufffdA\ufffd'],
  ['f48fbfbf', '\u{10ffff}'],
  ['f4908080', '\ufffd\ufffd\ufffd\ufffd'],
  ['f5808080', '\ufffd\ufffd\ufffd\ufffd'],
];

test.each(DAMAGED)('the bytes %s are the characters that Python makes of them', async (hex, characters) => {
  const { filter, variant } = pyprobables.vessels['one hash each']?.() ?? {};
  filter?.add(Buffer.from(characters));
  const keys = [hex, `${hex}41`].map((key) => Buffer.from(key, 'hex'));
  const compare = async (asked: LoadedFilter) => expect(await answersTo(asked, keys)).toEqual([true, false]);
  await withLoaded(placed(filter?.encode() ?? new Uint8Array()), 1, compare, { format: variant });
});

// BloomFilter(est_elements=20, false_positive_rate=0.001) of 0.7.0 with b'\xe9' and bytes(range(256)).
const BYTES_TEXT =
  '04000000210800010a000000008000901000024004000010000000000000804010002020000000000000001400000000000000023a83126f';

test('bytes are found as bytes', async () => {
  const file = placed(Buffer.from(BYTES_TEXT));
  const all = Buffer.from(Array.from({ length: 256 }, (_, i) => i)).toString('hex');
  const opening = { format: 'pyprobables-0.5', keyType: 'hex' } as const;
  expect(await found(file, ['e9', `0x${all}`, 'c3a9', 'e8'], opening)).toBe(2);
  // A string whose characters are these numbers has the same hashes.
  expect(await found(file, ['é'], { format: 'pyprobables-0.5' })).toBe(1);
});

test('its version has to be stated', async () => {
  const file = placed(Buffer.from(TEXTS['pyprobables-0.5']));
  for (const format of [undefined, 'pyprobables'])
    await expect(openFilterFile(file, 'query', { format })).rejects.toMatchObject({
      code: 'format',
      message: expect.stringContaining('does not show its version of pyprobables'),
      hint: expect.stringMatching(/--format pyprobables-0\.5 .*pyprobables-0\.4/),
    });
});

test('the capacity, the rate and the keys come from its footer', async () => {
  const { description, close } = await openFilterFile(placed(Buffer.from(TEXTS['pyprobables-0.4'])), 'report', {
    format: 'pyprobables-0.4',
  });
  close();
  expect(description).toMatchObject({
    shape: { bits: 288, k: 10 },
    target: { capacity: 20, targetFpr: Math.fround(0.001) },
    inserted: 5,
  });
});

// 10 keys at 0.8 have 5 bits by its formula, and 0 hash functions. At 0.7 they have 8 bits and 1.
test.each([
  [0.8, 'is not a filter of pyprobables'],
  [0.7, undefined],
])('a footer of 10 keys at %d', async (fpr, message) => {
  const file = Buffer.alloc(21);
  file.writeBigUInt64LE(10n, 1);
  file.writeFloatLE(fpr, 17);
  const opening = openFilterFile(placed(file), 'query', { format: 'pyprobables-0.5' });
  if (message === undefined) (await opening).close();
  else await expect(opening).rejects.toMatchObject({ message: expect.stringContaining(message) });
});

test.each([
  ['a letter among its digits', (text: string) => `${text.slice(0, 50)}g${text.slice(51)}`],
  ['a digit less', (text: string) => text.slice(1)],
  ['a digit more', (text: string) => `0${text}`],
])('hexadecimal with %s is refused', async (_, spoil) => {
  const file = placed(Buffer.from(spoil(TEXTS['pyprobables-0.5'])));
  for (const format of [undefined, 'pyprobables-0.5'])
    await expect(openFilterFile(file, 'query', { format })).rejects.toMatchObject({ code: 'format' });
});
