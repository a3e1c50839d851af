// Jenkins' lookup3, "hashlittle" (Bob Jenkins, lookup3.c, public domain).

import { lastBytes } from "./loads";

/** The hash of a key with a seed. */
export function lookup3(key: usize, length: usize, seed: u32): u32 {
  let a: u32 = 0xdeadbeef + (length as u32) + seed;
  let b = a;
  let c = a;
  if (length == 0) return c;
  const end = key + length;
  let at = key;
  for (; end - at > 12; at += 12) {
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
  // What is left, 1 to 12 bytes, and zeros behind it.
  const rest = end - at;
  if (rest > 8) c += lastBytes(end, rest - 8, length) as u32;
  if (rest >= 8) {
    a += load<u32>(at);
    b += load<u32>(at, 4);
  } else {
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
