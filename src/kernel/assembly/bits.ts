// Bit operations on whole segments, and on rows of any length at any address.

/** The number of ones in `length` bytes. */
export function popcount(from: usize, length: usize): u64 {
  let ones: u64 = 0;
  const end = from + length;
  const lastBytes = end - (length & 31);
  let at = from;
  for (; at < lastBytes; at += 32) {
    ones += popcnt(load<u64>(at)) + popcnt(load<u64>(at, 8)) + popcnt(load<u64>(at, 16)) + popcnt(load<u64>(at, 24));
  }
  for (; at < end; at++) ones += popcnt(load<u8>(at) as u64);
  return ones;
}

/** ORs `length` bytes at `from` into the bytes at `into`. */
export function orInto(into: usize, from: usize, length: usize): void {
  let offset: usize = 0;
  for (const whole = length & ~31; offset < whole; offset += 32) {
    v128.store(into + offset, v128.or(v128.load(into + offset), v128.load(from + offset)));
    v128.store(into + offset + 16, v128.or(v128.load(into + offset + 16), v128.load(from + offset + 16)));
  }
  for (; offset < length; offset++) store<u8>(into + offset, load<u8>(into + offset) | load<u8>(from + offset));
}

/** Writes zeros, even over zeros: if a page were read first, it would be faulted in twice. */
export function clear(from: usize, length: usize): void {
  memory.fill(from, 0, length);
}

/**
 * Reads every cache line of [from, from + length) in order, which the hardware prefetches. The following random
 * accesses then hit the cache. The sum only keeps the compiler from removing the reads.
 */
export function warm(from: usize, length: usize): u32 {
  let sum: u32 = 0;
  const end = from + length;
  for (let at = from; at < end; at += 64) sum += load<u32>(at);
  return sum;
}
