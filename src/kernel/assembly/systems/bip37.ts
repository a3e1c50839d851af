// Digests of BIP37 (Bitcoin). They are the positions; each position is a hash with its own seed.

import { murmur3x32 } from "../hashes/murmur3-32";
import { reciprocal, remainder } from "./remainder";
import { lengthOf, spanAt, startOf } from "../spans";

/** The distance of two seeds. */
const STEP: u32 = 0xfba4c795;

/** Writes the positions of keys. The parameters are the first seed, k and m. */
export function bip37Hash(spans: usize, count: u32, digests: usize, params: usize): void {
  const tweak = load<u32>(params);
  const k = load<u64>(params, 8) as u32;
  const m = load<u64>(params, 16);
  const inverse = reciprocal(m);
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    const start = startOf(span);
    const length = lengthOf(span);
    for (let i: u32 = 0; i < k; i++) {
      store<u64>(digests, remainder(murmur3x32(start, length, tweak + i * STEP) as u64, m, inverse));
      digests += 8;
    }
  }
}
