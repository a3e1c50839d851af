// What DUMP gives of a key that is a cuckoo filter. Its values, version 4: arrays, buckets, items, removals, slots of a bucket,
// iterations, growth, and for each array its buckets and its slots (CFRdbSave in rebloom.c).

import { BloomError, damaged } from '../../errors.ts';
import { ARRAYS_LIMIT } from './cuckoo-head.ts';
import { payloadOf, VERSION_AT } from './dump.ts';
import { createValues } from './values.ts';

const VERSION = 4;

/** A cuckoo filter, with the bytes of its arrays. */
export interface DumpedCuckoo {
  readonly items: bigint;
  readonly bucketSlots: number;
  readonly arrays: readonly Uint8Array[];
}

/** Reads what DUMP gave. Throws a `format` error. */
export function decodeCuckooDump(bytes: Uint8Array, name: string): DumpedCuckoo {
  const { payload, content } = payloadOf(bytes, name);
  return decodeCuckoo(content, payload[VERSION_AT] ?? 0, name);
}

/** Reads the values of a filter, of a version. Throws a `format` error. */
export function decodeCuckoo(content: Uint8Array, version: number, name: string): DumpedCuckoo {
  if (version !== VERSION)
    throw new BloomError(
      'format',
      `${name} is a cuckoo filter as RedisBloom dumps it in version ${version}, and bloom reads version ${VERSION}`,
      'restore it into RedisBloom from 2.2 on, and dump it there',
    );
  const values = createValues(content, name);
  const [count, , items] = [values.whole(), values.whole(), values.whole()];
  values.whole();
  const bucketSlots = values.whole();
  values.whole();
  values.whole();
  if (count === 0n || count > ARRAYS_LIMIT || bucketSlots === 0n || bucketSlots > 255n)
    throw damaged(name, `it has ${count} arrays of buckets of ${bucketSlots} slots`);
  const arrays: Uint8Array[] = [];
  for (let i = 0n; i < count; i++) {
    const buckets = values.whole();
    const slots = values.string();
    if (buckets === 0n || BigInt(slots.length) !== buckets * bucketSlots)
      throw damaged(name, 'an array of it has not the slots of its buckets');
    arrays.push(slots);
  }
  values.end();
  return { items, bucketSlots: Number(bucketSlots), arrays };
}
