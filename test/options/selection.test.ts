import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { threadsOf } from '../../src/options/selection.ts';

test('the number of threads is as stated, or one per core; with two cores, one is left for the reader of the results', () => {
  const cores = Math.min(availableParallelism(), 64);
  expect(threadsOf({})).toBe(cores);
  expect(threadsOf({}, true)).toBe(cores < 3 ? 1 : cores);
  for (const intoPipe of [false, true]) {
    expect(threadsOf({ threads: 1 }, intoPipe)).toBe(1);
    expect(threadsOf({ threads: 2 }, intoPipe)).toBe(2);
    expect(threadsOf({ threads: 16 }, intoPipe)).toBe(16);
  }
});
