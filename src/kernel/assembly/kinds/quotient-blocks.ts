// The quotient filter (Bender et al. 2012), one per segment, in the form with rank and select (Pandey, Bender, Johnson
// & Patro 2017). A digest becomes a number below quotients * 2^r. Its high part is the quotient, its low r bits are the
// remainder. The remainders of a quotient form a run of sorted slots. Runs follow each other in the order of their
// quotients, none before the slot of its quotient.
//
// A block of 64 slots has r words of remainders and three further words. The first marks its quotients that have a run,
// the second its slots that end a run. The third is the number of its first slots that runs of earlier quotients take.

export const BLOCK_SLOTS: u32 = 64;

/** Slots after the last quotient, for runs that are pushed there. */
export const TAIL_SLOTS: u32 = 512;

@inline
export function blockBytes(bits: u32): usize {
  return ((bits + 3) as usize) << 3;
}

@inline
export function rangeOf(blocks: u32, bits: u32): u64 {
  return ((blocks * BLOCK_SLOTS - TAIL_SLOTS) as u64) << bits;
}

@inline
export function occupiedAt(segment: usize, block: u32, bits: u32): usize {
  return segment + (block as usize) * blockBytes(bits) + ((bits as usize) << 3);
}

@inline
export function runEndsAt(segment: usize, block: u32, bits: u32): usize {
  return occupiedAt(segment, block, bits) + 8;
}

@inline
export function spillAt(segment: usize, block: u32, bits: u32): usize {
  return occupiedAt(segment, block, bits) + 16;
}

@inline
export function remainderBit(slot: u32, bits: u32): usize {
  return ((slot & 63) * bits) as usize;
}

@inline
export function remainderAt(segment: usize, slot: u32, bits: u32): u64 {
  const bit = remainderBit(slot, bits);
  const at = segment + ((slot >> 6) as usize) * blockBytes(bits) + (bit >> 3);
  return (load<u64>(at) >> (bit & 7)) & (((1 as u64) << bits) - 1);
}

@inline
export function endsRun(segment: usize, slot: u32, bits: u32): bool {
  return ((load<u64>(runEndsAt(segment, slot >> 6, bits)) >> (slot & 63)) & 1) != 0;
}
