import { describe, expect, test } from 'vitest';
import type { Chain } from '../../src/sizing/chain.ts';
import { grownRate, halved, scalableArithmetic } from '../../src/sizing/scalable.ts';
import { solve } from '../../src/sizing/solve.ts';

describe('a nearly empty last slice', () => {
  const SEGMENT_BITS = 2 ** 16;
  const [fpr, tightening, k] = [0.01, 0.85, 10];
  const LIMIT = fpr * (1 - tightening) * tightening;
  const chainOf = (segments: number): Chain => ({
    fpr,
    growth: 8,
    tightening,
    slices: [
      { segments: 1, k: 9 },
      { segments, k },
    ],
  });
  /** The bits for n keys at the rate of the second slice, p (1 - r) r. The least m has (1 - e^(-kn/m))^k below this rate. */
  const bitsFor = (keys: number) => (-k * keys) / Math.log(1 - LIMIT ** (1 / k));
  /** The most keys in `segments` segments. */
  const roomOf = (segments: number) => {
    let keys = 0;
    while (Math.ceil(bitsFor(keys + 1)) <= segments * SEGMENT_BITS) keys++;
    return keys;
  };

  test.each([1, 2, 4, 8])('is halved to %d segments as long as its keys fit', (segments) => {
    const room = roomOf(segments);
    const even = (keys: number) => Array.from({ length: 8 }, () => keys / 8);
    expect(halved(chainOf(8), SEGMENT_BITS, LIMIT, even(room))).toEqual(chainOf(segments));
    expect(halved(chainOf(8), SEGMENT_BITS, LIMIT, even(room + 1))).toEqual(chainOf(Math.min(8, 2 * segments)));
  });

  test('keeps a segment', () => {
    expect(halved(chainOf(8), SEGMENT_BITS, LIMIT, Array(8).fill(0))).toEqual(chainOf(1));
  });
});

describe('the rate of a filter that has grown', () => {
  const [fpr, growth, tightening, segmentBits] = [0.01, 2, 0.5, 2 ** 16];
  /** The rates p (1 - r) r^i of the slices of Almeida et al. 2007, and the least k for each, -log2 of the rate. */
  const slices = [0, 1, 2, 3].map((i) => {
    const rate = fpr * (1 - tightening) * tightening ** i;
    const [k, bits] = [Math.ceil(-Math.log2(rate)), segmentBits * growth ** i];
    return { k, bits, capacity: (-bits * Math.log(1 - rate ** (1 / k))) / k };
  });
  const first: Chain = { fpr, growth, tightening, slices: [{ segments: 1, k: slices[0]?.k ?? 0 }] };
  /** Keys fill the slices in order. A non-member is a false positive if any slice calls it maybe present. */
  const expected = (items: number) => {
    let left = items;
    let missed = 1;
    for (const { k, bits, capacity } of slices) {
      const held = Math.min(left, capacity);
      left -= held;
      missed *= 1 - (1 - Math.exp((-k * held) / bits)) ** k;
    }
    return 1 - missed;
  };
  const all = slices.slice(0, 3).reduce((sum, { capacity }) => sum + capacity, 0);

  test.each([0.01, 0.05, 0.13, 0.15, 0.3, 0.6, 1, 1.5])(
    'is that of its slices together, %d times three slices full',
    (share) => {
      // At most a hundredth of the keys are maybe present in an earlier slice, and are not added to a later one.
      const rate = grownRate(Math.round(share * all), first, segmentBits);
      expect(Math.abs(rate / expected(share * all) - 1)).toBeLessThan(0.02);
    },
  );
});

test('keys and bits determine the rate: that of the first slice and of all later ones', () => {
  const [items, bits, tightening] = [1000, 10_000, 0.85];
  const { k = 0, fpr } = solve(scalableArithmetic(tightening), { items, bits }) ?? {};
  expect(k).toBe(Math.round((bits / items) * Math.LN2));
  const ofFirst = (1 - Math.exp((-k * items) / bits)) ** k;
  expect((fpr ?? 0) * (1 - tightening)).toBeCloseTo(ofFirst, 3);
  expect(fpr).toBeGreaterThan(0);
});
