import { expect, test } from 'vitest';
import { isFilterBlock } from '../../src/formats/tables/filter-block.ts';

/** The five bytes after 64 bytes of bits: k, and one line. */
const metadata = (k: number) => new DataView(Uint8Array.of(k, 1, 0, 0, 0).buffer);

test.each([
  [1, true],
  [30, true],
  [0, false],
  [31, false],
])('a single block of a version up to 4 with %d hashes is accepted: %s', (k, isLikely) => {
  expect(isFilterBlock(metadata(k), 64 + 5)).toBe(isLikely);
});
