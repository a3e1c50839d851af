// How a digest d selects positions in its segment: by the sequence x_1 = d * MULTIPLIER, x_j = mix(x_(j-1)) *
// MULTIPLIER, mod 2^64. Probe 2j-2 is made from hi32(x_j) and probe 2j-1 from lo32(x_j). Each half is scaled to the
// segment by floor(half * units / 2^32).
//
// Two probes per multiplication are as cheap as double hashing (Kirsch & Mitzenmacher 2006). Unlike double hashing,
// they behave like independent probes in small segments too (see Dillinger & Manolios 2004, "Bloom filters in
// probabilistic verification").

// A multiplier with a good spectrum for 64-bit sequences: Steele & Vigna 2022, "Computationally easy, spectrally good
// multipliers for congruential pseudorandom number generators", table 5.
export const MULTIPLIER: u64 = 0xd1342543de82ef95;

/**
 * Mixes the high half into the low half. Otherwise the low halves would be a separate sequence. A non-member with the
 * low half of a member's digest would need only half of the hits, which triples a rate of 1e-9.
 */
@inline
export function mix(x: u64): u64 {
  return x ^ (x >> 32);
}

@inline
export function scale(half: u64, range: u64): usize {
  return ((half * range) >> 32) as usize;
}
