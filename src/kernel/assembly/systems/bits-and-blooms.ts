// Digests of bits-and-blooms, after murmur.go and bloom.go there: MurmurHash3 x64 128 with seed 0 of a key, and of the
// key followed by a byte 1; and the positions from these four words.

import { lastBytes } from "../hashes/loads";
import { finishWords, mixFirst, mixSecond, scrambleFirst, scrambleSecond } from "../hashes/murmur3";
import { reciprocal, remainder } from "./remainder";
import { lengthOf, spanAt, startOf } from "../spans";

@inline
function finishInto(digest: usize, h1: u64, h2: u64, length: usize): void {
  store<u64>(digest, finishWords(h1, h2, length, digest + 8));
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
  // The rest, in words that are padded with zeros, which change nothing.
  const isLong = tail >= 8;
  const first: u64 = isLong ? load<u64>(at) : tail ? lastBytes(end, tail, length) : 0;
  const second: u64 = tail > 8 ? lastBytes(end, tail - 8, length) : 0;
  finishInto(digest, h1 ^ scrambleFirst(first), h2 ^ scrambleSecond(second), length);
  const one: u64 = 1 << (((tail & 7) << 3) as u64);
  const firstMarked = isLong ? first : first | one;
  const secondMarked = isLong ? second | one : 0;
  if (tail == 15) {
    h1 = mixFirst(h1, h2, firstMarked);
    h2 = mixSecond(h1, h2, secondMarked);
  } else {
    h1 ^= scrambleFirst(firstMarked);
    h2 ^= scrambleSecond(secondMarked);
  }
  finishInto(digest + 16, h1, h2, length + 1);
}

/** Writes the four words of keys. */
export function bitsAndBloomsHash(spans: usize, count: u32, digests: usize, params: usize): void {
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    hash(startOf(span), lengthOf(span), digests);
    digests += 32;
  }
}

/**
 * Writes the positions `from` to `to` of each of `count` keys, u64 each: (a + i b mod 2^64) mod m. `keys` has the u32
 * indices of the digests. a is the first word for even i, and the second for odd i. b is the fourth word if i + 1 is 2
 * or 3 mod 4, else the third. The parameter is m.
 */
export function bitsAndBloomsPositions(
  digests: usize, keys: usize, count: u32, from: u32, to: u32, positions: usize, parameters: usize,
): void {
  const m = load<u64>(parameters);
  const inverse = reciprocal(m);
  const end = keys + ((count as usize) << 2);
  do {
    const digest = digests + ((load<u32>(keys) as usize) << 5);
    let i = from;
    do {
      const a = load<u64>(digest + (((i & 1) as usize) << 3));
      const b = load<u64>(digest + ((((i + 1) & 2) as usize) << 2), 16);
      store<u64>(positions, remainder(a + (i as u64) * b, m, inverse));
      positions += 8;
    } while (++i < to);
    keys += 4;
  } while (keys < end);
}
