// The hash of LevelDB, after its util/hash.cc, which older filters of RocksDB have too; and the positions of both.

import { bitsOf, extraOf, firstBitOf, probesOf, RANGED_DIGEST } from "./key-ranges";
import { lengthOf, spanAt, startOf } from "../spans";

const SEED: u32 = 0xbc9f1d34;
const M: u32 = 0xc6a4a793;

@inline
function hash(key: usize, length: usize, isSigned: bool): u32 {
  const end = key + length;
  const tail = length & 3;
  const lastBlock = end - tail;
  let hash = SEED ^ ((length as u32) * M);
  let at = key;
  for (; at < lastBlock; at += 4) {
    hash = (hash + load<u32>(at)) * M;
    hash ^= hash >> 16;
  }
  if (!tail) return hash;
  for (let shift: u32 = 0; at < end; at++, shift += 8)
    hash += (isSigned ? (load<i8>(at) as u32) : (load<u8>(at) as u32)) << shift;
  hash *= M;
  return hash ^ (hash >> 24);
}

@inline
function hashKeys(spans: usize, count: u32, digests: usize, isSigned: bool): void {
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    store<u64>(digests, hash(startOf(span), lengthOf(span), isSigned) as u64);
    digests += RANGED_DIGEST;
  }
}

/** The first words of digests of keys. */
export function leveldbHash(spans: usize, count: u32, digests: usize, params: usize): void {
  hashKeys(spans, count, digests, false);
}

/** The same of RocksDB, to which the bytes that make no block have signs. */
export function rocksdbHash(spans: usize, count: u32, digests: usize, params: usize): void {
  hashKeys(spans, count, digests, true);
}

/**
 * Writes the positions, u64 each, number `from` to `to` of each of `count` keys, which are the u32 indices of their digests:
 * first + (h + i d mod 2^32) mod m, where d is h rotated. Those from k on are that of k - 1 again.
 */
export function leveldbPositions(
  digests: usize, keys: usize, count: u32, from: u32, to: u32, positions: usize, parameters: usize,
): void {
  const end = keys + ((count as usize) << 2);
  do {
    const digest = digests + (load<u32>(keys) as usize) * RANGED_DIGEST;
    const first = firstBitOf(digest);
    const bits = bitsOf(digest);
    const last = probesOf(digest) - 1;
    const hash = load<u32>(digest);
    const step = rotr(hash, 17);
    let i = from;
    do {
      store<u64>(positions, first + ((hash + min(i, last) * step) as u64) % bits);
      positions += 8;
    } while (++i < to);
    keys += 4;
  } while (keys < end);
}

/** The same of RocksDB, in one of the lines of the part, whose bits are a power of 2. */
export function rocksdbLegacyPositions(
  digests: usize, keys: usize, count: u32, from: u32, to: u32, positions: usize, parameters: usize,
): void {
  const end = keys + ((count as usize) << 2);
  do {
    const digest = digests + (load<u32>(keys) as usize) * RANGED_DIGEST;
    const shift = extraOf(digest);
    const last = probesOf(digest) - 1;
    const hash = load<u32>(digest);
    const line = firstBitOf(digest) + (((hash as u64) % (bitsOf(digest) >> shift)) << shift);
    const mask: u32 = (1 << (shift as u32)) - 1;
    const step = rotr(hash, 17);
    let i = from;
    do {
      store<u64>(positions, line + (((hash + min(i, last) * step) & mask) as u64));
      positions += 8;
    } while (++i < to);
    keys += 4;
  } while (keys < end);
}
