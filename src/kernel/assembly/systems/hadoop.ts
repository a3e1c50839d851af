// Digests of Hadoop's util.bloom, after its HashFunction.java. They are the positions, from a chain of hashes: each
// hash is the seed of the next.

import { lookup3 } from "../hashes/jenkins";
import { mixed32 } from "../hashes/murmur2";
import { reciprocal, remainder } from "./remainder";
import { lengthOf, spanAt, startOf } from "../spans";

const M: u32 = 0x5bd1e995;

/** MurmurHash2 as in Hadoop. The bytes after the last block of 4 are signed, and the last of them is the lowest. */
function murmur(key: usize, length: usize, seed: u32): u32 {
  const end = key + length;
  const tail = length & 3;
  const lastBlock = end - tail;
  let hash = seed ^ (length as u32);
  for (let at = key; at < lastBlock; at += 4) hash = (hash * M) ^ mixed32(load<u32>(at));
  if (tail) {
    for (let at = lastBlock; at < end; at++) hash ^= (load<i8>(at) as u32) << (((end - 1 - at) << 3) as u32);
    hash *= M;
  }
  hash = (hash ^ (hash >> 13)) * M;
  return hash ^ (hash >> 15);
}

@inline
function positions(spans: usize, count: u32, digests: usize, params: usize, isMurmur: bool): void {
  const k = load<u64>(params, 8);
  const m = load<u64>(params, 16);
  const inverse = reciprocal(m);
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    const start = startOf(span);
    const length = lengthOf(span);
    let hash: u32 = 0;
    for (let i: u64 = 0; i < k; i++) {
      hash = isMurmur ? murmur(start, length, hash) : lookup3(start, length, hash);
      const sign = (hash as i32) >> 31;
      store<u64>(digests, remainder(((hash ^ sign) - sign) as u64, m, inverse));
      digests += 8;
    }
  }
}

/** Writes the positions of keys with Jenkins' hash. The parameters are the seed, which is 0, k and m. */
export function hadoopJenkinsHash(spans: usize, count: u32, digests: usize, params: usize): void {
  positions(spans, count, digests, params, false);
}

/** The same with Hadoop's MurmurHash2. */
export function hadoopMurmurHash(spans: usize, count: u32, digests: usize, params: usize): void {
  positions(spans, count, digests, params, true);
}
