import type { FormatMark } from './format.ts';

const K_LIMIT = 20;

/** The Filter.db of an SSTable: i32 k, i32 words, big-endian, and the words of 8 bytes. */
export const cassandra: FormatMark = {
  system: 'Cassandra',
  purpose: 'a node of Apache Cassandra',
  fits: (head, size) =>
    head.getUint32(0) > 0 && head.getUint32(0) <= K_LIMIT && (size === undefined || size === 8 + 8 * head.getUint32(4)),
};
