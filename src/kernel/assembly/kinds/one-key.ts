// A query for a single key, hashed and tested in one call, because a call costs as much as the test.

import { hasDigest } from "./bloom";
import { Parameters } from "../parameters";
import { scale } from "./probes";
import { xxh64 } from "../hashes/xxh64";

/**
 * Whether a key of `length` bytes may be in the segment that its XXH64 selects: 1 or 0. The segments of the whole
 * filter begin at `segments`. The seed comes in two halves, because JavaScript passes 32-bit numbers faster.
 */
export function bloomHasKey(
  segments: usize, key: usize, length: usize, seedLow: u32, seedHigh: u32, parameters: Parameters,
): u32 {
  const digest = xxh64(key, length, ((seedHigh as u64) << 32) | (seedLow as u64));
  const segment = segments + scale(digest >> 32, parameters.segments) * (parameters.bytes as usize);
  return hasDigest(segment, parameters, digest);
}
