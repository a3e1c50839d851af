import { sum } from '../../filters/kind.ts';
import { signatureOf } from '../../io/signature.ts';
import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';

export const HEADER_BYTES = 38;

/** Arrays of a filter that are taken for possible: each has as many slots as all before, if it grows. */
export const ARRAYS_LIMIT = 1024n;
const SLOTS_LIMIT = 2n ** 40n;

/** Removals that nobody has made: in the same place DCSO's files have a rate, a number with a fraction. */
const REMOVALS_LIMIT = 2n ** 48n;

/** What DUMP gives begins as that of a filter of BF.* does, with the id of "MBbloomCF". */
export const CUCKOO_DUMP = signatureOf('\x07\x81\x30\x16\xe5\xa2\x89\x82\x14');

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
  open: async (source) => (await import('./cuckoo-file.ts')).open(source),
};

/** What a header says. */
export function fieldsOf(head: DataView) {
  return {
    items: head.getBigUint64(0, true),
    buckets: head.getBigUint64(8, true),
    removals: head.getBigUint64(16, true),
    filters: head.getBigUint64(24, true),
    bucketSlots: head.getUint16(32, true),
    expansion: head.getUint16(36, true),
  };
}

/** How many bytes the arrays have; undefined where a header says what none can be. */
export function lengthsOf(head: DataView): number[] | undefined {
  const { items, buckets, removals, filters, bucketSlots, expansion } = fieldsOf(head);
  const isPowerOf2 = buckets > 0n && (buckets & (buckets - 1n)) === 0n;
  if (!isPowerOf2 || filters === 0n || filters > ARRAYS_LIMIT || bucketSlots === 0) return undefined;
  if (removals > REMOVALS_LIMIT) return undefined;
  const lengths: number[] = [];
  let length = buckets * BigInt(bucketSlots);
  for (let i = 0n; i < filters; i++) {
    if (length === 0n || length > SLOTS_LIMIT) return undefined;
    lengths.push(Number(length));
    length *= BigInt(expansion);
  }
  return items <= BigInt(sum(lengths)) ? lengths : undefined;
}
