import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { below, createRandom } from '../reference/random.ts';

const LINE = 64;
const kernel = loadKernel();
const random = createRandom(8);

/** Bytes, about half of which are 0; the others are random. */
function sparseBytes(length: number): Uint8Array {
  return Uint8Array.from({ length }, () => (below(random, 2) === 0 ? 0 : random()));
}

function onesOf(bytes: Uint8Array): bigint {
  const digits = [...bytes].map((byte) => byte.toString(2)).join('');
  return BigInt(digits.replaceAll('0', '').length);
}

test.each([1, 2, 3, 17, 512])('popcount counts the ones of %d lines', (lines) => {
  const at = kernel.reserve((lines + 2) * LINE);
  kernel.bytes(at, (lines + 2) * LINE).fill(0xff);
  const bytes = sparseBytes(lines * LINE);
  kernel.bytes(at + LINE, bytes.length).set(bytes);
  expect(kernel.exports.popcount(at + LINE, bytes.length)).toBe(onesOf(bytes));
});

test('popcount counts every single bit of a line once', () => {
  const at = kernel.reserve(LINE);
  for (let bit = 0; bit < 8 * LINE; bit++) {
    kernel.bytes(at, LINE).fill(0)[bit >> 3] = 1 << (bit & 7);
    expect(kernel.exports.popcount(at, LINE)).toBe(1n);
  }
});

test.each([1, 15, 31, 32, 33, 63, LINE, 3 * LINE, 100 * LINE])(
  'orInto unites %d bytes and touches nothing else',
  (length) => {
    const [into, from] = [kernel.reserve(length + LINE), kernel.reserve(length + LINE)];
    const [a, b] = [sparseBytes(length + LINE), sparseBytes(length + LINE)];
    kernel.bytes(into, a.length).set(a);
    kernel.bytes(from, b.length).set(b);
    kernel.exports.orInto(into, from, length);
    const united = a.map((byte, i) => (i < length ? byte | (b[i] ?? 0) : byte));
    expect(Buffer.from(kernel.bytes(into, a.length)).equals(united)).toBe(true);
    expect(kernel.bytes(from, b.length)).toEqual(b);
  },
);

test('countMatches and collectHits turn hits of keys into matches of records', () => {
  const hits = kernel.reserve(LINE * 16);
  const owners = kernel.reserve(4 * LINE * 16);
  const matches = kernel.reserve(LINE);
  const keys = fc.array(fc.record({ owner: fc.nat(40), hit: fc.integer({ min: 0, max: 1 }) }), { maxLength: 1000 });
  fc.assert(
    fc.property(keys, (list) => {
      kernel.bytes(matches, LINE).fill(0);
      kernel.bytes(hits, list.length).set(list.map(({ hit }) => hit));
      new Uint32Array(kernel.memory.buffer, owners, list.length).set(list.map(({ owner }) => owner));
      kernel.exports.collectHits(hits, owners, list.length, matches);
      const matching = new Set(list.filter(({ hit }) => hit === 1).map(({ owner }) => owner));
      expect([...kernel.bytes(matches, 41)]).toEqual(Array.from({ length: 41 }, (_, i) => Number(matching.has(i))));
      expect(kernel.exports.countMatches(matches, 41)).toBe(matching.size);
    }),
    { seed: 1 },
  );
});
