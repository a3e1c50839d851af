import { expect, test } from 'vitest';
import { rateOfBudget } from '../../src/options/budget.ts';

test.each([
  // 1 - (1 - 1e-6)^(1/20)
  [{ falsePositives: 1, records: 1e6, keysPerRecord: 20 }, 5.000002375e-8],
  [{ falsePositives: 10, records: 1000 }, 0.01],
  [{ falsePositives: 0.5, records: 1e9, keysPerRecord: 2.5 }, 2e-10],
])('%j is a rate of %d', (budget, rate) => {
  expect((rateOfBudget(budget, undefined) ?? 0) / rate).toBeCloseTo(1, 8);
});

test('a budget replaces a rate', () => {
  expect(rateOfBudget({}, 0.1)).toBeUndefined();
  expect(() => rateOfBudget({ falsePositives: 1, records: 9 }, 0.1)).toThrow(
    '--fpr and --false-positives both state the rate',
  );
  expect(() => rateOfBudget({ falsePositives: 1 }, undefined)).toThrow('--false-positives needs the number of records');
  expect(() => rateOfBudget({ records: 9 }, undefined)).toThrow('--records has no effect');
  expect(() => rateOfBudget({ falsePositives: 9, records: 9 }, undefined)).toThrow('is not below --records 9');
});
