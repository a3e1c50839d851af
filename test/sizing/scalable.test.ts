import { describe, expect, test } from 'vitest';
import type { Chain } from '../../src/sizing/chain.ts';
import { halved } from '../../src/sizing/scalable.ts';

describe('a last slice that is hardly filled', () => {
  const SEGMENT_BITS = 2 ** 16;
  const [fpr, tightening, k] = [0.01, 0.85, 10];
  const chainOf = (segments: number): Chain => ({
    fpr,
    growth: 8,
    tightening,
    slices: [
      { segments: 1, k: 9 },
      { segments, k },
    ],
  });
  /** Bits that n keys need at the rate of the second slice, p (1 - r) r: the least m with (1 - e^(-kn/m))^k below it. */
  const bitsFor = (keys: number) => (-k * keys) / Math.log(1 - (fpr * (1 - tightening) * tightening) ** (1 / k));
  /** The most keys of so many segments. */
  const roomOf = (segments: number) => {
    let keys = 0;
    while (Math.ceil(bitsFor(keys + 1)) <= segments * SEGMENT_BITS) keys++;
    return keys;
  };

  test.each([1, 2, 4, 8])('is halved to %d segments as long as its keys fit', (segments) => {
    const room = roomOf(segments);
    expect(halved(chainOf(8), SEGMENT_BITS, room)).toEqual(chainOf(segments));
    expect(halved(chainOf(8), SEGMENT_BITS, room + 1)).toEqual(chainOf(Math.min(8, 2 * segments)));
  });

  test('keeps a segment', () => {
    expect(halved(chainOf(8), SEGMENT_BITS, 0)).toEqual(chainOf(1));
  });
});
