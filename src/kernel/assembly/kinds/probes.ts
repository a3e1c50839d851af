// How a digest d picks places in its segment: with the sequence x_1 = d * MULTIPLIER, x_j = mix(x_(j-1)) * MULTIPLIER,
// mod 2^64. Probe 2j-2 is made from hi32(x_j) and probe 2j-1 from lo32(x_j), each scaled to the segment by
// floor(half * places / 2^32). Two probes a multiplication is as cheap as double hashing (Kirsch & Mitzenmacher 2006)
// and, unlike it, behaves like independent probes in small segments too (on what double hashing costs there: Dillinger &
// Manolios 2004, "Bloom filters in probabilistic verification").

// A multiplier with a good spectrum for 64-bit sequences: Steele & Vigna 2022, "Computationally easy, spectrally
// good multipliers for congruential pseudorandom number generators", table 5.
export const MULTIPLIER: u64 = 0xd1342543de82ef95;

/**
 * Brings the upper half to the lower one. Without it the lower halves are a sequence of their own: a stranger whose
 * digest has the lower half of a member's needs but half of the hits, which makes three times a rate of 1e-9.
 */
@inline
export function mix(x: u64): u64 {
  return x ^ (x >> 32);
}

@inline
export function scale(half: u64, range: u64): usize {
  return ((half * range) >> 32) as usize;
}
