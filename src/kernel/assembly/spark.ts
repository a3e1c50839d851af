// The hash of Spark's sketches, and the positions of their version 2.
//
// The hash is MurmurHash3_x86_32 (Austin Appleby's MurmurHash3.cpp, SMHasher, public domain) but for its last bytes: each of
// those that make no block of 4 is a block of its own, with its sign.

import { finish32, mix32 } from "./murmur3-32";
import { reciprocal, remainder } from "./remainder";
import { lengthOf, spanAt, startOf } from "./spans";

@inline
function hash(key: usize, length: usize, seed: u32): u32 {
  const end = key + length;
  const lastBlock = end - (length & 3);
  let hash = seed;
  let at = key;
  for (; at < lastBlock; at += 4) hash = mix32(hash, load<u32>(at));
  for (; at < end; at++) hash = mix32(hash, load<i8>(at) as u32);
  return finish32(hash, length);
}

/** Two hashes of keys, of which the first, the lower half of a digest, is the seed of the second. */
export function sparkHash(spans: usize, count: u32, digests: usize, params: usize): void {
  const seed = load<u32>(params);
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    const start = startOf(span);
    const length = lengthOf(span);
    const first = hash(start, length, seed);
    store<u64>(digests, (first as u64) | ((hash(start, length, first) as u64) << 32));
    digests += 8;
  }
}

/** The largest i32: h1 in the upper half, nearly. */
const SPREAD: i64 = 0x7fffffff;

/**
 * Writes the positions, u64 each, number `from` to `to` of each of `count` keys, which are the u32 indices of their
 * digests: (2^31 - 1) h1 + i h2 as a number of 64 bits, or its complement if that is negative, mod m, i from 1. The parameter
 * is m.
 */
export function sparkPositions(
  digests: usize, keys: usize, count: u32, from: u32, to: u32, positions: usize, parameters: usize,
): void {
  const m = load<u64>(parameters);
  const inverse = reciprocal(m);
  const end = keys + ((count as usize) << 2);
  do {
    const digest = digests + ((load<u32>(keys) as usize) << 3);
    const step = load<i32>(digest, 4) as i64;
    let x = (load<i32>(digest) as i64) * SPREAD + (from as i64) * step;
    let i = from;
    do {
      x += step;
      store<u64>(positions, remainder((x ^ (x >> 63)) as u64, m, inverse));
      positions += 8;
    } while (++i < to);
    keys += 4;
  } while (keys < end);
}
