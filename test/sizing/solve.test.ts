import { describe, expect, test } from 'vitest';
import { BloomError } from '../../src/errors.ts';
import { BLOOM } from '../../src/sizing/bloom.ts';
import { type Constraints, solve } from '../../src/sizing/solve.ts';

/** The flag of each constraint. */
const FLAGS: Readonly<Record<Exclude<keyof Constraints, 'bitsFlag' | 'isCounted'>, string>> = {
  items: '--items',
  fpr: '--fpr',
  bits: '--bits',
  k: '--hashes',
  segmentBits: '--segment-size',
  growth: '--growth',
  tightening: '--tightening',
  bitsPerKey: '--bits-per-key',
  protectedKeys: '--protected',
  isUniverse: '--universe',
};

const flagsOf = (constraints: Constraints) =>
  Object.entries(FLAGS).flatMap(([name, flag]) => (name in constraints ? [flag] : []));

describe('sufficient constraints', () => {
  // k, m and n by hand: n = m ln(2)^2 / -ln p and k = round(-log2 p). Without p, k is the one with the least rate.
  test.each<[Constraints, { items: number; bits: number; k: number; fpr?: number }]>([
    [
      { items: 1e7, fpr: 0.01 },
      { items: 1e7, bits: 95_850_584, k: 7, fpr: 0.01 },
    ],
    [
      { items: 1e7, fpr: 0.01, k: 3 },
      { items: 1e7, bits: 123_641_668, k: 3, fpr: 0.01 },
    ],
    [
      { items: 1e6, bits: 1e7 },
      { items: 1e6, bits: 1e7, k: 7 },
    ],
    [
      { items: 1e6, bits: 1e7, k: 4 },
      { items: 1e6, bits: 1e7, k: 4 },
    ],
    [
      { items: 1e6, bitsPerKey: 16 },
      { items: 1e6, bits: 16e6, k: 11 },
    ],
    [
      { items: 1e6, bitsPerKey: 16, k: 5 },
      { items: 1e6, bits: 16e6, k: 5 },
    ],
    [
      { bits: 96e6, fpr: 0.01 },
      { items: 10_015_588, bits: 96e6, k: 7, fpr: 0.01 },
    ],
    [
      { bits: 95_929_548, fpr: 0.01, k: 7 },
      { items: 1e7, bits: 95_929_548, k: 7, fpr: 0.01 },
    ],
    [
      { bits: 96e6, bitsPerKey: 9.6 },
      { items: 1e7, bits: 96e6, k: 7 },
    ],
    [
      { bits: 96e6, bitsPerKey: 9.6, k: 2 },
      { items: 1e7, bits: 96e6, k: 2 },
    ],
    [
      { items: 1e6, bits: 1e7, fpr: 0.01 },
      { items: 1e6, bits: 1e7, k: 7, fpr: 0.01 },
    ],
    [
      { items: 1e6, bits: 1e7, fpr: 0.02, k: 5 },
      { items: 1e6, bits: 1e7, k: 5, fpr: 0.02 },
    ],
    [
      { items: 1e6, bits: 1e7, bitsPerKey: 10 },
      { items: 1e6, bits: 1e7, k: 7 },
    ],
    [
      { items: 1e6, fpr: 0.01, bitsPerKey: 10 },
      { items: 1e6, bits: 1e7, k: 7, fpr: 0.01 },
    ],
    [
      { bits: 1e7, fpr: 0.01, bitsPerKey: 10 },
      { items: 1e6, bits: 1e7, k: 7, fpr: 0.01 },
    ],
    [
      { items: 1e6, bits: 1e7, fpr: 0.01, bitsPerKey: 10, k: 7 },
      { items: 1e6, bits: 1e7, k: 7, fpr: 0.01 },
    ],
  ])('%o', (constraints, plan) => {
    const solved = solve(BLOOM, constraints);
    expect(solved).toMatchObject(plan);
    const rate = (1 - Math.exp((-plan.k * plan.items) / plan.bits)) ** plan.k;
    expect((solved?.predictedFpr ?? 0) / rate).toBeCloseTo(1, 4);
    expect((solved?.fpr ?? 0) / (plan.fpr ?? rate)).toBeCloseTo(1, 4);
  });
});

