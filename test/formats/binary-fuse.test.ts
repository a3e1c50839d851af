// Images of binary fuse filters: the detection of the slot size, and images that are too large for memory.

import { closeSync, ftruncateSync, openSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openFilterFile } from '../../src/formats/open.ts';
import { binaryFuse } from '../reference/formats/binary-fuse.ts';
import { xxh64 } from '../reference/xxh64.ts';
import { answersTo, withLoaded } from './asking.ts';
import { outcome, placed } from './bloomery/files.ts';

const ASKED = readFileSync(new URL('../../fixtures/formats/asked.txt', import.meta.url), 'utf8')
  .split('\n')
  .slice(0, -1);

const STATED = { format: 'binary-fuse' };
const fixture = (name: string) =>
  readFileSync(new URL(`../../fixtures/formats/binary-fuse/${name}.binary-fuse`, import.meta.url));

/** An image with slots of 16 bits. */
const WIDE = binaryFuse.vessels['slots of 16 bits']?.().filter.encode() ?? new Uint8Array();

const kOf = (bytes: Uint8Array) =>
  openFilterFile(placed(bytes), 'query', STATED).then(({ description, close }) => {
    close();
    return description.shape.k;
  });

test('the bits of a slot follow from the size of the file; after slots of 16 bits, old releases have four bytes', async () => {
  expect(await kOf(fixture('fuse8'))).toBe(8);
  expect(await kOf(WIDE)).toBe(16);
  expect(await kOf(Buffer.concat([WIDE, Buffer.alloc(4)]))).toBe(16);
  await expect(kOf(Buffer.concat([fixture('fuse8'), Buffer.alloc(4)]))).rejects.toMatchObject({ code: 'format' });
});

test('a file is not recognised without --format', async () => {
  await expect(openFilterFile(placed(fixture('fuse8')), 'query')).rejects.toMatchObject({
    code: 'format',
    message: expect.stringMatching(/is not a filter of bloom/),
  });
});

test.each(['uint64', 'int64'] as const)('keys of type %s are digests of the keys of other types', async (keyType) => {
  const keys = ASKED.map((key) => new Uint8Array(Buffer.from(key)));
  const numbers = keys.map((key) => new Uint8Array(BigUint64Array.of(xxh64(key, 0n)).buffer));
  const file = placed(fixture('fuse8'));
  const asText = await withLoaded(file, 1, (loaded) => answersTo(loaded, keys), STATED);
  const asNumbers = await withLoaded(file, 1, (loaded) => answersTo(loaded, numbers), { ...STATED, keyType });
  expect(asNumbers).toEqual(asText);
  expect(asText.filter((isThere) => isThere).length).toBeGreaterThan(199);
});

test.each(Object.entries(binaryFuse.vessels))('%s: absent keys have the answers of the oracle', async (_, make) => {
  const { filter } = make();
  const keys = Array.from({ length: 3000 }, (_, i) => new Uint8Array(Buffer.from(`absent ${i}`)));
  const found = await withLoaded(placed(filter.encode()), 1, (loaded) => answersTo(loaded, keys), STATED);
  expect(found).toEqual(keys.map(filter.has));
});

test('slots that need several memories are refused', async () => {
  const file = placed(headOf(2 ** 18, 2 ** 13));
  const descriptor = openSync(file, 'r+');
  ftruncateSync(descriptor, 24 + 2 * (2 ** 13 + 2) * 2 ** 18);
  closeSync(descriptor);
  expect(await outcome(withLoaded(file, 1, () => {}, STATED))).toBe('memory');
});

test('segments have a power of two of slots, and there is one at least', async () => {
  const sized = (slots: number, segments: number) =>
    kOf(Buffer.concat([headOf(slots, segments), Buffer.alloc((segments + 2) * slots)]));
  expect(await sized(4, 3)).toBe(8);
  for (const [slots, segments] of [
    [3, 4],
    [6, 4],
    [4, 0],
    [0, 4],
  ] as const)
    await expect(sized(slots, segments)).rejects.toMatchObject({ code: 'format' });
});

/** The header of `segments` segments of `slots` slots. */
function headOf(slots: number, segments: number): Uint8Array {
  const head = new DataView(new ArrayBuffer(24));
  for (const [i, value] of [slots, segments, slots * segments, slots * (segments + 2)].entries())
    head.setUint32(8 + 4 * i, value, true);
  return new Uint8Array(head.buffer);
}
