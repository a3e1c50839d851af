import { expect, test } from 'vitest';
import { missingOf } from '../../../src/engine/store/missing.ts';

test.each([
  [[1, 2, 3], 3, undefined],
  [[3, 1, 2], 3, undefined],
  [[], 1, '1'],
  [[], 2, '1 to 2'],
  [[2], 3, '1, 3'],
  [[1, 5], 6, '2 to 4, 6'],
  [[5, 6], 6, '1 to 4'],
  [[2, 4, 6, 8, 10, 12, 14], 15, '1, 3, 5, 7, 9, 11, 13, 15'],
  [[2, 4, 6, 8, 10, 12, 14, 16], 17, '1, 3, 5, 7, 9, 11, 13, 15 and others'],
])('of %j of %d', (present, of, missing) => expect(missingOf(present, of)).toBe(missing));
