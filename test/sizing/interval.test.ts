import { describe, expect, test } from 'vitest';
import { measurement } from '../../src/sizing/interval.ts';

describe("Wilson's 95 % interval", () => {
  // Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %d in %d is %d to %d', (positives, probes, low, high) => {
    const measured = measurement(positives, probes);
    expect(measured).toMatchObject({ positives, probes, rate: positives / probes });
    expect(measured.low).toBeCloseTo(low, 4);
    expect(measured.high).toBeCloseTo(high, 4);
  });

  test('mirrors the interval of the negatives', () => {
    const [some, others] = [measurement(29, 148), measurement(119, 148)];
    expect(others.low).toBeCloseTo(1 - some.high, 12);
    expect(others.high).toBeCloseTo(1 - some.low, 12);
  });

  test('stays within 0 and 1 and is never empty', () => {
    expect(measurement(0, 1_000_000).low).toBe(0);
    expect(measurement(0, 1_000_000).high).toBeCloseTo(3.8414e-6, 9);
    expect(measurement(20, 20)).toMatchObject({ rate: 1, high: 1 });
    expect(measurement(20, 20).low).toBeCloseTo(0.8389, 4);
    expect(measurement(1, 1).low).toBeCloseTo(0.2065, 4);
  });
});
