// Fewer than 8 bytes of a key, little-endian, in a u64.

@inline
export function load1(at: usize): u64 {
  return load<u8>(at) as u64;
}

@inline
export function load4(at: usize): u64 {
  return load<u32>(at) as u64;
}
