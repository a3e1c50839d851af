import type { FormatMark } from '../mark.ts';

const HEADER_BYTES = 24;
const K_LIMIT = 64;

/** Version 0.1.0 of DCSO's bloom, of 2017, little-endian: u32 n, f64 p, u32 k, u32 m, u32 keys, and the bits in words of 8 bytes. */
export const dcso0: FormatMark = {
  system: 'DCSO bloom 0.1',
  purpose: 'version 0.1.0 of DCSO bloom, which hashed otherwise',
  fits(head, size) {
    const [n, fpr, k, m] = [
      head.getUint32(0, true),
      head.getFloat64(4, true),
      head.getUint32(12, true),
      head.getUint32(16, true),
    ];
    const isSized = n > 0 && fpr > 0 && fpr < 1 && k > 0 && k <= K_LIMIT && m > 0;
    return isSized && size === HEADER_BYTES + 8 * Math.ceil(m / 64);
  },
};
