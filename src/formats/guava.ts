import type { FormatMark } from './format.ts';

/** What `writeTo` of a Guava BloomFilter writes, big-endian: i8 strategy, u8 k, i32 words, the words of 8 bytes. */
export const guava: FormatMark = {
  system: 'Guava',
  purpose: 'programs in Java with Guava',
  fits: (head, size) => head.getUint8(0) < 2 && head.getUint8(1) > 0 && size === 6 + 8 * head.getUint32(2),
};
