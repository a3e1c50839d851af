import { expect, test } from 'vitest';
import { type BitRules, bitsOfKey, payloadOf } from './bloom-bits.ts';
import { type BloomFile, fileOf, mayContain, parseFile } from './bloom-file.ts';
import { normalise } from './digests.ts';
import { boseRate, inclusionRate } from './rates.ts';

const encoder = new TextEncoder();
const RULES: BitRules = {
  segments: 5,
  segmentBits: 1536,
  k: 7,
  hash: 'xxh64',
  seed: 42n,
  ignoreCase: false,
  trim: false,
};

// Computed by a separate C program with the reference implementation of XXH64.
test.each([
  ['', 2, [817, 356, 788, 717, 1466, 682, 838]],
  ['a', 2, [281, 280, 361, 1256, 1053, 82, 855]],
  ['abc', 0, [1100, 1356, 1316, 285, 946, 827, 1087]],
  ['hello', 3, [1400, 1415, 784, 460, 1407, 157, 651]],
  ['the quick brown fox jumps over the lazy dog', 4, [625, 592, 769, 1155, 320, 989, 232]],
])('the bits of %j are those that C computes', (key, segment, positions) => {
  expect(bitsOfKey(encoder.encode(key), RULES)).toEqual(positions.map((position) => segment * 1536 + position));
});

test.each([
  [' \tA z\t ', true, true, 'a z'],
  [' \tA z\t ', false, true, 'A z'],
  [' B[@`{Z', true, false, ' b[@`{z'],
  [' \t ', true, true, ''],
  ['Ä', true, true, 'Ä'],
])('%j is normalised (ignore-case %s, trim %s) to %j', (key, ignoreCase, trim, normal) => {
  expect(normalise(encoder.encode(key), { ignoreCase, trim })).toEqual(encoder.encode(normal));
});

test('a file that was written is read back, and one with any byte changed is refused', () => {
  const payload = payloadOf([encoder.encode('a'), encoder.encode('abc')], RULES);
  const content: BloomFile = { kind: 1, ...RULES, capacity: 9, targetFpr: 0.01, inserted: 2, payload };
  const file = fileOf(content);
  expect(parseFile(file)).toEqual(content);
  expect(mayContain(content, encoder.encode('abc'))).toBe(true);
  expect(mayContain(content, encoder.encode('hello'))).toBe(false);
  for (let i = 0; i < file.length; i++) {
    const changed = file.map((byte, at) => (at === i ? byte ^ 0x10 : byte));
    expect(() => parseFile(changed)).toThrow('breaks FORMAT.md');
  }
  expect(() => parseFile(Uint8Array.of(...file, 0))).toThrow('breaks FORMAT.md');
});

// Computed by hand. With k = 1 and one key, a non-member probes the one bit that is set with chance 1/2.
// With k = 2 and one key, one bit or both are set, each with chance 1/2; the rate is 1/4 or 1.
test.each([
  [1, 2, 1, 0.5],
  [1, 2, 2, 0.625],
  [2, 2, 1, 0.75],
])('%d keys in %d bits with k = %d have a rate of %d', (items, bits, k, rate) => {
  expect(boseRate(items, bits, k)).toBe(rate);
  expect(inclusionRate(items, bits, k)).toBe(rate);
});

test('the closed form and inclusion and exclusion agree', () => {
  for (const [items, bits, k] of [
    [3, 17, 4],
    [20, 50, 3],
    [40, 64, 7],
    [1, 100, 20],
  ] as const) {
    expect(inclusionRate(items, bits, k)).toBe(boseRate(items, bits, k));
  }
});
