import { describe, expect, test } from 'vitest';
import { wrap } from '../../src/terminal/wrap.ts';

describe('lines of so many columns', () => {
  const text = 'of 1.00 % or 6.36 kB, and more';

  test.each([
    [Number.POSITIVE_INFINITY, [text]],
    [30, [text]],
    [29, ['of 1.00 % or 6.36 kB, and', 'more']],
    [20, ['of 1.00 % or', '6.36 kB, and more']],
    [9, ['of 1.00 %', 'or', '6.36 kB,', 'and more']],
    [1, ['of', '1.00 %', 'or', '6.36 kB,', 'and', 'more']],
  ])('%d', (columns, lines) => expect(wrap(text, columns)).toEqual(lines));

  test('a flag and its value', () => expect(wrap('rebuild with -n 5.2k', 15)).toEqual(['rebuild with', '-n 5.2k']));
});