test.each<Constraints>([
  {},
  { items: 5 },
  { fpr: 0.1 },
  { bits: 100 },
  { k: 3 },
  { bitsPerKey: 8 },
  { items: 5, k: 3 },
  { fpr: 0.1, k: 3 },
  { bits: 100, k: 3 },
  { bitsPerKey: 8, k: 3 },
  { bitsPerKey: 8, fpr: 0.01 },
  { bitsPerKey: 8, fpr: 0.01, k: 3 },
])('%o is too little', (constraints) => {
  expect(solve(BLOOM, constraints)).toBeUndefined();
});

describe('a contradiction is an error that names the stated values', () => {
  test.each<Constraints>([
    { items: 1e7, bits: 5e7, fpr: 0.01 },
    { items: 1e6, bits: 1e7, fpr: 0.01, k: 1 },
    { items: 1e6, bits: 8e6, bitsPerKey: 20 },
    { items: 1e6, bits: 8e6, bitsPerKey: 7.9 },
    { items: 1000, bitsPerKey: 2, fpr: 0.01 },
    { items: 1000, bitsPerKey: 10, fpr: 0.01, k: 1 },
    { bits: 1000, bitsPerKey: 2, fpr: 0.01 },
    { bits: 5, bitsPerKey: 10 },
  ])('%o', (constraints) => {
    const work = () => solve(BLOOM, constraints);
    expect(work).toThrow(BloomError);
    expect(work).toThrow(expect.objectContaining({ code: 'usage', hint: expect.any(String) }));
    const message = /^(.*) contradict/.exec(messageOf(work))?.[1] ?? '';
    expect(message.split(/, | and /).sort()).toEqual(flagsOf(constraints).sort());
  });
});

test.each<[Constraints, string, string]>([
  [
    { bits: 5, fpr: 1e-6 },
    '--bits is too small: 5 bits hold no key at a rate of 0.000100 %',
    'state more, or a higher -p',
  ],
  [
    { bits: 20, bitsFlag: '--memory', fpr: 0.01, k: 64 },
    '--memory is too small: 20 bits hold no key at a rate of 1.00 % with k = 64',
    'state more, or a higher -p, or leave out --hashes',
  ],
])('%o holds no key, with a stated or a default rate', (constraints, message, hint) => {
  expect(() => solve(BLOOM, constraints)).toThrow(expect.objectContaining({ code: 'usage', message, hint }));
});

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return '';
}

describe('rounded values are not a contradiction', () => {
  const BITS = 9_500_000;
  const rate = (1 - Math.exp((-7 * 1e6) / BITS)) ** 7;

  test('a rate that is 5 % above the target, because k is a whole number', () => {
    for (const [factor, refused] of [
      [1.04, false],
      [1.049, false],
      [1.051, true],
      [1.06, true],
    ] as const) {
      const work = () => solve(BLOOM, { items: 1e6, bits: BITS, fpr: rate / factor });
      if (refused) expect(work, String(factor)).toThrow(BloomError);
      else expect(work()).toMatchObject({ items: 1e6, bits: BITS, fpr: rate / factor });
    }
  });

  test('bits per key with an error of 1 %', () => {
    for (const bitsPerKey of [9.91, 10.1]) {
      expect(solve(BLOOM, { items: 1e6, bits: 1e7, bitsPerKey })).toMatchObject({ items: 1e6, bits: 1e7 });
    }
    for (const bitsPerKey of [9.89, 10.12]) {
      expect(() => solve(BLOOM, { items: 1e6, bits: 1e7, bitsPerKey })).toThrow(BloomError);
    }
  });
});
