// Positions of RocksDB's FastLocalBloom, after util/bloom_impl.h there. All positions of a key are in one line of 512
// bits.

import { bitsOf, firstBitOf, probesOf, RANGED_DIGEST } from "./key-ranges";

const LINE_SHIFT: u64 = 9;
const G: u32 = 0x9e3779b9;

/**
 * Writes the positions `from` to `to` of each of `count` keys, u64 each. `keys` has the u32 indices of the digests. The
 * low half of the hash selects the line. The high half, multiplied by G once more per position, selects the bit in it.
 * Positions from k on repeat position k - 1.
 */
export function localBloomPositions(
  digests: usize, keys: usize, count: u32, from: u32, to: u32, positions: usize, parameters: usize,
): void {
  const end = keys + ((count as usize) << 2);
  do {
    const digest = digests + (load<u32>(keys) as usize) * RANGED_DIGEST;
    const lines = bitsOf(digest) >> LINE_SHIFT;
    const line = firstBitOf(digest) + ((((load<u32>(digest) as u64) * lines) >> 32) << LINE_SHIFT);
    const last = probesOf(digest) - 1;
    let x = load<u32>(digest, 4);
    for (let i: u32 = 0; i < min(from, last); i++) x *= G;
    let i = from;
    do {
      store<u64>(positions, line + ((x >> 23) as u64));
      positions += 8;
      if (i < last) x *= G;
    } while (++i < to);
    keys += 4;
  } while (keys < end);
}
