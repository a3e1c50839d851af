// The range of a key, from its bytes.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHashing } from '../../src/engine/input/hashing.ts';
import { type KeyRanges, keyRanges, rangesOfRandomKeys } from '../../src/filters/key-ranges.ts';
import { inLongRuns } from '../long.ts';
import { usedKernel } from './kernels.ts';

const RULES = { hash: 'leveldb', seed: 0n, ignoreCase: false, trim: false } as const;

/** The second words of the digests of keys. */
function firstBits(keys: readonly Uint8Array[], ranges: KeyRanges): number[] {
  const kernel = usedKernel();
  const hash = createHashing(kernel, { ...RULES, ranges });
  const [spans, digests] = [kernel.reserve(8 * keys.length), kernel.reserve(24 * keys.length)];
  const spanWords = keys.flatMap((key) => {
    const at = kernel.reserve(key.length);
    kernel.bytes(at, key.length).set(key);
    return [at, key.length];
  });
  new Uint32Array(kernel.memory.buffer, spans, spanWords.length).set(spanWords);
  hash(spans, keys.length, digests);
  const all = new BigUint64Array(kernel.memory.buffer, digests, 3 * keys.length);
  return keys.map((_, i) => Number(all[3 * i + 1]));
}

const partAt = (first: number, bits = 64) => ({ first, bits, k: 1 });

/** Similar keys: some are equal, and some are prefixes of others. */
const keys = fc.array(
  fc
    .array(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), { maxLength: 20 })
    .map((bytes) => Uint8Array.from([...(bytes.length > 9 ? [7, 7, 7, 7, 7, 7, 7] : []), ...bytes])),
  { minLength: 1, maxLength: 30 },
);

describe.each([true, false])('a key that is a separator is behind it: %s,', (isBehind) => {
  test('other keys are between the separators before and after them', () => {
    const property = fc.property(keys, keys, (some, asked) => {
      const separators = some.toSorted(Buffer.compare);
      const parts = [0, ...separators.keys()].map((_, i) => partAt(8 * (i + 1)));
      const ranges = keyRanges({ separators, parts, isBehind, order: 'bytes' });
      const expected = [...asked, ...some].map((key) => {
        const before = separators.filter((separator) => Buffer.compare(separator, key) < (isBehind ? 1 : 0));
        return 8 * (before.length + 1);
      });
      expect(firstBits([...asked, ...some], ranges)).toEqual(expected);
    });
    fc.assert(property, { seed: 1, numRuns: inLongRuns(600, 50) });
  });
});

test('a range without a part uses the bits that no key sets', () => {
  const separators = [Uint8Array.of(50), Uint8Array.of(60)];
  const ranges = keyRanges({ separators, parts: [undefined, partAt(512), undefined], isBehind: true, order: 'bytes' });
  expect(
    firstBits(
      [49, 50, 59, 60].map((byte) => Uint8Array.of(byte)),
      ranges,
    ),
  ).toEqual([0, 512, 512, 0]);
});

test('random keys are in each part in proportion to its bits, and never in the keyless bits', () => {
  const separators = ['a', 'b', 'c', 'd'].map((text) => new Uint8Array(Buffer.from(text)));
  const parts = [undefined, partAt(512, 800), partAt(512, 800), partAt(2000, 200), undefined];
  const ranges = rangesOfRandomKeys(keyRanges({ separators, parts, isBehind: false, order: 'bytes' }));
  const random = Array.from(
    { length: 1000 },
    (_, i) => new Uint8Array(Buffer.from(`${[...String(i).padStart(3, '0')].reverse().join('')}000000000f00`)),
  );
  const found = firstBits(random, ranges);
  expect([0, 512, 2000].map((first) => found.filter((bit) => bit === first).length)).toEqual([0, 800, 200]);
});
