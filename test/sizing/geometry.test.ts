import fc from 'fast-check';
import { expect, test } from 'vitest';
import { payloadBytes, segmentBytes, segmented } from '../../src/sizing/geometry.ts';

test.each([
  [1, 1, 512],
  [512, 1, 512],
  [513, 1, 1024],
  [2 ** 22 - 1, 1, 2 ** 22],
  [2 ** 22, 1, 2 ** 22],
  [2 ** 22 + 1, 2, 2 ** 21 + 512],
  [9_585_059, 3, 3_195_392],
  [95_850_584, 23, 4_167_680],
])('%d bits lie in %d segments of %d', (bits, segments, segmentBits) => {
  const geometry = segmented(bits);
  expect(geometry).toEqual({ bits: segments * segmentBits, segments, segmentBits });
  expect(segmentBytes(geometry)).toBe(segmentBits / 8);
  expect(payloadBytes(geometry)).toBe((segments * segmentBits) / 8);
});

test('segments hold all bits, fit a cache, are whole lines, and are as few and as small as possible', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 40 }), (wanted) => {
      const { bits, segments, segmentBits } = segmented(wanted);
      expect(bits).toBe(segments * segmentBits);
      expect(bits).toBeGreaterThanOrEqual(wanted);
      expect(bits - wanted).toBeLessThan(512 * segments);
      expect(segmentBits % 512).toBe(0);
      expect(segmentBits).toBeLessThanOrEqual(2 ** 22);
      expect((segments - 1) * 2 ** 22).toBeLessThan(wanted);
    }),
    { seed: 1 },
  );
});
