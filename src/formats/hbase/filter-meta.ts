// The metadata of the filter of an HFile, big-endian: i32 version, i64 bytes of all chunks, i32 k, i32 hash, i64
// keys, i64 capacity, i32 chunks, the name of a comparator; and for each chunk i64 offset, i32 bytes, and its first
// key. Texts and keys follow their length.

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

/** Reads the metadata. `name` names it in messages. Throws a `format` error if it is malformed. */
export function readFilterMeta(bytes: Uint8Array, name: string): FilterMeta {
  if (bytes.length < FIXED_BYTES) throw damaged(name, 'it ends early');
  const fields = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [version, k, hashNumber, count] = [0, 12, 16, 36].map((at) => fields.getInt32(at));
  const hash = HASHES[hashNumber ?? -1];
  if (version !== VERSION || hash === undefined)
    throw new BloomError(
      'format',
      `${name} has version ${version} and hash ${hashNumber}, which this bloom does not know`,
      'query the table with HBase',
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
    if (offset < 0n || offset > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged(name, `chunk ${i} is outside the file`);
    chunks.push({ offset: Number(offset), firstKey: text() });
  }
  return { k: k ?? 0, hash, keys: fields.getBigInt64(20), chunks };
}

/**
 * A variable-length number of Hadoop. From -112 on it is one byte. A lower byte states how many bytes follow and
 * whether their bits are flipped.
 */
function vint(fields: DataView, take: (length: number) => number, name: string): bigint {
  const first = fields.getInt8(take(1));
  if (first >= -112) return BigInt(first);
  const isNegative = first < -120;
  let value = 0n;
  for (let left = isNegative ? -120 - first : -112 - first; left > 0; left--)
    value = value * 256n + BigInt(fields.getUint8(take(1)));
  if (isNegative || value > 0x7fffffffn) throw damaged(name, 'it has an impossible length');
  return value;
}
