// Digests of npm's bloom-filters, after its hashing.ts. They are the positions |a + i b + (i^3 - i) / 6| mod m, i from
// 0. a and b are the low 32 bits of XXH64 with two seeds. No sum exceeds 2^53, up to which JavaScript's numbers are
// exact.

import { reciprocal, remainder } from "./remainder";
import { lengthOf, spanAt, startOf } from "../spans";
import { xxh64 } from "../hashes/xxh64";

/** Writes the positions of keys. The parameters are the two seeds, k and m. */
export function npmBloomFiltersHash(spans: usize, count: u32, digests: usize, params: usize): void {
  const firstSeed = load<u64>(params);
  const secondSeed = load<u64>(params, 8);
  const k = load<u64>(params, 16);
  const m = load<u64>(params, 24);
  const inverse = reciprocal(m);
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    const start = startOf(span);
    const length = lengthOf(span);
    const second = xxh64(start, length, secondSeed) & 0xffffffff;
    let position = xxh64(start, length, firstSeed) & 0xffffffff;
    let step = second;
    for (let i: u64 = 0; i < k; i++) {
      store<u64>(digests, remainder(position, m, inverse));
      digests += 8;
      position += step;
      // (i^3 - i) / 6 grows by i (i + 1) / 2.
      step += i + 1;
    }
  }
}
