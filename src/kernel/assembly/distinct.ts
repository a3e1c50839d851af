// Exact count of distinct digests, by a hash table with linear probing.

/**
 * Number of distinct values among `count` digests. `table` is scratch for `slots` digests, a power of two and at
 * least twice `count`.
 */
export function countDistinct(digests: usize, count: u32, table: usize, slots: u32): u32 {
  const mask = (slots - 1) as usize;
  memory.fill(table, 0, (slots as usize) << 3);
  let distinct: u32 = 0;
  let zero: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const digest = load<u64>(digests + ((i as usize) << 3));
    // An empty slot is 0, so the digest 0 is counted apart.
    if (digest == 0) {
      zero = 1;
      continue;
    }
    let slot = (digest as usize) & mask;
    let held = load<u64>(table + (slot << 3));
    while (held != 0 && held != digest) {
      slot = (slot + 1) & mask;
      held = load<u64>(table + (slot << 3));
    }
    if (held == 0) {
      store<u64>(table + (slot << 3), digest);
      distinct++;
    }
  }
  return distinct + zero;
}
