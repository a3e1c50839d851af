// Digests of Ethereum's logsBloom (yellow paper, M3:2048). They are the three positions: the low 11 bits of the first
// three pairs of bytes of Keccak-256, with the high byte first. Bit 0 is the lowest bit of the last of the 256 bytes.

import { keccak256 } from "../hashes/keccak";
import { lengthOf, spanAt, startOf } from "../spans";

const PAIRS_END: usize = 6;
const POSITION_MASK: u64 = 2047;

/** Turns the index of a bit that counts bytes from the last byte into an index that counts from the first byte. */
const FROM_FIRST: u64 = 255 << 3;

/** Writes the positions of keys. The parameters are an unused seed, and 336 bytes of scratch memory. */
export function ethereumHash(spans: usize, count: u32, digests: usize, params: usize): void {
  const scratch = params + 8;
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    keccak256(startOf(span), lengthOf(span), scratch);
    for (let pair: usize = 0; pair < PAIRS_END; pair += 2) {
      const number = bswap<u16>(load<u16>(scratch + pair)) as u64;
      store<u64>(digests, (number & POSITION_MASK) ^ FROM_FIRST);
      digests += 8;
    }
  }
}
