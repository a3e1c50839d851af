import { sum } from '../../filters/kind.ts';
import { signatureOf } from '../../io/signature.ts';

export const HEADER_BYTES = 38;

/** The largest plausible number of arrays. In a growing filter, each array is at least as large as all before. */
export const ARRAYS_LIMIT = 1024n;
const SLOTS_LIMIT = 2n ** 40n;

/** The first bytes of the output of DUMP: as for a filter of BF.*, but with the id of "MBbloomCF". */
export const CUCKOO_DUMP = signatureOf('\x07\x81\x30\x16\xe5\xa2\x89\x82\x14');

/** More removals than any filter has. Files of DCSO have a floating-point rate at this offset. */
const REMOVALS_LIMIT = 2n ** 48n;

/** The fields of a header. */
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

/** Bytes of the arrays. Undefined if the header states impossible numbers. */
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
