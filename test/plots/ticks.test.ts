import { expect, test } from 'vitest';
import { ticksOf } from '../../src/plots/plot.ts';

test.each([
  [0, 4, 5, [0, 1, 2, 3, 4]],
  [20, 100, 5, [20, 40, 60, 80, 100]],
  [35, 95, 4, [40, 60, 80]],
  [0.1, 0.4, 4, [0.1, 0.2, 0.3, 0.4]],
  [100, 20, 5, [20, 40, 60, 80, 100]],
])('an axis from %d to %d with about %d values has %j', (from, to, most, ticks) => {
  expect(ticksOf({ title: '', isLogarithmic: false, from, to, text: String }, most)).toEqual(ticks);
});
