// The hashes of HBase's filters, and their positions. Each hash is computed twice, with the first result as the seed of
// the second. After util/JenkinsHash.java, MurmurHash.java and MurmurHash3.java of hbase-common, and
// util/BloomFilterUtil.java.

import { lookup3 } from "../hashes/jenkins";
import { bitsOf, firstBitOf, probesOf, RANGED_DIGEST } from "./key-ranges";
import { mixed32 } from "../hashes/murmur2";
import { murmur3x32 } from "../hashes/murmur3-32";
import { lengthOf, spanAt, startOf } from "../spans";

const M: u32 = 0x5bd1e995;

/** MurmurHash2, except that its last bytes are signed. */
function murmur2(key: usize, length: usize, seed: u32): u32 {
  const end = key + length;
  const lastBlock = end - (length & 3);
  let hash = seed ^ (length as u32);
  let at = key;
  for (; at < lastBlock; at += 4) hash = (hash * M) ^ mixed32(load<u32>(at));
  if (at < end) {
    for (let shift: u32 = 0; at < end; at++, shift += 8) hash ^= (load<i8>(at) as u32) << shift;
    hash *= M;
  }
  hash = (hash ^ (hash >> 13)) * M;
  return hash ^ (hash >> 15);
}

function murmur3(key: usize, length: usize, seed: u32): u32 {
  return murmur3x32(key, length, seed);
}

@inline
function hashTwice(spans: usize, count: u32, digests: usize, hash: (key: usize, length: usize, seed: u32) => u32): void {
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    const start = startOf(span);
    const length = lengthOf(span);
    const first = hash(start, length, 0);
    store<u32>(digests, first);
    store<u32>(digests, hash(start, length, first), 4);
    digests += RANGED_DIGEST;
  }
}

/** Writes the first words of digests of keys: lookup3. */
export function hbaseJenkinsHash(spans: usize, count: u32, digests: usize, params: usize): void {
  hashTwice(spans, count, digests, lookup3);
}

/** Writes the first words of digests of keys: MurmurHash2 with signed bytes. */
export function hbaseMurmur2Hash(spans: usize, count: u32, digests: usize, params: usize): void {
  hashTwice(spans, count, digests, murmur2);
}

/** Writes the first words of digests of keys: MurmurHash3 with 32 bits. */
export function hbaseMurmur3Hash(spans: usize, count: u32, digests: usize, params: usize): void {
  hashTwice(spans, count, digests, murmur3);
}

/**
 * Writes the positions `from` to `to` of each of `count` keys, u64 each: first + |(h1 + i h2) rem m|, as signed 32-bit
 * numbers. `keys` has the u32 indices of the digests. Positions from k on repeat position k - 1.
 */
export function hbasePositions(
  digests: usize, keys: usize, count: u32, from: u32, to: u32, positions: usize, parameters: usize,
): void {
  const end = keys + ((count as usize) << 2);
  for (; keys < end; keys += 4) {
    const digest = digests + (load<u32>(keys) as usize) * RANGED_DIGEST;
    const first = firstBitOf(digest);
    const bits = bitsOf(digest) as i32;
    const last = probesOf(digest) - 1;
    const hash = load<u32>(digest);
    const step = load<u32>(digest, 4);
    for (let i = from; i < to; i++) {
      const rest = ((hash + min(i, last) * step) as i32) % bits;
      store<u64>(positions, first + (abs(rest) as u64));
      positions += 8;
    }
  }
}
