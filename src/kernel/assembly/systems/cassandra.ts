// The hash of Cassandra's filters, after its MurmurHash.java, and their positions.
//
// The hash is MurmurHash3_x64_128 except for its last bytes, fewer than a block of 16. They are signed, and the sign
// bits are XORed into all higher bytes.

import { lastBytes } from "../hashes/loads";
import { finishWords, mixFirst, mixSecond, scrambleFirst, scrambleSecond } from "../hashes/murmur3";
import { reciprocal, remainder } from "./remainder";
import { lengthOf, spanAt, startOf } from "../spans";

/** 1 in each byte. */
const ONES: u64 = 0x0101010101010101;

/**
 * The XOR of the signed bytes of a word. A byte has all its bits flipped if an odd number of the bytes below are
 * negative.
 */
@inline
function signed(word: u64): u64 {
  const negative = (word >> 7) & ONES;
  const flipped = (negative * (ONES << 8)) & ONES;
  return word ^ (flipped * 0xff);
}

@inline
function hash(key: usize, length: usize, digest: usize): void {
  const end = key + length;
  const tail = length & 15;
  const lastBlock = end - tail;
  let h1: u64 = 0;
  let h2: u64 = 0;
  let at = key;
  for (; at < lastBlock; at += 16) {
    h1 = mixFirst(h1, h2, load<u64>(at));
    h2 = mixSecond(h1, h2, load<u64>(at + 8));
  }
  if (tail >= 8) {
    h1 ^= scrambleFirst(signed(load<u64>(at)));
    if (tail > 8) h2 ^= scrambleSecond(signed(lastBytes(end, tail - 8, length)));
  } else if (tail) {
    h1 ^= scrambleFirst(signed(lastBytes(end, tail, length)));
  }
  store<u64>(digest, finishWords(h1, h2, length, digest + 8));
}

/** Writes the two words of keys. */
export function cassandraHash(spans: usize, count: u32, digests: usize, params: usize): void {
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    hash(startOf(span), lengthOf(span), digests);
    digests += 16;
  }
}

/**
 * Writes the positions `from` to `to` of each of `count` keys, u64 each: |a + i b| mod m, as signed 64-bit numbers.
 * `keys` has the u32 indices of the digests. The parameters are m, and the offset of a in a digest, 0 or 8. b is the
 * other word.
 */
export function cassandraPositions(
  digests: usize, keys: usize, count: u32, from: u32, to: u32, positions: usize, parameters: usize,
): void {
  const m = load<u64>(parameters);
  const inverse = reciprocal(m);
  const first = load<u64>(parameters, 8) as usize;
  const end = keys + ((count as usize) << 2);
  do {
    const digest = digests + ((load<u32>(keys) as usize) << 4);
    const step = load<u64>(digest + (first ^ 8));
    let x = load<u64>(digest + first) + (from as u64) * step;
    let i = from;
    do {
      const sign = (x as i64) >> 63;
      store<u64>(positions, remainder((x ^ sign) - sign, m, inverse));
      positions += 8;
      x += step;
    } while (++i < to);
    keys += 4;
  } while (keys < end);
}
