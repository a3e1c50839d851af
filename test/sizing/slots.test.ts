import { describe, expect, test } from 'vitest';
import { KINDS } from '../../src/filters/registry.ts';
import { segmented } from '../../src/sizing/geometry.ts';
import { type SlotRules, slotArithmetic } from '../../src/sizing/slots.ts';

test('the segments for any number of keys are found in a few steps, and are the fewest', () => {
  let steps = 0;
  // 10 bits per key, and more for segments with more than their share of keys.
  const segmentBits = (items: number) => {
    steps++;
    return 10 * (items + 4 * Math.sqrt(items));
  };
  const rules: SlotRules = { fingerprintLimit: 32, segmentBits, fullRate: (bits) => 2 ** -bits, rate: () => 0.01 };
  for (const items of [1, 400_000, 417_000, 1e6, 123_456_789, 1e12, 9e15]) {
    steps = 0;
    const { segments } = segmented(slotArithmetic(rules).bits(items, 0.01));
    expect(steps).toBeLessThan(200);
    expect(segmentBits(items / segments)).toBeLessThanOrEqual(2 ** 22);
    if (segments > 1) expect(segmentBits(items / (segments - 1))).toBeGreaterThan(2 ** 22 - 512);
  }
});

describe.each(KINDS.filter(({ refuses }) => refuses))('of a $name filter', (kind) => {
  const bitsOf = (items: number, k: number) => kind.plan({ items, fpr: 0.5, k })?.bits ?? Number.NaN;
  const SIZES = Array.from({ length: 60 }, (_, i) => Math.ceil(1.2 ** i));

  test('more keys never need fewer bits', () => {
    for (let k = 1; k <= 32; k++) {
      const bits = SIZES.map((items) => bitsOf(items, k));
      expect(bits).toEqual(bits.toSorted((a, b) => a - b));
    }
  });

  test('the fingerprints are the longest that fit', () => {
    for (const items of SIZES.slice(20)) {
      for (let bits = 2 * items; bits < 40 * items; bits += items) {
        const fitting = Array.from({ length: 32 }, (_, i) => i + 1).filter((k) => bitsOf(items, k) <= bits);
        expect(kind.plan({ items, bits })?.k).toBe(fitting.at(-1) ?? 1);
      }
    }
  });
});
