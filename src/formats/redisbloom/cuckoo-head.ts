import { sum } from '../../filters/kind.ts';
import { signatureOf } from '../../io/signature.ts';

export const HEADER_BYTES = 38;

/** Arrays of a filter that are taken for possible: each has as many slots as all before, if it grows. */
export const ARRAYS_LIMIT = 1024n;
const SLOTS_LIMIT = 2n ** 40n;

/** What DUMP gives begins as that of a filter of BF.* does, with the id of "MBbloomCF". */
export const CUCKOO_DUMP = signatureOf('\x07\x81\x30\x16\xe5\xa2\x89\x82\x14');

/** Removals that nobody has made: in the same place DCSO's files have a rate, a number with a fraction. */
const REMOVALS_LIMIT = 2n ** 48n;

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
