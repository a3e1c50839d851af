import type { FormatMark } from './format.ts';

/** What `WriteTo` of bits-and-blooms writes, big-endian: u64 m, u64 k, u64 bits, and the words of 8 bytes. */
export const bitsAndBlooms: FormatMark = {
  system: 'bits-and-blooms',
  purpose: 'programs in Go with bits-and-blooms',
  fits: (head, size) =>
    (size === undefined || size === 24 + 8 * Math.ceil(Number(head.getBigUint64(16)) / 64)) &&
    head.getUint32(8) === 0 &&
    head.getUint32(12) > 0,
};
