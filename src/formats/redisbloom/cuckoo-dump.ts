// The output of DUMP for a cuckoo filter. Its values in version 4 are: arrays, buckets, items, removals, slots per
// bucket, iterations, growth, and for each array its buckets and its slots (CFRdbSave in rebloom.c).

import { BloomError, damaged } from '../../errors.ts';
import { withNoun } from '../../quantities.ts';
import { ARRAYS_LIMIT } from './cuckoo-head.ts';
import { payloadOf, VERSION_AT } from './dump.ts';
import { createValues } from './values.ts';

const VERSION = 4;

/** A cuckoo filter and the bytes of its arrays. */
export interface DumpedCuckoo {
  readonly items: bigint;
  readonly bucketSlots: number;
  readonly arrays: readonly Uint8Array[];
}

/** Reads the output of DUMP. Throws a `format` error. */
export function decodeCuckooDump(bytes: Uint8Array, name: string): DumpedCuckoo {
  const { payload, content } = payloadOf(bytes, name);
  return decodeCuckoo(content, payload[VERSION_AT] ?? 0, name);
}

/** Reads the values of a filter of a version. Throws a `format` error. */
export function decodeCuckoo(content: Uint8Array, version: number, name: string): DumpedCuckoo {
  if (version !== VERSION)
    throw new BloomError(
      'format',
      `${name} is a cuckoo filter of RedisBloom in version ${version}, and bloom reads only version ${VERSION}`,
      'restore it into RedisBloom 2.2 or newer, and dump it there',
    );
  const values = createValues(content, name);
  const [count, , items] = [values.whole(), values.whole(), values.whole()];
  values.whole();
  const bucketSlots = values.whole();
  values.whole();
  values.whole();
  if (count === 0n || count > ARRAYS_LIMIT || bucketSlots === 0n || bucketSlots > 255n)
    throw damaged(
      name,
      `it states ${withNoun(`${count}`, 'array')} and ${withNoun(`${bucketSlots}`, 'slot')} per bucket, which is impossible`,
    );
  const arrays: Uint8Array[] = [];
  for (let i = 0n; i < count; i++) {
    const buckets = values.whole();
    const slots = values.string();
    if (buckets === 0n || BigInt(slots.length) !== buckets * bucketSlots)
      throw damaged(name, 'the length of an array does not fit its buckets');
    arrays.push(slots);
  }
  values.end();
  return { items, bucketSlots: Number(bucketSlots), arrays };
}
