// SHA-1 (FIPS 180-4).

import { blockAt, lastBlocks, padMessage, SCHEDULE } from "./message";

const BLOCK: usize = 64;
const WORDS: usize = 5;

@inline
function word(schedule: usize, i: u32): u32 {
  return load<u32>(schedule + ((i as usize) << 2));
}

function expand(schedule: usize, block: usize): void {
  for (let at: usize = 0; at < BLOCK; at += 4) store<u32>(schedule + at, bswap(load<u32>(block + at)));
  for (let i: u32 = 16; i < 80; i++) {
    const mixed = word(schedule, i - 3) ^ word(schedule, i - 8) ^ word(schedule, i - 14) ^ word(schedule, i - 16);
    store<u32>(schedule + ((i as usize) << 2), rotl(mixed, 1));
  }
}

function compress(scratch: usize, block: usize): void {
  const schedule = scratch + SCHEDULE;
  expand(schedule, block);
  let a = load<u32>(scratch);
  let b = load<u32>(scratch, 4);
  let c = load<u32>(scratch, 8);
  let d = load<u32>(scratch, 12);
  let e = load<u32>(scratch, 16);
  for (let i: u32 = 0; i < 80; i++) {
    let mixed: u32;
    if (i < 20) mixed = (d ^ (b & (c ^ d))) + 0x5a827999;
    else if (i < 40) mixed = (b ^ c ^ d) + 0x6ed9eba1;
    else if (i < 60) mixed = ((b & c) | (d & (b | c))) + 0x8f1bbcdc;
    else mixed = (b ^ c ^ d) + 0xca62c1d6;
    const next = rotl(a, 5) + mixed + e + word(schedule, i);
    e = d;
    d = c;
    c = rotl(b, 30);
    b = a;
    a = next;
  }
  store<u32>(scratch, load<u32>(scratch) + a);
  store<u32>(scratch, load<u32>(scratch, 4) + b, 4);
  store<u32>(scratch, load<u32>(scratch, 8) + c, 8);
  store<u32>(scratch, load<u32>(scratch, 12) + d, 12);
  store<u32>(scratch, load<u32>(scratch, 16) + e, 16);
}

/** SHA-1 of a salt and a key: 20 bytes at the beginning of `scratch`. */
export function sha1(salt: usize, saltLength: usize, key: usize, keyLength: usize, scratch: usize): void {
  store<u64>(scratch, 0xefcdab8967452301);
  store<u64>(scratch, 0x1032547698badcfe, 8);
  store<u32>(scratch, 0xc3d2e1f0, 16);
  const length = saltLength + keyLength;
  for (let at: usize = 0; at + BLOCK <= length; at += BLOCK)
    compress(scratch, blockAt(salt, saltLength, key, at, BLOCK, scratch));
  const end = padMessage(salt, saltLength, key, length, BLOCK, true, scratch);
  for (let block = lastBlocks(scratch); block < end; block += BLOCK) compress(scratch, block);
  for (let i: usize = 0; i < WORDS; i++) store<u32>(scratch + 4 * i, bswap(load<u32>(scratch + 4 * i)));
}
