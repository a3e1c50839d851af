// The hash of LevelDB, after its util/hash.cc, which older filters of RocksDB use too; and the positions of both.

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

/** Writes the first words of digests of keys. */
export function leveldbHash(spans: usize, count: u32, digests: usize, params: usize): void {
  hashKeys(spans, count, digests, false);
}

/** The same for RocksDB, where the bytes after the last block are signed. */
export function rocksdbHash(spans: usize, count: u32, digests: usize, params: usize): void {
  hashKeys(spans, count, digests, true);
}

/**
 * Writes the positions `from` to `to` of each of `count` keys, u64 each: first + (h + i d mod 2^32) mod m, where d is h
 * rotated. `keys` has the u32 indices of the digests. Positions from k on repeat position k - 1.
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

/** The same for RocksDB, within one line of the part. The bits of a line are a power of 2. */
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
