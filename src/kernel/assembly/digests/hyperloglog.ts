// The registers of a HyperLogLog sketch (Flajolet et al. 2007). src/sizing/cardinality.ts reads them.

/** 2^16 one-byte registers, which give a relative standard error of 1.04 / 256, or 0.41 %. */
const INDEX_BITS: u64 = 16;

/** Notes `count` digests in the registers at `registers`. */
export function hyperLogLogAdd(registers: usize, digests: usize, count: u32): void {
  const end = digests + ((count as usize) << 3);
  for (let at = digests; at < end; at += 8) {
    const digest = load<u64>(at);
    const register = registers + ((digest >> (64 - INDEX_BITS)) as usize);
    // The guard bit limits the rank to 64 - INDEX_BITS + 1.
    const rank = clz((digest << INDEX_BITS) | ((1 as u64) << (INDEX_BITS - 1))) as u32 + 1;
    if (rank > load<u8>(register)) store<u8>(register, rank);
  }
}
