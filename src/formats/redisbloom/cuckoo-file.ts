import { damaged } from '../../errors.ts';
import { linkedShape } from '../../filters/linked.ts';
import type { FlatShape } from '../../filters/position-rules.ts';
import { cuckooChain } from '../../filters/slots-of-others.ts';
import { displayName } from '../../io/look.ts';
import type { ByteSource } from '../../io/source.ts';
import { statedKeys } from '../description.ts';
import { flatArrays, readHead } from '../flat-file.ts';
import type { FlatFile } from '../format.ts';
import { fieldsOf, HEADER_BYTES, lengthsOf, redisCuckoo } from './cuckoo.ts';

export async function open(source: ByteSource): Promise<FlatFile> {
  const name = displayName(source.name);
  const head = await readHead(source, name, HEADER_BYTES);
  const lengths = lengthsOf(head);
  if (lengths === undefined) throw damaged(name, 'its header is none that RedisBloom writes');
  const { items, bucketSlots } = fieldsOf(head);
  const arrays = lengths.map((bytes) => {
    const constants = [BigInt(bytes / bucketSlots), BigInt(bucketSlots)];
    const shape: FlatShape = {
      bits: 8 * bytes,
      k: 4,
      rule: 'cuckoo-buckets',
      order: 'bytes',
      constants,
      hasSlots: true,
    };
    return { shape, bytes };
  });
  const shape = linkedShape(lengths.map((bytes) => ({ bits: 8 * bytes, k: bucketSlots })));
  return flatArrays(source, {
    name,
    description: {
      format: redisCuckoo,
      kind: cuckooChain,
      shape: { ...shape, k: 8 },
      rules: { hash: 'murmur64a-once', seed: 0n, ignoreCase: false, trim: false },
      target: undefined,
      inserted: statedKeys(items),
    },
    arrays,
    offset: HEADER_BYTES,
    mayHaveMore: false,
  });
}
