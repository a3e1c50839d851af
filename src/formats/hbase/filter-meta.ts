// What is known of the filter of an HFile, big-endian: i32 version, i64 bytes of all chunks, i32 k, i32 hash, i64 keys, i64 keys
// that there is room for, i32 chunks, the name of a comparator; and of each chunk i64 offset, i32 bytes, and its first key.
// Texts and keys have their length before them.

import { BloomError, damaged } from '../../errors.ts';
import type { HashName } from '../../hashes/registry.ts';

/** A chunk of a filter. */
export interface FilterChunk {
  readonly offset: number;
  readonly firstKey: Uint8Array;
}

export interface FilterMeta {
  readonly k: number;
  readonly hash: HashName;
  readonly keys: bigint;
  /** In the order of their first keys. */
  readonly chunks: readonly FilterChunk[];
}

const VERSION = 3;
const FIXED_BYTES = 40;

/** Hashes by their numbers. */
const HASHES: readonly HashName[] = ['hbase-jenkins', 'hbase-murmur2', 'hbase-murmur3'];

/** Reads it; `name` is what it is called. Throws a `format` error for what is none. */
export function readFilterMeta(bytes: Uint8Array, name: string): FilterMeta {
  if (bytes.length < FIXED_BYTES) throw damaged(name, 'it ends early');
  const fields = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [version, k, hashNumber, count] = [0, 12, 16, 36].map((at) => fields.getInt32(at));
  const hash = HASHES[hashNumber ?? -1];
  if (version !== VERSION || hash === undefined)
    throw new BloomError(
      'format',
      `${name} is of version ${version} with hash ${hashNumber}, which this bloom does not know`,
      'ask HBase itself',
    );
  let at = FIXED_BYTES;
  const take = (length: number) => {
    if (length < 0 || length > bytes.length - at) throw damaged(name, 'it ends early');
    at += length;
    return at - length;
  };
  const text = () => {
    const length = Number(vint(fields, take, name));
    const from = take(length);
    return bytes.slice(from, from + length);
  };
  text();
  const chunks: FilterChunk[] = [];
  for (let i = 0; i < (count ?? 0); i++) {
    const from = take(12);
    const offset = fields.getBigInt64(from);
    if (offset < 0n || offset > BigInt(Number.MAX_SAFE_INTEGER))
      throw damaged(name, `chunk ${i} lies outside the file`);
    chunks.push({ offset: Number(offset), firstKey: text() });
  }
  return { k: k ?? 0, hash, keys: fields.getBigInt64(20), chunks };
}

/** A number of Hadoop's: one byte from -112 on, or how many follow, and whether all their bits are flipped. */
function vint(fields: DataView, take: (length: number) => number, name: string): bigint {
  const first = fields.getInt8(take(1));
  if (first >= -112) return BigInt(first);
  const isNegative = first < -120;
  let value = 0n;
  for (let left = isNegative ? -120 - first : -112 - first; left > 0; left--)
    value = value * 256n + BigInt(fields.getUint8(take(1)));
  if (isNegative || value > 0x7fffffffn) throw damaged(name, 'a length in it is none');
  return value;
}
