// Digests of marcan's bloom.py. They are the positions. MD5 of a key is a 128-bit number. Each position is its
// remainder by m, and the quotient remains for the next. When too little remains, the digest is hashed again.

import { md5 } from "../hashes/md5";
import { SCRATCH_BYTES } from "../hashes/message";
import { lengthOf, spanAt, startOf } from "../spans";

/**
 * The parameters after the seed: the scratch memory of the hash, a digest that is hashed again, k, m and the positions
 * per hash.
 */
const DIGEST: usize = 8 + SCRATCH_BYTES;
const PARAMETERS: usize = DIGEST + 16;

/** Bits of the low half per step of the division. A remainder, which is below 2^40, fits above them. */
const PIECE: u64 = 24;
const PIECE_MASK: u64 = (1 << PIECE) - 1;

/** Writes the positions of keys. */
export function marcanHash(spans: usize, count: u32, digests: usize, params: usize): void {
  const scratch = params + 8;
  const digest = params + DIGEST;
  const k = load<u64>(params + PARAMETERS);
  const m = load<u64>(params + PARAMETERS, 8);
  const each = load<u64>(params + PARAMETERS, 16);
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    let key = startOf(span);
    let length = lengthOf(span);
    let high: u64 = 0;
    let low: u64 = 0;
    let left: u64 = 0;
    for (let i: u64 = 0; i < k; i++) {
      if (left == 0) {
        md5(0, 0, key, length, scratch);
        v128.store(digest, v128.load(scratch));
        key = digest;
        length = 16;
        high = bswap(load<u64>(digest));
        low = bswap(load<u64>(digest, 8));
        left = each;
      }
      left--;
      // Divides 128 bits by m, piece by piece.
      let rest = high % m;
      high /= m;
      let quotient: u64 = 0;
      for (let bits: u64 = 64; bits > 0; ) {
        const piece = min(bits, PIECE);
        bits -= piece;
        rest = (rest << piece) | ((low >> bits) & (PIECE_MASK >> (PIECE - piece)));
        quotient = (quotient << piece) | (rest / m);
        rest %= m;
      }
      low = quotient;
      store<u64>(digests, rest);
      digests += 8;
    }
  }
}
