// Answers: from a byte per key to a byte per record.

/** ORs each key's hit into the byte of the record that owns it. */
export function collectHits(hits: usize, owners: usize, count: u32, matches: usize): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    const match = matches + (load<u32>(owners + (i << 2)) as usize);
    store<u8>(match, load<u8>(match) | load<u8>(hits + i));
  }
}

/** Number of ones among `count` bytes that are 0 or 1. */
export function countMatches(matches: usize, count: u32): u32 {
  let sum: u32 = 0;
  let i: usize = 0;
  const end = count as usize;
  for (; i + 8 <= end; i += 8) sum += popcnt(load<u64>(matches + i)) as u32;
  for (; i < end; i++) sum += load<u8>(matches + i) as u32;
  return sum;
}
