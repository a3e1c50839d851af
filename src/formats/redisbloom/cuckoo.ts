import { sum } from '../../filters/kind.ts';
import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';
import { CUCKOO_DUMP, HEADER_BYTES, lengthsOf } from './cuckoo-head.ts';

/**
 * A filter of CF.*: what DUMP gives, or the header of CF.SCANDUMP, little-endian and without gaps, and then all of its chunks: u64 items, u64 buckets,
 * u64 removals, u64 arrays, u16 slots of a bucket, u16 and u16: how many times as many buckets the next array has.
 */
export const redisCuckoo: Format = {
  name: 'redisbloom-cuckoo',
  system: "RedisBloom's cuckoo filters",
  purpose: 'a server of Redis',
  signatures: [CUCKOO_DUMP],
  fits(head, size) {
    const lengths = lengthsOf(head);
    return lengths !== undefined && (size === undefined || size === HEADER_BYTES + sum(lengths));
  },
  promises: (head) => HEADER_BYTES + sum(lengthsOf(head) ?? []),
  abilities: ['ask', 'report'],
  keyTypes: BYTES,
  integrity: 'it matches its checksum',
  limits: ['only what DUMP gives, and the header and the chunks of CF.SCANDUMP, one behind the other'],
  fileBytes: ({ bits }) => HEADER_BYTES + bits / 8,
  open: async (source) => (await import('./cuckoo-file.ts')).open(source, redisCuckoo),
};
