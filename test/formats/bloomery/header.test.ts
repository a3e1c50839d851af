import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeHeader, encodeHeader, fileBytes, type Header } from '../../../src/formats/bloomery/header.ts';
import { kernelChecksum, portableChecksum } from '../../../src/formats/checksum.ts';
import { KEY_HASH_TEXTS, keyHashNamed } from '../../../src/hashes/key-hashes.ts';
import { HASH_NAMES } from '../../../src/hashes/registry.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { parseFile } from '../../reference/bloom-file.ts';
import { HEADER, oracleFile } from './files.ts';

const count = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const headers: fc.Arbitrary<Header> = fc
  .record({
    kind: fc.integer({ min: 0, max: 0xffff }),
    hash: fc.constantFrom(...HASH_NAMES),
    seed: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    ignoreCase: fc.boolean(),
    trim: fc.boolean(),
    keyHash: fc.option(fc.constantFrom(...KEY_HASH_TEXTS).map(keyHashNamed), { nil: undefined }),
    k: fc.integer({ min: 1, max: 64 }),
    segments: fc.integer({ min: 1, max: 2 ** 21 }),
    segmentBits: fc.integer({ min: 1, max: 2 ** 23 - 1 }).map((lines) => lines * 512),
    capacity: count,
    targetFpr: fc.double({ min: Number.MIN_VALUE, max: 1, maxExcluded: true, noNaN: true }),
    inserted: count,
  })
  .map((fields) => ({ ...fields, bits: fields.segments * fields.segmentBits }))
  .filter(({ bits }) => Number.isSafeInteger(bits));

describe('a header', () => {
  test('is read with the same fields as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(headers, async (header) => {
        expect(await decodeHeader(await encodeHeader(header, portableChecksum), 'x', portableChecksum)).toEqual(header);
      }),
      { seed: 1 },
    );
  });

  test.each([
    ['2^53 keys', { inserted: 2 ** 53 }],
    ['a capacity of 2^53 keys', { capacity: 2 ** 53 }],
    ['2^21 + 1 segments', { segments: 2 ** 21 + 1, bits: 512 * (2 ** 21 + 1) }],
  ])('is not written with %s, which no reader accepts', async (_, fields) => {
    await expect(encodeHeader({ ...HEADER, ...fields }, portableChecksum)).rejects.toMatchObject({ code: 'capacity' });
  });

  test('is at the position in the file that FORMAT.md states', async () => {
    const bytes = await encodeHeader(HEADER, portableChecksum);
    expect(Buffer.from(bytes).toString('hex').match(/.{16}/g)).toEqual([
      '89424c4d0d0a1a0a', // magic
      '0100800001000100', // version 1, length 128, kind 1, hash 1
      '0100000003000000', // ignore-case, k = 3
      '1032547698badcfe', // seed
      '0006000000000000', // m = 1536
      '0300000000020000', // 3 segments of 512 bits
      '6400000000000000', // n = 100
      '9a9999999999a93f', // p = 0.05
      '7b00000000000000', // 123 keys inserted
      'c000000000000000', // 192 bytes of payload
      ...Array(5).fill('0000000000000000'),
      Buffer.from(oracleFile(HEADER, []).subarray(120, 128)).toString('hex'),
    ]);
  });

  test('is the same with either implementation of its checksum', async () => {
    const checksum = kernelChecksum(loadKernel());
    await fc.assert(
      fc.asyncProperty(headers, async (header) => {
        const bytes = await encodeHeader(header, checksum);
        expect(bytes).toEqual(await encodeHeader(header, portableChecksum));
        expect(await decodeHeader(bytes, 'x', checksum)).toEqual(header);
      }),
      { seed: 1 },
    );
  });

  test.each([
    [false, false, 0],
    [true, false, 1],
    [false, true, 2],
    [true, true, 3],
  ])('has its flags (ignore-case %s, trim %s) as %d', async (ignoreCase, trim, flags) => {
    const bytes = await encodeHeader({ ...HEADER, ignoreCase, trim }, portableChecksum);
    expect(new DataView(bytes.buffer).getUint32(16, true)).toBe(flags);
  });

  test.each([
    [false, 1],
    [true, 2],
  ])('has its protected keys (of a universe: %s) as %d, and their numbers', async (isUniverse, type) => {
    const protectedKeys = { keys: 1000, screenBits: 64, isUniverse };
    const shape = { kind: 13, bits: 512, segments: 1, protectedKeys };
    const view = new DataView((await encodeHeader({ ...HEADER, ...shape }, portableChecksum)).buffer);
    expect([view.getUint32(88, true), view.getUint32(92, true), view.getBigUint64(96, true)]).toEqual([
      type,
      64,
      1000n,
    ]);
  });

  test('is found inside a larger buffer', async () => {
    const file = oracleFile(HEADER, ['a']);
    const shifted = Uint8Array.of(1, 2, 3, ...file).subarray(3);
    expect(await decodeHeader(shifted, 'x', portableChecksum)).toEqual(HEADER);
    expect(parseFile(file)).toMatchObject({ capacity: 100, inserted: 123, seed: HEADER.seed });
  });

  test('states the length of its file', () => {
    expect(fileBytes(HEADER)).toBe(128 + 192 + 3 * 16 + 8);
    expect(fileBytes(HEADER)).toBe(oracleFile(HEADER, []).length);
  });
});
