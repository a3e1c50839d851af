import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BloomError } from '../../src/errors.ts';
import { BLOOM } from '../../src/sizing/bloom.ts';
import { type Constraints, type Plan, solve } from '../../src/sizing/solve.ts';
import { inLongRuns } from '../long.ts';

test('the solution for n and p, stated in full, is not a contradiction', () => {
  const items = fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 1e12 }));
  fc.assert(
    fc.property(items, fc.double({ min: 1e-9, max: 0.5, noNaN: true }), (n, fpr) => {
      // Below n / 2^64, equal digests alone exceed the rate.
      fc.pre(n / 2 ** 64 < fpr);
      const plan = solve(BLOOM, { items: n, fpr });
      expect(solve(BLOOM, { items: n, fpr, bits: plan?.bits, k: plan?.k })).toEqual(plan);
      expect(solve(BLOOM, { items: n, fpr, bits: plan?.bits })?.bits).toBe(plan?.bits);
    }),
    { seed: 1, numRuns: inLongRuns(2000, 400) },
  );
});

test('any constraints are too few, a contradiction or a possible filter', () => {
  const count = (max: number) => fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max }));
  const wishes = fc.record(
    {
      items: count(1e12),
      bits: count(1e13),
      fpr: fc.double({ min: 1e-15, max: 0.99, noNaN: true }),
      k: fc.integer({ min: 1, max: 64 }),
      bitsPerKey: fc.double({ min: 0.01, max: 1000, noNaN: true }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(wishes, (constraints) => {
      const plan = solvable(constraints);
      if (plan === undefined) return;
      expect(plan.items).toBeGreaterThanOrEqual(1);
      expect(plan.bits).toBeGreaterThanOrEqual(1);
      expect([plan.items, plan.bits, plan.k].every(Number.isInteger)).toBe(true);
      expect(plan.k).toBeGreaterThanOrEqual(1);
      expect(plan.k).toBeLessThanOrEqual(64);
      for (const rate of [plan.fpr, plan.predictedFpr]) {
        expect(rate).toBeGreaterThan(0);
        expect(rate).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: inLongRuns(2000, 400), seed: 1 },
  );
});

function solvable(constraints: Constraints): Plan | undefined {
  try {
    return solve(BLOOM, constraints);
  } catch (error) {
    if (error instanceof BloomError && error.code === 'usage') return undefined;
    throw error;
  }
}
