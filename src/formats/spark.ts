import type { FormatMark } from './format.ts';

/** What `writeTo` of Spark's sketches writes, big-endian: i32 version, k, from version 2 the seed, and words of 8 bytes. */
export const spark: FormatMark = {
  system: 'Spark',
  purpose: 'jobs of Apache Spark',
  fits(head, size) {
    const version = head.getUint32(0);
    if (version !== 1 && version !== 2) return false;
    return size === undefined || size === (version === 1 ? 12 + 8 * head.getUint32(8) : 16 + 8 * head.getUint32(12));
  },
};
