import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BloomError } from '../../src/errors.ts';
import { type Plan, solve, type Wish } from '../../src/sizing/solve.ts';

/** The flag of each thing that may be wished for. */
const FLAGS: Readonly<Record<keyof Wish, string>> = {
  items: '--items',
  fpr: '--fpr',
  bits: '--bits',
  hashes: '--hashes',
  bitsPerKey: '--bits-per-key',
};

const flagsOf = (wish: Wish) => Object.entries(FLAGS).flatMap(([name, flag]) => (name in wish ? [flag] : []));

describe('what suffices', () => {
  // k, m and n by hand: n = m ln(2)^2 / -ln p, k = round(-log2 p), or the k of least rate where p is left open.
  test.each<[Wish, { items: number; bits: number; hashes: number; fpr?: number }]>([
    [
      { items: 1e7, fpr: 0.01 },
      { items: 1e7, bits: 95_850_584, hashes: 7, fpr: 0.01 },
    ],
    [
      { items: 1e7, fpr: 0.01, hashes: 3 },
      { items: 1e7, bits: 123_641_668, hashes: 3, fpr: 0.01 },
    ],
    [
      { items: 1e6, bits: 1e7 },
      { items: 1e6, bits: 1e7, hashes: 7 },
    ],
    [
      { items: 1e6, bits: 1e7, hashes: 4 },
      { items: 1e6, bits: 1e7, hashes: 4 },
    ],
    [
      { items: 1e6, bitsPerKey: 16 },
      { items: 1e6, bits: 16e6, hashes: 11 },
    ],
    [
      { items: 1e6, bitsPerKey: 16, hashes: 5 },
      { items: 1e6, bits: 16e6, hashes: 5 },
    ],
    [
      { bits: 96e6, fpr: 0.01 },
      { items: 10_015_588, bits: 96e6, hashes: 7, fpr: 0.01 },
    ],
    [
      { bits: 95_929_548, fpr: 0.01, hashes: 7 },
      { items: 1e7, bits: 95_929_548, hashes: 7, fpr: 0.01 },
    ],
    [
      { bits: 96e6, bitsPerKey: 9.6 },
      { items: 1e7, bits: 96e6, hashes: 7 },
    ],
    [
      { bits: 96e6, bitsPerKey: 9.6, hashes: 2 },
      { items: 1e7, bits: 96e6, hashes: 2 },
    ],
    [
      { items: 1e6, bits: 1e7, fpr: 0.01 },
      { items: 1e6, bits: 1e7, hashes: 7, fpr: 0.01 },
    ],
    [
      { items: 1e6, bits: 1e7, fpr: 0.02, hashes: 5 },
      { items: 1e6, bits: 1e7, hashes: 5, fpr: 0.02 },
    ],
    [
      { items: 1e6, bits: 1e7, bitsPerKey: 10 },
      { items: 1e6, bits: 1e7, hashes: 7 },
    ],
    [
      { items: 1e6, fpr: 0.01, bitsPerKey: 10 },
      { items: 1e6, bits: 1e7, hashes: 7, fpr: 0.01 },
    ],
    [
      { bits: 1e7, fpr: 0.01, bitsPerKey: 10 },
      { items: 1e6, bits: 1e7, hashes: 7, fpr: 0.01 },
    ],
    [
      { items: 1e6, bits: 1e7, fpr: 0.01, bitsPerKey: 10, hashes: 7 },
      { items: 1e6, bits: 1e7, hashes: 7, fpr: 0.01 },
    ],
  ])('%o', (wish, plan) => {
    const solved = solve(wish);
    expect(solved).toMatchObject(plan);
    const rate = (1 - Math.exp((-plan.hashes * plan.items) / plan.bits)) ** plan.hashes;
    expect((solved?.predictedFpr ?? 0) / rate).toBeCloseTo(1, 4);
    expect((solved?.fpr ?? 0) / (plan.fpr ?? rate)).toBeCloseTo(1, 4);
  });
});

