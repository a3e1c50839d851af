import { describe, expect, test } from 'vitest';
import { bytes, count, duration, fixed, plural, rate, ratesLike, shortCount } from '../src/quantities.ts';

describe('numbers as people read them', () => {
  test.each([
    [count(0), '0'],
    [count(999), '999'],
    [count(1_234_567.4), '1,234,567'],
    [shortCount(999), '999'],
    [shortCount(999.9), '1k'],
    [shortCount(5200), '5.2k'],
    [shortCount(999_900), '1M'],
    [shortCount(2_570_000_000), '2.57G'],
    [bytes(999), '999 B'],
    [bytes(1000), '1.00 kB'],
    [bytes(11_982_400), '12.0 MB'],
    [bytes(999_990), '1.00 MB'],
    [bytes(1.234e15), '1.23 PB'],
    [fixed(9.6), '9.60'],
    [fixed(59_719.004), '59,719.00'],
    [rate(0), '0 %'],
    [rate(1), '100 %'],
    [rate(0.01), '1.00 %'],
    [rate(0.157), '15.7 %'],
    [rate(0.00001), '0.00100 %'],
    [rate(5.42e-17), '5.42e-15 %'],
    [duration(0.054), '0.05 s'],
    [duration(12.34), '12.3 s'],
    [duration(185.9), '3 min 05 s'],
    [plural(1, 'key'), '1 key'],
    [plural(0, 'key'), '0 keys'],
  ])('%s', (written, expected) => expect(written).toBe(expected));

  test('rates that stand together are written in one way', () => {
    expect([1e-9, 5.52e-8, 0.1].map(ratesLike([1e-9, 5.52e-8, 0.1]))).toEqual(['1.00e-7 %', '5.52e-6 %', '10.0 %']);
    expect([1e-9, 9.99e-6, 1e-5].map(ratesLike([1e-9, 9.99e-6, 1e-5]))).toEqual([
      '1.00e-7 %',
      '9.99e-4 %',
      '0.00100 %',
    ]);
    expect([0, 1e-8, 0.1].map(ratesLike([0, 1e-8, 0.1]))).toEqual(['0 %', '0.00000100 %', '10.0 %']);
  });
});
