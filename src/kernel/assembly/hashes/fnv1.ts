// FNV-1 with 64 bits (draft-eastlake-fnv, section 2): for each byte a multiplication, and then a xor with the byte.

import { lengthOf, spanAt, startOf } from "../spans";

const PRIME: u64 = 0x100000001b3;
const BASIS: u64 = 0xcbf29ce484222325;

/** FNV-1 of keys. */
export function fnv1Hash(spans: usize, count: u32, digests: usize, params: usize): void {
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    const start = startOf(span);
    const keyEnd = start + lengthOf(span);
    let hash = BASIS;
    for (let byte = start; byte < keyEnd; byte++) hash = (hash * PRIME) ^ (load<u8>(byte) as u64);
    store<u64>(digests, hash);
    digests += 8;
  }
}
