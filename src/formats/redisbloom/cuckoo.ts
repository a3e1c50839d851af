import { sum } from '../../filters/kind.ts';
import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';
import { CUCKOO_DUMP, HEADER_BYTES, lengthsOf } from './cuckoo-head.ts';

/**
 * A filter of CF.*: the output of DUMP, or the header of CF.SCANDUMP followed by all of its chunks. The header is
 * little-endian without gaps: u64 items, u64 buckets, u64 removals, u64 arrays, u16 slots per bucket, u16 iterations,
 * and u16 growth of the next array.
 */
export const redisCuckoo: Format = {
  name: 'redisbloom-cuckoo',
  system: "RedisBloom's cuckoo filters",
  purpose: 'Redis servers with RedisBloom',
  signatures: [CUCKOO_DUMP],
  fits(head, size) {
    const lengths = lengthsOf(head);
    return lengths !== undefined && (size === undefined || size === HEADER_BYTES + sum(lengths));
  },
  promises: (head) => HEADER_BYTES + sum(lengthsOf(head) ?? []),
  abilities: ['query', 'report'],
  keyTypes: BYTES,
  integrity: 'the checksum matches',
  limits: ['only the output of DUMP, or the header and all chunks of CF.SCANDUMP in one file'],
  open: async (source) => (await import('./cuckoo-file.ts')).open(source, redisCuckoo),
};
