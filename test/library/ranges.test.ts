// The library checks options as the command checks its flags.

import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type BuildOptions, buildFilter, openFilter, type SizeOptions, sizeFilter } from '../../src/library/index.ts';
import { scratch } from '../cli/run.ts';

const { path } = scratch();

test.each<[SizeOptions, string]>([
  [{ items: 10, hashes: 65 }, 'hashes must be a whole number from 1 to 64, not 65'],
  [{ items: 10, fpr: 1e-16 }, 'fpr must be a number from 1e-15'],
  [{ items: 10, bitsPerKey: 1e7 }, 'bitsPerKey must be a number above 0'],
])('%o is refused', async (options, message) => {
  const usage = expect.objectContaining({ code: 'usage', message: expect.stringContaining(message) });
  expect(() => sizeFilter(options)).toThrow(usage);
  await expect(buildFilter(['a'], options)).rejects.toEqual(usage);
});

test.each<[BuildOptions, string]>([
  [{ headroom: -1 }, 'headroom must be a number from 0'],
  [{ headroom: Number.NaN }, 'headroom must be a number from 0'],
  [{ bits: 1000, headroom: 0.1 }, 'headroom adds to items'],
  [{ ignoreCase: 'yes' as unknown as boolean }, 'ignoreCase must be true or false, not yes'],
  [{ trim: 1 as unknown as boolean }, 'trim must be true or false'],
  [{ stamp: 'no' as unknown as boolean }, 'stamp must be true or false'],
  [{ lines: 'no' as unknown as boolean }, 'lines must be true or false'],
])('buildFilter refuses %o', async (options, message) => {
  await expect(buildFilter(['a'], options)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining(message),
  });
});

test('a filter is opened and saved with valid options', async () => {
  const usage = { code: 'usage' };
  await expect(openFilter(path('f'), { writable: 'yes' as unknown as boolean })).rejects.toMatchObject(usage);
  await expect(openFilter(path('f'), { timeout: -1 })).rejects.toMatchObject(usage);
  const filter = await buildFilter(['a'], { items: 100, hashes: 64 });
  await expect(filter.save(path('f'), { replace: 0 as unknown as boolean })).rejects.toMatchObject(usage);
  await filter.save(path('f'));
  expect((await openFilter(path('f'))).stats().hashes).toBe(64);
});

test('headroom adds to the stated keys, and to counted keys', async () => {
  expect((await buildFilter(['a'], { items: 100, headroom: 0.1 })).stats().capacity).toBe(110);
  const keys = Array.from({ length: 100 }, (_, i) => `key${i}`);
  expect((await buildFilter(keys, { headroom: 0.1 })).stats().capacity).toBe(110);
});

describe('lines are read like those of a file', () => {
  async function* pieces(...given: readonly (string | Uint8Array)[]) {
    yield* given;
  }
  const built = async (...given: readonly (string | Uint8Array)[]) =>
    (await buildFilter(pieces(...given), { lines: true, items: 100 })).hasMany(['first', 'second']);

  test('without a byte order mark, and decompressed', async () => {
    expect(await built('\ufefffirst\nsecond\n')).toEqual([true, true]);
    const packed = gzipSync('first\r\nsecond\r\n');
    expect(await built(packed.subarray(0, 1), packed.subarray(1))).toEqual([true, true]);
  });

  test('and not in UTF-16, of a filter, or in pieces of other types', async () => {
    await expect(built(Buffer.from('\ufefffirst\nsecond\n', 'utf16le'))).rejects.toThrow('UTF-16');
    const filter = await buildFilter(['a'], { items: 100 });
    await expect(built(await filter.toBytes())).rejects.toThrow('is a filter of');
    await expect(built('first\n', 7 as unknown as string)).rejects.toThrow('pieces of text or bytes, not as a number');
  });
});
