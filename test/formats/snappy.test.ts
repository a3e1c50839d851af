// Examples after format_description.txt of google/snappy, made by hand.

import { describe, expect, test } from 'vitest';
import { decompressed, snappy } from '../../src/formats/compressed-blocks.ts';

const bytes = (...parts: readonly (number | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))));
const text = (...parts: readonly (number | string)[]) =>
  Buffer.from(decompressed(bytes(...parts), snappy, 1000, 'x')).toString();

const LONG = 'abc'.repeat(100);

describe('Snappy', () => {
  test('literals, with a length in the tag, or in one or two bytes after it', () => {
    expect(text(5, 4 << 2, 'hello')).toBe('hello');
    expect(text(0xc8, 1, 60 << 2, 199, LONG.slice(0, 200))).toBe(LONG.slice(0, 200));
    expect(text(0xac, 2, 61 << 2, 0x2b, 1, LONG)).toBe(LONG);
  });

  test('copies with offsets of eleven bits, two bytes and four bytes', () => {
    expect(text(8, 3 << 2, 'abcd', 1, 4)).toBe('abcdabcd');
    expect(text(0xb0, 2, 61 << 2, 0x2b, 1, LONG, 1 | (1 << 5), 0x2c - 1)).toBe(`${LONG}${LONG.slice(1, 5)}`);
    expect(text(8, 3 << 2, 'abcd', 2 | (3 << 2), 4, 0)).toBe('abcdabcd');
    expect(text(8, 3 << 2, 'abcd', 3 | (3 << 2), 4, 0, 0, 0)).toBe('abcdabcd');
  });

  test('a copy may repeat its own output', () => {
    expect(text(14, 1 << 2, 'ab', 2 | (11 << 2), 2, 0)).toBe('ab'.repeat(7));
  });

  test.each([
    ['too little', [6, 4 << 2, 'hello']],
    ['too much', [4, 4 << 2, 'hello']],
    ['a literal without its bytes', [5, 4 << 2, 'hell']],
    ['a copy without its offset', [5, 0, 'a', 1]],
    ['a copy of what is before the beginning', [8, 3 << 2, 'abcd', 1, 5]],
    ['a copy from offset 0', [8, 3 << 2, 'abcd', 1, 0]],
    ['a length without an end', [0x80]],
    ['a length of more than 32 bits', [0x80, 0x80, 0x80, 0x80, 0x80, 1]],
    ['a length that no tags reach', [0xff, 0x7f, 0, 'a']],
  ])('%s is damage', (_, parts) => {
    expect(() => text(...parts)).toThrow('x is damaged: it cannot be decompressed');
  });
});
