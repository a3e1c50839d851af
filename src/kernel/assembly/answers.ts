// Answers: from a byte per key to a byte per record.

/** ORs each key's hit into the byte of the record that owns it. */
export function collectHits(hits: usize, owners: usize, count: u32, matches: usize): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    const match = matches + (load<u32>(owners + (i << 2)) as usize);
    store<u8>(match, load<u8>(match) | load<u8>(hits + i));
  }
}

/** ORs to the byte of each key's record whether its hit is 0. */
export function collectMisses(hits: usize, owners: usize, count: u32, matches: usize): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    const match = matches + (load<u32>(owners + (i << 2)) as usize);
    store<u8>(match, load<u8>(match) | (load<u8>(hits + i) ^ 1));
  }
}

/**
 * Takes those of `count` digests that have a hit, and their owners, to other places; returns their number. Without owners these are
 * `firstOwner` and those that follow it.
 */
export function keepHits(
  digests: usize, owners: usize, firstOwner: u32, count: u32, hits: usize, digestsTo: usize, ownersTo: usize,
): u32 {
  let kept: usize = 0;
  for (let i: usize = 0; i < (count as usize); i++) {
    store<u64>(digestsTo + (kept << 3), load<u64>(digests + (i << 3)));
    store<u32>(ownersTo + (kept << 2), owners ? load<u32>(owners + (i << 2)) : firstOwner + (i as u32));
    kept += load<u8>(hits + i) as usize;
  }
  return kept as u32;
}

/** Makes 2 of the match of each record that has none, but a byte of 1 at `elsewhere`; returns their number, and clears those. */
export function leaveUnanswered(matches: usize, elsewhere: usize, count: u32): u32 {
  let left: u32 = 0;
  for (let i: usize = 0; i < (count as usize); i++) {
    if (!load<u8>(elsewhere + i)) continue;
    store<u8>(elsewhere + i, 0);
    if (load<u8>(matches + i)) continue;
    store<u8>(matches + i, 2);
    left++;
  }
  return left;
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
