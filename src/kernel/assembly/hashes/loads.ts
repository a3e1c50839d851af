// Fewer than 8 bytes of a key, little-endian, in a u64.

@inline
export function load1(at: usize): u64 {
  return load<u8>(at) as u64;
}

@inline
export function load4(at: usize): u64 {
  return load<u32>(at) as u64;
}

/** The last `count` bytes, 1 to 7, of a key of `length` bytes. The loads overlap and never leave the key. */
@inline
export function lastBytes(end: usize, count: usize, length: usize): u64 {
  if (length >= 8) return load<u64>(end - 8) >> ((64 - 8 * count) as u64);
  const at = end - count;
  if (count >= 4) return load4(at) | (load4(end - 4) << ((8 * (count - 4)) as u64));
  const middle = count >> 1;
  const last = count - 1;
  return load1(at) | (load1(at + middle) << ((8 * middle) as u64)) | (load1(at + last) << ((8 * last) as u64));
}
