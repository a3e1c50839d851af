// The 32-bit number nearest to a decimal number, around every sort of halfway point.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearestDouble, nearestSingle } from '../../../src/engine/input/decimal.ts';
import { inLongRuns } from '../../long.ts';

/** The exact decimal digits of n x 2^exponent, as an integer and a power of ten. */
function exactly(n: bigint, exponent: number): { digits: string; power: number } {
  if (exponent >= 0) return { digits: String(n << BigInt(exponent)), power: 0 };
  return { digits: String(n * 5n ** BigInt(-exponent)), power: exponent };
}

/** The same number in several notations. */
function notations({ digits, power }: { digits: string; power: number }): string[] {
  const point = Math.max(0, Math.min(digits.length, 5));
  const whole = digits.slice(0, point);
  return [
    `${digits}e${power}`,
    `+00${digits}E${power}`,
    `${whole}.${digits.slice(point)}e${power + digits.length - point}`,
    `.${digits}000e+${power + digits.length}`.replace('e+-', 'e-'),
    `0.000${digits}e${power + digits.length + 3}`,
    ...(power < 0 && -power <= digits.length ? [`${digits.slice(0, power)}.${digits.slice(power)}`] : []),
  ];
}

/** A number just beside another one: its last digits are moved by one part in 10^30. */
const beside = ({ digits, power }: { digits: string; power: number }, by: bigint) => ({
  digits: String(BigInt(digits) * 10n ** 30n + by),
  power: power - 30,
});

const bits = fc.oneof(
  fc.nat(0x7f7fffff),
  // Subnormal numbers, the least normal ones, and the largest.
  fc.nat(20),
  fc.nat(40).map((some) => 0x800000 - 20 + some),
  fc.nat(20).map((some) => 0x7f7fffff - some),
  // Powers of two, beyond which the steps are longer.
  fc.integer({ min: 1, max: 253 }).map((exponent) => exponent * 0x800000 - 1),
);

const view = new DataView(new ArrayBuffer(4));
/** The 32-bit number with these bits, as its mantissa and exponent. */
function single(of: number): { mantissa: bigint; exponent: number; value: number } {
  view.setUint32(0, of);
  const [stored, rest] = [of >>> 23, of & 0x7fffff];
  const mantissa = BigInt(stored === 0 ? rest : rest + 0x800000);
  return { mantissa, exponent: Math.max(1, stored) - 150, value: view.getFloat32(0) };
}

test('a number between two neighbours is rounded to the nearest, and from the middle to the even one', () => {
  const property = fc.property(bits, fc.boolean(), (of, isNegative) => {
    const { mantissa, exponent, value } = single(of);
    const above = of === 0x7f7fffff ? Number.POSITIVE_INFINITY : single(of + 1).value;
    const middle = exactly(2n * mantissa + 1n, exponent - 1);
    const even = of % 2 === 0 ? value : above;
    const sign = isNegative ? '-' : '';
    const signed = (text: string) => (text.startsWith('+') ? `${sign || '+'}${text.slice(1)}` : `${sign}${text}`);
    for (const [number, expected] of [
      [exactly(mantissa, exponent), value],
      [middle, even],
      [beside(middle, 1n), above],
      [beside(middle, -1n), value],
    ] as const) {
      for (const text of notations(number))
        expect(nearestSingle(signed(text)) + 0, signed(text)).toBe((isNegative ? -expected : expected) + 0);
    }
  });
  fc.assert(property, { seed: 754, numRuns: inLongRuns(20_000, 400) });
});

test.each([
  ['0', 0],
  ['-0', -0],
  ['0e999', 0],
  ['.0', 0],
  ['1e-60', 0],
  ['1e-400', 0],
  ['7e-46', 0],
  // Half of the least number is even 0, and a little more is the least number.
  ['7.006492321624085354618e-46', 0],
  ['7.006492321624085354619e-46', 2 ** -149],
  ['3.4028235677973366163e38', 2 ** 128 - 2 ** 104],
  ['3.4028235677973366164e38', Number.POSITIVE_INFINITY],
  ['1e39', Number.POSITIVE_INFINITY],
  ['-1e41', Number.NEGATIVE_INFINITY],
  ['1e999', Number.POSITIVE_INFINITY],
  ['123456789012345678901234567890123456789012e-42', Math.fround(0.12345678901234568)],
])('%s', (text, expected) => {
  expect(nearestSingle(text)).toBe(expected);
});

test('the nearest 64-bit number is that of JavaScript', () => {
  expect(nearestDouble('1.5e-7')).toBe(1.5e-7);
  expect(nearestDouble('9007199254740993')).toBe(2 ** 53);
});
