// MD5 (RFC 1321).

import { blockAt, lastBlocks, padMessage } from "./message";

const BLOCK: usize = 64;

/** |sin i| 2^32, i from 1. */
const SINES: usize = memory.data<u32>([
  0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
  0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
  0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
  0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
  0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
  0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
  0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
  0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
]);

@inline
function word(block: usize, index: u32): u32 {
  return load<u32>(block + ((index as usize) << 2));
}

/** A step of any round. `mixed` is the round's function of b, c and d. */
@inline
function step(a: u32, b: u32, mixed: u32, block: usize, index: u32, i: u32, by: u32): u32 {
  return b + rotl(a + mixed + word(block, index & 15) + word(SINES, i), by);
}

function compress(state: usize, block: usize): void {
  let a = load<u32>(state);
  let b = load<u32>(state, 4);
  let c = load<u32>(state, 8);
  let d = load<u32>(state, 12);
  for (let i: u32 = 0; i < 16; i += 4) {
    a = step(a, b, d ^ (b & (c ^ d)), block, i, i, 7);
    d = step(d, a, c ^ (a & (b ^ c)), block, i + 1, i + 1, 12);
    c = step(c, d, b ^ (d & (a ^ b)), block, i + 2, i + 2, 17);
    b = step(b, c, a ^ (c & (d ^ a)), block, i + 3, i + 3, 22);
  }
  for (let i: u32 = 16; i < 32; i += 4) {
    a = step(a, b, c ^ (d & (b ^ c)), block, 5 * i + 1, i, 5);
    d = step(d, a, b ^ (c & (a ^ b)), block, 5 * i + 6, i + 1, 9);
    c = step(c, d, a ^ (b & (d ^ a)), block, 5 * i + 11, i + 2, 14);
    b = step(b, c, d ^ (a & (c ^ d)), block, 5 * i + 16, i + 3, 20);
  }
  for (let i: u32 = 32; i < 48; i += 4) {
    a = step(a, b, b ^ c ^ d, block, 3 * i + 5, i, 4);
    d = step(d, a, a ^ b ^ c, block, 3 * i + 8, i + 1, 11);
    c = step(c, d, d ^ a ^ b, block, 3 * i + 11, i + 2, 16);
    b = step(b, c, c ^ d ^ a, block, 3 * i + 14, i + 3, 23);
  }
  for (let i: u32 = 48; i < 64; i += 4) {
    a = step(a, b, c ^ (b | ~d), block, 7 * i, i, 6);
    d = step(d, a, b ^ (a | ~c), block, 7 * i + 7, i + 1, 10);
    c = step(c, d, a ^ (d | ~b), block, 7 * i + 14, i + 2, 15);
    b = step(b, c, d ^ (c | ~a), block, 7 * i + 21, i + 3, 21);
  }
  store<u32>(state, load<u32>(state) + a);
  store<u32>(state, load<u32>(state, 4) + b, 4);
  store<u32>(state, load<u32>(state, 8) + c, 8);
  store<u32>(state, load<u32>(state, 12) + d, 12);
}

/** MD5 of a salt and a key: 16 bytes at the beginning of `scratch`. */
export function md5(salt: usize, saltLength: usize, key: usize, keyLength: usize, scratch: usize): void {
  store<u64>(scratch, 0xefcdab8967452301);
  store<u64>(scratch, 0x1032547698badcfe, 8);
  const length = saltLength + keyLength;
  for (let at: usize = 0; at + BLOCK <= length; at += BLOCK)
    compress(scratch, blockAt(salt, saltLength, key, at, BLOCK, scratch));
  const end = padMessage(salt, saltLength, key, length, BLOCK, false, scratch);
  for (let block = lastBlocks(scratch); block < end; block += BLOCK) compress(scratch, block);
}