test.each<Wish>([
  {},
  { items: 5 },
  { fpr: 0.1 },
  { bits: 100 },
  { hashes: 3 },
  { bitsPerKey: 8 },
  { items: 5, hashes: 3 },
  { fpr: 0.1, hashes: 3 },
  { bits: 100, hashes: 3 },
  { bitsPerKey: 8, hashes: 3 },
  { bitsPerKey: 8, fpr: 0.01 },
  { bitsPerKey: 8, fpr: 0.01, hashes: 3 },
])('%o is too little', (wish) => {
  expect(solve(wish)).toBeUndefined();
});

describe('a contradiction is an error that names what was stated', () => {
  test.each<Wish>([
    { items: 1e7, bits: 5e7, fpr: 0.01 },
    { items: 1e6, bits: 1e7, fpr: 0.01, hashes: 1 },
    { items: 1e6, bits: 8e6, bitsPerKey: 20 },
    { items: 1e6, bits: 8e6, bitsPerKey: 7.9 },
    { items: 1000, bitsPerKey: 2, fpr: 0.01 },
    { items: 1000, bitsPerKey: 10, fpr: 0.01, hashes: 1 },
    { bits: 1000, bitsPerKey: 2, fpr: 0.01 },
    { bits: 5, fpr: 1e-6 },
    { bits: 20, fpr: 0.01, hashes: 64 },
    { bits: 5, bitsPerKey: 10 },
  ])('%o', (wish) => {
    const work = () => solve(wish);
    expect(work).toThrow(BloomError);
    expect(work).toThrow(expect.objectContaining({ code: 'usage', hint: expect.any(String) }));
    const message = /^(.*) contradict/.exec(messageOf(work))?.[1] ?? '';
    expect(message.split(/, | and /).sort()).toEqual(flagsOf(wish).sort());
  });
});

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return '';
}

test('what was solved for n and p, stated in full, is no contradiction', () => {
  // Fewer keys make filters so small, and many more so many digests, that the rate is not that of the usual formula.
  const items = fc.integer({ min: 10_000, max: 1e8 });
  fc.assert(
    fc.property(items, fc.double({ min: 1e-9, max: 0.5, noNaN: true }), (n, fpr) => {
      const plan = solve({ items: n, fpr });
      expect(solve({ items: n, fpr, bits: plan?.bits, hashes: plan?.hashes })).toEqual(plan);
      expect(solve({ items: n, fpr, bits: plan?.bits })?.bits).toBe(plan?.bits);
    }),
    { seed: 1 },
  );
});

test('whatever is wished for: too little, a contradiction or a filter that can be made', () => {
  const count = (max: number) => fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max }));
  const wishes = fc.record(
    {
      items: count(1e12),
      bits: count(1e13),
      fpr: fc.double({ min: 1e-15, max: 0.99, noNaN: true }),
      hashes: fc.integer({ min: 1, max: 64 }),
      bitsPerKey: fc.double({ min: 0.01, max: 1000, noNaN: true }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(wishes, (wish) => {
      const plan = solvable(wish);
      if (plan === undefined) return;
      expect(plan.items).toBeGreaterThanOrEqual(1);
      expect(plan.bits).toBeGreaterThanOrEqual(1);
      expect([plan.items, plan.bits, plan.hashes].every(Number.isInteger)).toBe(true);
      expect(plan.hashes).toBeGreaterThanOrEqual(1);
      expect(plan.hashes).toBeLessThanOrEqual(64);
      for (const rate of [plan.fpr, plan.predictedFpr]) {
        expect(rate).toBeGreaterThan(0);
        expect(rate).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: 2000, seed: 1 },
  );
});

function solvable(wish: Wish): Plan | undefined {
  try {
    return solve(wish);
  } catch (error) {
    if (error instanceof BloomError && error.code === 'usage') return undefined;
    throw error;
  }
}
