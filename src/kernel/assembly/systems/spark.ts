// The hash of Spark's sketches, and the positions of their version 2.
//
// The hash is MurmurHash3_x86_32 (Austin Appleby's MurmurHash3.cpp, SMHasher, public domain) except for its last bytes.
// Each byte after the last block of 4 is a separate, signed block.

import { finish32, finishLanes32, mix32, mixLanes32 } from "../hashes/murmur3-32";
import { reciprocal, remainder } from "./remainder";
import { lengthOf, spanAt, startOf } from "../spans";

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

/** The hashes of four keys of the same length. */
@inline
function hashLanes(a: usize, b: usize, c: usize, d: usize, length: usize, seeds: v128): v128 {
  const lastBlock = length & ~3;
  let hashes = seeds;
  let at: usize = 0;
  for (; at < lastBlock; at += 4)
    hashes = mixLanes32(hashes, lanes(load<i32>(a + at), load<i32>(b + at), load<i32>(c + at), load<i32>(d + at)));
  for (; at < length; at++)
    hashes = mixLanes32(hashes, lanes(load<i8>(a + at), load<i8>(b + at), load<i8>(c + at), load<i8>(d + at)));
  return finishLanes32(hashes, length);
}

@inline
function lanes(a: i32, b: i32, c: i32, d: i32): v128 {
  return i32x4.replace_lane(i32x4.replace_lane(i32x4.replace_lane(i32x4.splat(a), 1, b), 2, c), 3, d);
}

/** Writes the digests of the keys of four spans, if they have the same length. */
@inline
function hashFour(spans: usize, digests: usize, seed: u32): bool {
  const length = load<u32>(spans, 4);
  if (load<u32>(spans, 12) != length || load<u32>(spans, 20) != length || load<u32>(spans, 28) != length) return false;
  const a = load<u32>(spans) as usize;
  const b = load<u32>(spans, 8) as usize;
  const c = load<u32>(spans, 16) as usize;
  const d = load<u32>(spans, 24) as usize;
  const first = hashLanes(a, b, c, d, length, i32x4.splat(seed));
  const second = hashLanes(a, b, c, d, length, first);
  v128.store(digests, v128.shuffle<i32>(first, second, 0, 4, 1, 5));
  v128.store(digests, v128.shuffle<i32>(first, second, 2, 6, 3, 7), 16);
  return true;
}

/**
 * Writes two hashes per key. The first, the low half of a digest, is the seed of the second. Neighbouring lines often
 * have the same length: four keys of the same length take little longer than one.
 */
export function sparkHash(spans: usize, count: u32, digests: usize, params: usize): void {
  const seed = load<u32>(params);
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    while (spanAt(at, 4) <= end && hashFour(at, digests, seed)) {
      at = spanAt(at, 4);
      digests += 32;
    }
    if (at == end) return;
    const span = load<u64>(at);
    const start = startOf(span);
    const length = lengthOf(span);
    const first = hash(start, length, seed);
    store<u64>(digests, (first as u64) | ((hash(start, length, first) as u64) << 32));
    digests += 8;
  }
}

/** The largest i32. It moves h1 nearly into the high half. */
const SPREAD: i64 = 0x7fffffff;

/**
 * Writes the positions `from` to `to` of each of `count` keys, u64 each: (2^31 - 1) h1 + i h2 mod m, i from 1. `keys`
 * has the u32 indices of the digests. The sum has 64 bits, and a negative sum is complemented. The parameter is m.
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
