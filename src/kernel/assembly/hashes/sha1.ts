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

function compress(room: usize, block: usize): void {
  const schedule = room + SCHEDULE;
  expand(schedule, block);
  let a = load<u32>(room);
  let b = load<u32>(room, 4);
  let c = load<u32>(room, 8);
  let d = load<u32>(room, 12);
  let e = load<u32>(room, 16);
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
  store<u32>(room, load<u32>(room) + a);
  store<u32>(room, load<u32>(room, 4) + b, 4);
  store<u32>(room, load<u32>(room, 8) + c, 8);
  store<u32>(room, load<u32>(room, 12) + d, 12);
  store<u32>(room, load<u32>(room, 16) + e, 16);
}

/** SHA-1 of a salt and a key: 20 bytes at the beginning of `room`. */
export function sha1(salt: usize, saltLength: usize, key: usize, keyLength: usize, room: usize): void {
  store<u64>(room, 0xefcdab8967452301);
  store<u64>(room, 0x1032547698badcfe, 8);
  store<u32>(room, 0xc3d2e1f0, 16);
  const length = saltLength + keyLength;
  for (let at: usize = 0; at + BLOCK <= length; at += BLOCK)
    compress(room, blockAt(salt, saltLength, key, at, BLOCK, room));
  const end = padMessage(salt, saltLength, key, length, BLOCK, true, room);
  for (let block = lastBlocks(room); block < end; block += BLOCK) compress(room, block);
  for (let i: usize = 0; i < WORDS; i++) store<u32>(room + 4 * i, bswap(load<u32>(room + 4 * i)));
}
