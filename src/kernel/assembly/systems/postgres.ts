// PostgreSQL's hash of texts and numbers, from their bytes.

import { hashBytes } from "../hashes/jenkins";
import { lengthOf, spanAt, startOf } from "../spans";

/** Writes the hashes of keys into the low halves of their digests. */
export function postgresHash(spans: usize, count: u32, digests: usize, params: usize): void {
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    store<u64>(digests, hashBytes(startOf(span), lengthOf(span)) as u64);
    digests += 8;
  }
}
