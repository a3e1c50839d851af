// Jenkins' lookup3, "hashlittle" (Bob Jenkins, lookup3.c, public domain), and PostgreSQL's variant (hash_bytes of
// hashfn.c).

import { lastBytes } from "./loads";

/**
 * The hash of a key from the state `start`. lookup3 leaves a last whole block of 12 bytes to the end; PostgreSQL mixes
 * it like the others. PostgreSQL leaves the lowest byte of the third word of the rest empty.
 */
@inline
function lookup(key: usize, length: usize, start: u32, isPostgres: bool): u32 {
  let a = start;
  let b = a;
  let c = a;
  const least: usize = isPostgres ? 12 : 13;
  const end = key + length;
  let at = key;
  for (; end - at >= least; at += 12) {
    a += load<u32>(at);
    b += load<u32>(at, 4);
    c += load<u32>(at, 8);
    a = (a - c) ^ rotl(c, 4);
    c += b;
    b = (b - a) ^ rotl(a, 6);
    a += c;
    c = (c - b) ^ rotl(b, 8);
    b += a;
    a = (a - c) ^ rotl(c, 16);
    c += b;
    b = (b - a) ^ rotl(a, 19);
    a += c;
    c = (c - b) ^ rotl(b, 4);
    b += a;
  }
  // The rest of up to 12 bytes, padded with zeros.
  const rest = end - at;
  if (rest > 8) c += (lastBytes(end, rest - 8, length) as u32) << (isPostgres ? 8 : 0);
  if (rest >= 8) {
    a += load<u32>(at);
    b += load<u32>(at, 4);
  } else if (rest > 0) {
    const word = lastBytes(end, rest, length);
    a += word as u32;
    b += (word >> 32) as u32;
  }
  c = (c ^ b) - rotl(b, 14);
  a = (a ^ c) - rotl(c, 11);
  b = (b ^ a) - rotl(a, 25);
  c = (c ^ b) - rotl(b, 16);
  a = (a ^ c) - rotl(c, 4);
  b = (b ^ a) - rotl(a, 14);
  return (c ^ b) - rotl(b, 24);
}

/** The hash of a key with a seed. */
export function lookup3(key: usize, length: usize, seed: u32): u32 {
  const start: u32 = 0xdeadbeef + (length as u32) + seed;
  return length == 0 ? start : lookup(key, length, start, false);
}

/** The hash of a key in PostgreSQL. */
export function hashBytes(key: usize, length: usize): u32 {
  return lookup(key, length, 0x9e3779b9 + (length as u32) + 3923095, true);
}
