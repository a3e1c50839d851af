// The entries of blocks of LevelDB and RocksDB against a model that writes them, and what is refused.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cursorOf, entriesOf, handleAt, handlesOf, withoutTrailer } from '../../src/formats/tables/entries.ts';
import { inLongRuns } from '../long.ts';
import { entryBlock, handleBytes, joined, u32, varint } from '../reference/formats/table.ts';

const key = fc.uint8Array({ min: 97, max: 99, maxLength: 6 });
const content = (entries: readonly { readonly key: Uint8Array; readonly value: unknown }[]) =>
  entries.map(({ key, value }) => [[...key], value instanceof Uint8Array ? [...value] : value]);

test('entries are what the model wrote, with any number of whole keys', () => {
  const entry = fc.record({ key, value: fc.uint8Array({ maxLength: 200 }) });
  const property = fc.property(
    fc.array(entry, { maxLength: 9 }),
    fc.integer({ min: 1, max: 4 }),
    (entries, interval) => {
      expect(content(entriesOf(entryBlock(entries, interval), 'x'))).toEqual(content(entries));
    },
  );
  fc.assert(property, { numRuns: inLongRuns(2000, 200) });
});

test('handles are whole, or differ in size from the handle before', () => {
  const block = fc.record({ key, bytes: fc.integer({ min: 0, max: 2 ** 32 }) });
  const property = fc.property(fc.array(block, { maxLength: 9 }), fc.nat(2 ** 40), (blocks, begin) => {
    let [before, offset, bytesBefore] = [new Uint8Array(), begin, 0];
    const handles: { offset: number; bytes: number }[] = [];
    const parts = blocks.map(({ key, bytes }) => {
      let shared = 0;
      while (shared < Math.min(before.length, key.length) && before[shared] === key[shared]) shared++;
      const change = bytes - bytesBefore;
      const value = shared === 0 ? handleBytes({ offset, bytes }) : varint(change < 0 ? -2 * change - 1 : 2 * change);
      handles.push({ offset, bytes });
      // A trailer of 5 bytes follows each block.
      [before, offset, bytesBefore] = [new Uint8Array(key), offset + bytes + 5, bytes];
      return joined([varint(shared), varint(key.length - shared), key.subarray(shared), value]);
    });
    const found = handlesOf(joined([...parts, u32(0), u32(1)]), 'x');
    expect(content(found)).toEqual(content(blocks.map(({ key }, i) => ({ key, value: handles[i] }))));
  });
  fc.assert(property, { numRuns: inLongRuns(2000, 200) });
});

const ENTRY = joined([Uint8Array.of(0, 1, 2), Buffer.from('kvv')]);
const LENGTHS = 'x is damaged: its entries have wrong lengths';
const KEYS = 'x is damaged: its keys have wrong lengths';
const ends = (...parts: readonly Uint8Array[]) => joined([...parts, u32(0)]);

describe('a block is refused', () => {
  test.each<[string, Uint8Array, string]>([
    ['of 3 bytes', new Uint8Array(3), 'x is damaged: it has no entries'],
    ['of fewer restarts than it states', joined([u32(0), u32(2)]), 'x is damaged: it is too small for its restarts'],
    ['of one restart less', joined([u32(0), u32(0), u32(0), u32(4)]), 'x is damaged: it is too small for its restarts'],
    ['that ends in a length', ends(Uint8Array.of(0, 1)), LENGTHS],
    ['that ends in a number', ends(Uint8Array.of(0, 0x81)), LENGTHS],
    ['that ends in a key', ends(Uint8Array.of(0, 3, 0, 97, 98)), LENGTHS],
    ['that ends in a value', ends(ENTRY.subarray(0, -1)), LENGTHS],
    ['that shares more than the key before has', ends(ENTRY, Uint8Array.of(2, 0, 0)), KEYS],
    ['whose first key shares bytes', ends(Uint8Array.of(1, 0, 0)), KEYS],
    ['with a length of 2^53', ends(Uint8Array.of(0), varint(2 ** 53), Uint8Array.of(0)), LENGTHS],
    ['with a key of 2^53 - 1 bytes', ends(Uint8Array.of(0), varint(2 ** 53 - 1), Uint8Array.of(0)), KEYS],
  ])('%s', (_, block, message) => expect(() => entriesOf(block, 'x')).toThrow(message));

  test('whose keys have more than 64 times its bytes', () => {
    // Each further entry repeats a key of 16,383 bytes in 4 bytes.
    const first = joined([varint(0), varint(16_383), varint(0), new Uint8Array(16_383)]);
    const further = joined([varint(16_383), varint(0), varint(0)]);
    const block = (count: number) => joined([first, ...Array(count).fill(further), u32(0), u32(1)]);
    expect(entriesOf(block(64), 'x')).toHaveLength(65);
    expect(() => entriesOf(block(65), 'x')).toThrow(KEYS);
  });
});

test('a block may have only restarts, and their highest bit is another flag', () => {
  expect(entriesOf(joined([u32(0), u32(1)]), 'x')).toEqual([]);
  expect(entriesOf(u32(0), 'x')).toEqual([]);
  expect(content(entriesOf(joined([ENTRY, u32(0), u32(2 ** 31 + 1)]), 'x'))).toEqual([[[107], [118, 118]]]);
});

test('a handle is two numbers of up to 2^53 - 1', () => {
  const [offset, bytes] = [Number.MAX_SAFE_INTEGER, 128];
  expect(handleAt(cursorOf(handleBytes({ offset, bytes }), 'x'))).toEqual({ offset, bytes });
  expect(() => handleAt(cursorOf(varint(5), 'x'))).toThrow(LENGTHS);
});

test('a key has a trailer of 8 bytes', () => {
  expect([...withoutTrailer(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), 'x')]).toEqual([1]);
  expect(withoutTrailer(new Uint8Array(8), 'x')).toHaveLength(0);
  expect(() => withoutTrailer(new Uint8Array(7), 'x')).toThrow('x is damaged: one of its keys is too short');
});
