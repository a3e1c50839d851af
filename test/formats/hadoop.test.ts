// Invalid files of Hadoop and Hudi, beyond those that every format rejects.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openFilterFile } from '../../src/formats/open.ts';
import { hadoop } from '../reference/formats/hadoop.ts';
import { placed } from './bloomery/files.ts';

const TEXT = readFileSync(new URL('../../fixtures/formats/hadoop/hudi-dynamic.b64', import.meta.url), 'latin1');
const FIRST_ROW = 25;

const opened = (bytes: Uint8Array | string) =>
  openFilterFile(placed(Buffer.from(bytes), 'a.bloom'), 'query').then(({ description, close }) => {
    close();
    return description;
  });

/** A file of the oracle with `keys` keys. */
function filled(vessel: string, keys: number): Buffer {
  const { filter } = hadoop.vessels[vessel]?.() ?? {};
  for (let key = 0; key < keys; key++) filter?.add(Buffer.from(String(key)));
  return Buffer.from(filter?.encode() ?? []);
}

test('base64 may have line ends, and its bytes are those of the file', async () => {
  const lines = TEXT.replace(/(.{76})/g, '$1\r\n');
  expect(await opened(`${lines}\n`)).toMatchObject({ inserted: 200, bytes: lines.length + 1 });
});

describe('a filter is refused', () => {
  test.each([
    ['with something between its letters', `${TEXT.slice(0, 100)}*${TEXT.slice(101)}`, 'its base64 is malformed'],
    ['without its last letters', TEXT.slice(0, -1), 'its base64 is malformed'],
    ['twice', TEXT + TEXT, 'its base64 is malformed'],
  ])('%s', async (_, text, message) => {
    await expect(opened(text)).rejects.toMatchObject({ code: 'format', message: expect.stringContaining(message) });
  });

  const spoils: Readonly<Record<string, [string, (file: DataView) => void]>> = {
    'with a row of another k': ['its rows have different headers', (file) => file.setInt32(FIRST_ROW + 4, 6)],
    'with a row of another size': ['its rows have different headers', (file) => file.setInt32(FIRST_ROW + 9, 575)],
    'with a row more': ['instead of the 85 of its header', (file) => file.setInt32(21, 4)],
    'without rows': ['instead of the 85 of its header', (file) => file.setInt32(21, 0)],
    'with 2^31 - 1 rows': ['instead of the 85 of its header', (file) => file.setInt32(21, 2 ** 31 - 1)],
    'with -1 rows': ['instead of the 85 of its header', (file) => file.setInt32(21, -1)],
  };
  test.each(Object.entries(spoils))('%s', async (_, [message, spoil]) => {
    const bytes = new Uint8Array(Buffer.from(TEXT, 'base64'));
    spoil(new DataView(bytes.buffer));
    await expect(opened(bytes)).rejects.toMatchObject({ code: 'format', message: expect.stringContaining(message) });
  });
});

test.each([-60, 0])('the number of added keys is unknown if the number of keys in its rows is %d', async (keys) => {
  const bytes = new Uint8Array(Buffer.from(TEXT, 'base64'));
  new DataView(bytes.buffer).setInt32(13, keys);
  expect((await opened(bytes)).inserted).toBeUndefined();
});

describe('files with the header of a BloomFilter and more bytes', () => {
  const file = (name: string) => readFileSync(new URL(`../../fixtures/formats/hadoop/${name}`, import.meta.url));

  test.each([
    ['counting.bin', 'it is a CountingBloomFilter'],
    ['retouched.bin', 'it is a RetouchedBloomFilter'],
  ])('%s is recognised, and is not changed', async (name, remark) => {
    expect((await opened(file(name))).remarks).toEqual([expect.stringContaining(remark)]);
    const changed = await openFilterFile(placed(file(name)), 'change');
    changed.close();
    expect(changed).not.toHaveProperty('blueprint');
  });

  // Each class has a length at which the file of another may end.
  test.each([
    ['counting.bin', file('counting.bin'), []],
    // Its first 39 bytes are the file of the BloomFilter that it extends, with the same answers.
    ['retouched.bin', file('retouched.bin'), [39]],
    ['a dynamic filter', Buffer.from(TEXT, 'base64'), []],
    ['counters of many positions', filled('counters', 5000), []],
    ['few counters', filled('few counters', 100), []],
    ['lists for each bit', filled('lists for each bit', 100), [139]],
    ['rows of Jenkins', filled('rows of Jenkins', 8000), []],
  ])('%s is refused if it is cut to the length of another class', async (_, whole, wholeAt) => {
    const m = whole.readInt32BE(9);
    const lengths = [Math.ceil(m / 8), 8 * Math.ceil(m / 16), 12 + 13 + Math.ceil(m / 8)].map((bytes) => 13 + bytes);
    for (const length of lengths.filter((length) => length < whole.length)) {
      const outcome = opened(whole.subarray(0, length)).catch((error: unknown) => error);
      if (wholeAt.includes(length)) expect(await outcome).toHaveProperty('shape');
      else expect(await outcome, `${length} bytes`).toMatchObject({ code: 'format' });
    }
    expect(await opened(whole)).toHaveProperty('shape');
  });

  // A RetouchedBloomFilter has 203 positions: 26 bytes of bits, and the lists from byte 39 on.
  const spoils: Readonly<Record<string, [number, number]>> = {
    'of -2 keys': [39, -2],
    'of 2^31 - 1 keys': [39, 2 ** 31 - 1],
    'with a key of -1 bytes': [0, -1],
    'with a key of 2^31 - 1 bytes': [0, 2 ** 31 - 1],
  };
  test.each(Object.entries(spoils))('a list %s is refused', async (_, [at, value]) => {
    const bytes = Uint8Array.from(file('retouched.bin'));
    const view = new DataView(bytes.buffer);
    let first = 39;
    while (view.getInt32(first) < 1) first += 4;
    view.setInt32(at === 0 ? first + 4 : at, value);
    await expect(opened(bytes)).rejects.toMatchObject({
      code: 'format',
      message: expect.stringContaining('instead of the 39 of its header, which is of Hadoop, or 117 with counters'),
    });
  });

  test('a list may have an empty key', async () => {
    const bytes = file('retouched.bin');
    const empty = Buffer.alloc(4 + 4 + 8);
    empty.writeInt32BE(1);
    // The first list becomes one of an empty key; it had none, or the keys that its number states.
    let end = 43;
    for (let left = bytes.readInt32BE(39); left > 0; left--) end += 4 + bytes.readInt32BE(end) + 8;
    const changed = Buffer.concat([bytes.subarray(0, 39), empty, bytes.subarray(end)]);
    expect((await opened(changed)).remarks).toEqual([expect.stringContaining('it is a RetouchedBloomFilter')]);
  });
});
