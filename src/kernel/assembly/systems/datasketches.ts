// Digests of Apache DataSketches' filters, after its bloom_filter.hpp, and their positions: XXH64 of a key, and XXH64
// again with the first hash as the seed. An empty key is never in a filter.

import { reciprocal, remainder } from "./remainder";
import { lengthOf, spanAt, startOf } from "../spans";
import { xxh64 } from "../hashes/xxh64";

/** Both words of an empty key. No other key is known to have this hash. */
const EMPTY_KEY: u64 = u64.MAX_VALUE;

/** Writes the two words of keys. */
export function datasketchesHash(spans: usize, count: u32, digests: usize, params: usize): void {
  const seed = load<u64>(params);
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    const start = startOf(span);
    const length = lengthOf(span);
    const first = length ? xxh64(start, length, seed) : EMPTY_KEY;
    store<u64>(digests, first);
    store<u64>(digests, length ? xxh64(start, length, first) : EMPTY_KEY, 8);
    digests += 16;
  }
}

/**
 * Writes the positions `from` to `to` of each of `count` keys, u64 each: the upper 63 bits of h0 + i h1, i from 1, mod
 * m. `keys` has the u32 indices of the digests. The position of an empty key is m, where no filter has a bit. The
 * parameter is m.
 */
export function datasketchesPositions(
  digests: usize, keys: usize, count: u32, from: u32, to: u32, positions: usize, parameters: usize,
): void {
  const m = load<u64>(parameters);
  const inverse = reciprocal(m);
  const end = keys + ((count as usize) << 2);
  do {
    const digest = digests + ((load<u32>(keys) as usize) << 4);
    const first = load<u64>(digest);
    const step = load<u64>(digest, 8);
    const isEmptyKey = first == EMPTY_KEY && step == EMPTY_KEY;
    let x = first + (from as u64) * step;
    let i = from;
    do {
      x += step;
      store<u64>(positions, isEmptyKey ? m : remainder(x >> 1, m, inverse));
      positions += 8;
    } while (++i < to);
    keys += 4;
  } while (keys < end);
}
