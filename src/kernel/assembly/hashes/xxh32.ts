// XXH32, after the specification "xxHash fast digest algorithm" by Yann Collet, version 0.1.1.

const PRIME1: u32 = 0x9e3779b1;
const PRIME2: u32 = 0x85ebca77;
const PRIME3: u32 = 0xc2b2ae3d;
const PRIME4: u32 = 0x27d4eb2f;
const PRIME5: u32 = 0x165667b1;

@inline
function round(lane: u32, input: u32): u32 {
  return rotl(lane + input * PRIME2, 13) * PRIME1;
}

/** XXH32 of `length` bytes at `key`. */
export function xxh32(key: usize, length: usize, seed: u32): u32 {
  const end = key + length;
  let at = key;
  let h = seed + PRIME5;
  if (length >= 16) {
    let v1 = seed + PRIME1 + PRIME2;
    let v2 = seed + PRIME2;
    let v3 = seed;
    let v4 = seed - PRIME1;
    for (; at + 16 <= end; at += 16) {
      v1 = round(v1, load<u32>(at));
      v2 = round(v2, load<u32>(at, 4));
      v3 = round(v3, load<u32>(at, 8));
      v4 = round(v4, load<u32>(at, 12));
    }
    h = rotl(v1, 1) + rotl(v2, 7) + rotl(v3, 12) + rotl(v4, 18);
  }
  h += length as u32;
  for (; at + 4 <= end; at += 4) h = rotl(h + load<u32>(at) * PRIME3, 17) * PRIME4;
  for (; at < end; at++) h = rotl(h + (load<u8>(at) as u32) * PRIME5, 11) * PRIME1;
  h = (h ^ (h >> 15)) * PRIME2;
  h = (h ^ (h >> 13)) * PRIME3;
  return h ^ (h >> 16);
}
