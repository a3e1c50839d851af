import { damaged } from '../../errors.ts';
import { linkedShape } from '../../filters/linked.ts';
import type { BitArrayShape } from '../../filters/position-rules.ts';
import { cuckooChain } from '../../filters/slots-of-others.ts';
import { putBack } from '../../io/head.ts';
import { displayName } from '../../io/look.ts';
import { bears } from '../../io/signature.ts';
import { type ByteSource, readWhole } from '../../io/source.ts';
import { fileOfArrays, readHead } from '../bit-array-file.ts';
import { type Description, statedKeys } from '../description.ts';
import type { BitArrayFile, Format } from '../format.ts';
import { inMemory } from '../whole-file.ts';
import { type DumpedCuckoo, decodeCuckooDump } from './cuckoo-dump.ts';
import { CUCKOO_DUMP, fieldsOf, HEADER_BYTES, lengthsOf } from './cuckoo-head.ts';

export async function open(source: ByteSource, format: Format): Promise<BitArrayFile> {
  const name = displayName(source.name);
  const begun = await readHead(source, name, CUCKOO_DUMP.length);
  const whole = putBack(new Uint8Array(begun.buffer), source);
  return bears(new Uint8Array(begun.buffer), CUCKOO_DUMP)
    ? openDump(whole, name, format)
    : openRaw(whole, name, format);
}

async function openRaw(source: ByteSource, name: string, format: Format): Promise<BitArrayFile> {
  const head = await readHead(source, name, HEADER_BYTES);
  const lengths = lengthsOf(head);
  if (lengths === undefined) throw damaged(name, 'its header is not one that RedisBloom writes');
  const { items, bucketSlots } = fieldsOf(head);
  return fileOfArrays(source, {
    name,
    description: descriptionOf(format, lengths, bucketSlots, items),
    arrays: lengths.map((bytes) => ({ shape: shapeOf(bytes, bucketSlots), bytes })),
    offset: HEADER_BYTES,
    mayHaveMore: false,
  });
}

/** The output of DUMP is compressed, and its checksum covers all of it. It is therefore read completely. */
async function openDump(source: ByteSource, name: string, format: Format): Promise<BitArrayFile> {
  const bytes = await readWhole(source);
  return {
    layout: 'arrays',
    name,
    ...dumpedCuckoo(decodeCuckooDump(bytes, name), name, bytes.length, format),
    verified: 'opened',
    close: () => source.close(),
  };
}

/** A filter whose slots are in memory. `bytes` is the size of its file. */
export function dumpedCuckoo(
  { items, bucketSlots, arrays }: DumpedCuckoo,
  name: string,
  fileBytes: number,
  format: Format,
): Pick<BitArrayFile, 'description' | 'arrays' | 'inOrder'> {
  const lengths = arrays.map(({ length }) => length);
  const description = descriptionOf(format, lengths, bucketSlots, items);
  let offset = 0;
  const placed = lengths.map((length) => {
    offset += length;
    return { shape: shapeOf(length, bucketSlots), offset: offset - length, bytes: length };
  });
  return {
    description: { ...description, bytes: fileBytes },
    ...inMemory(Buffer.concat(arrays), name).arrays(placed),
  };
}

/** The shape of the slots of an array. */
function shapeOf(bytes: number, bucketSlots: number): BitArrayShape {
  const constants = [BigInt(bytes / bucketSlots), BigInt(bucketSlots)];
  return { bits: 8 * bytes, k: 4, rule: 'cuckoo-buckets', order: 'bytes', constants, hasSlots: true };
}

function descriptionOf(format: Format, lengths: readonly number[], bucketSlots: number, items: bigint): Description {
  const shape = linkedShape(lengths.map((bytes) => ({ bits: 8 * bytes, k: bucketSlots })));
  return {
    format,
    kind: cuckooChain,
    shape: { ...shape, k: 8 },
    rules: { hash: 'murmur64a-once', seed: 0n, ignoreCase: false, trim: false },
    target: undefined,
    inserted: statedKeys(items),
  };
}
