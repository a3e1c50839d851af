// Compares numbers of a few bits each at once: they lie side by side in a word, as its lanes.

/** The lowest bit of each of the lowest `count` lanes. */
@inline
export function lanes(bits: u32, count: u32): u64 {
  let ones: u64 = 0;
  for (let lane: u32 = 0; lane < count; lane++) ones |= (1 as u64) << ((lane * bits) as u64);
  return ones;
}

/** The highest bit of each lane that is 0. The bits above the lanes may have any value. */
@inline
export function zeroLanes(word: u64, bits: u32, ones: u64): u64 {
  const high = ones << ((bits - 1) as u64);
  const low = high - ones;
  return ~(((word & low) + low) | word) & high;
}
