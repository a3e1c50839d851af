// The hashes of Apache ORC's filters (java/core, BloomFilter.java and Murmur3.java).

import { lengthOf, spanAt, startOf } from "../spans";

const C1: u64 = 0x87c37b91114253d5;
const C2: u64 = 0x4cf5ad432745937f;
const SEED: u64 = 104729;

@inline
function mixed(block: u64): u64 {
  return rotl(block * C1, 31) * C2;
}

/** One half of MurmurHash3_x64_128, computed alone. So it differs from the first half of the whole hash. */
export function orcHash(spans: usize, count: u32, digests: usize, params: usize): void {
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    const start = startOf(span);
    const length = lengthOf(span);
    const lastBlock = start + (length & ~7);
    let hash = SEED;
    let byte = start;
    for (; byte < lastBlock; byte += 8) hash = rotl(hash ^ mixed(load<u64>(byte)), 27) * 5 + 0x52dce729;
    const tailBits = ((length & 7) << 3) as u64;
    if (tailBits) hash ^= mixed(load<u64>(byte) & (((1 as u64) << tailBits) - 1));
    hash ^= length as u64;
    hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccd;
    hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53;
    store<u64>(digests, hash ^ (hash >> 33));
    digests += 8;
  }
}

/** Thomas Wang's hash of a 64-bit number, for keys of 8 bytes. Its right shifts keep the sign. */
export function orcNumberHash(spans: usize, count: u32, digests: usize, params: usize): void {
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    let key = load<i64>(startOf(load<u64>(at)));
    key = ~key + (key << 21);
    key ^= key >> 24;
    key += (key << 3) + (key << 8);
    key ^= key >> 14;
    key += (key << 2) + (key << 4);
    key ^= key >> 28;
    key += key << 31;
    store<i64>(digests, key);
    digests += 8;
  }
}
