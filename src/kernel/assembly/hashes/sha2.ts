// SHA-256, SHA-384 and SHA-512 (FIPS 180-4).

import { blockAt, lastBlocks, padMessage, SCHEDULE } from "./message";

const SMALL: usize = 64;
const LARGE: usize = 128;
const WORDS: usize = 8;

/** The first 64 bits of the fractional parts of the cube roots of primes. SHA-256 uses their high halves. */
const CUBE_ROOTS: usize = memory.data<u64>([
  0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
  0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
  0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
  0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
  0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
  0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
  0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
  0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
  0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
  0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
  0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
  0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
  0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
  0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
  0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
  0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
  0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
  0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
  0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
  0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
]);

/** The same for the square roots of the first eight primes, and of the next eight. */
const SQUARE_ROOTS: usize = memory.data<u64>([
  0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
  0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
  0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
  0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4,
]);
const NEXT_ROOTS = SQUARE_ROOTS + 64;

@inline
function word32(schedule: usize, i: u32): u32 {
  return load<u32>(schedule + ((i as usize) << 2));
}

function expand32(schedule: usize, block: usize): void {
  for (let at: usize = 0; at < SMALL; at += 4) store<u32>(schedule + at, bswap(load<u32>(block + at)));
  for (let i: u32 = 16; i < 64; i++) {
    const x = word32(schedule, i - 15);
    const y = word32(schedule, i - 2);
    const low = rotr(x, 7) ^ rotr(x, 18) ^ (x >> 3);
    const high = rotr(y, 17) ^ rotr(y, 19) ^ (y >> 10);
    store<u32>(schedule + ((i as usize) << 2), word32(schedule, i - 16) + low + word32(schedule, i - 7) + high);
  }
}

function compress32(scratch: usize, block: usize): void {
  const schedule = scratch + SCHEDULE;
  expand32(schedule, block);
  let a = load<u32>(scratch);
  let b = load<u32>(scratch, 4);
  let c = load<u32>(scratch, 8);
  let d = load<u32>(scratch, 12);
  let e = load<u32>(scratch, 16);
  let f = load<u32>(scratch, 20);
  let g = load<u32>(scratch, 24);
  let h = load<u32>(scratch, 28);
  for (let i: u32 = 0; i < 64; i++) {
    const root = load<u32>(CUBE_ROOTS + ((i as usize) << 3), 4);
    const first = h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + (g ^ (e & (f ^ g))) + root + word32(schedule, i);
    const second = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) | (c & (a | b)));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  store<u32>(scratch, load<u32>(scratch) + a);
  store<u32>(scratch, load<u32>(scratch, 4) + b, 4);
  store<u32>(scratch, load<u32>(scratch, 8) + c, 8);
  store<u32>(scratch, load<u32>(scratch, 12) + d, 12);
  store<u32>(scratch, load<u32>(scratch, 16) + e, 16);
  store<u32>(scratch, load<u32>(scratch, 20) + f, 20);
  store<u32>(scratch, load<u32>(scratch, 24) + g, 24);
  store<u32>(scratch, load<u32>(scratch, 28) + h, 28);
}

/** SHA-256 of a salt and a key: 32 bytes at the beginning of `scratch`. */
export function sha256(salt: usize, saltLength: usize, key: usize, keyLength: usize, scratch: usize): void {
  for (let i: usize = 0; i < WORDS; i++) store<u32>(scratch + 4 * i, load<u32>(SQUARE_ROOTS + 8 * i, 4));
  const length = saltLength + keyLength;
  for (let at: usize = 0; at + SMALL <= length; at += SMALL)
    compress32(scratch, blockAt(salt, saltLength, key, at, SMALL, scratch));
  const end = padMessage(salt, saltLength, key, length, SMALL, true, scratch);
  for (let block = lastBlocks(scratch); block < end; block += SMALL) compress32(scratch, block);
  for (let i: usize = 0; i < WORDS; i++) store<u32>(scratch + 4 * i, bswap(load<u32>(scratch + 4 * i)));
}

@inline
function word64(schedule: usize, i: u32): u64 {
  return load<u64>(schedule + ((i as usize) << 3));
}

function expand64(schedule: usize, block: usize): void {
  for (let at: usize = 0; at < LARGE; at += 8) store<u64>(schedule + at, bswap(load<u64>(block + at)));
  for (let i: u32 = 16; i < 80; i++) {
    const x = word64(schedule, i - 15);
    const y = word64(schedule, i - 2);
    const low = rotr(x, 1) ^ rotr(x, 8) ^ (x >> 7);
    const high = rotr(y, 19) ^ rotr(y, 61) ^ (y >> 6);
    store<u64>(schedule + ((i as usize) << 3), word64(schedule, i - 16) + low + word64(schedule, i - 7) + high);
  }
}

function compress64(scratch: usize, block: usize): void {
  const schedule = scratch + SCHEDULE;
  expand64(schedule, block);
  let a = load<u64>(scratch);
  let b = load<u64>(scratch, 8);
  let c = load<u64>(scratch, 16);
  let d = load<u64>(scratch, 24);
  let e = load<u64>(scratch, 32);
  let f = load<u64>(scratch, 40);
  let g = load<u64>(scratch, 48);
  let h = load<u64>(scratch, 56);
  for (let i: u32 = 0; i < 80; i++) {
    const root = word64(CUBE_ROOTS, i);
    const first = h + (rotr(e, 14) ^ rotr(e, 18) ^ rotr(e, 41)) + (g ^ (e & (f ^ g))) + root + word64(schedule, i);
    const second = (rotr(a, 28) ^ rotr(a, 34) ^ rotr(a, 39)) + ((a & b) | (c & (a | b)));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  store<u64>(scratch, load<u64>(scratch) + a);
  store<u64>(scratch, load<u64>(scratch, 8) + b, 8);
  store<u64>(scratch, load<u64>(scratch, 16) + c, 16);
  store<u64>(scratch, load<u64>(scratch, 24) + d, 24);
  store<u64>(scratch, load<u64>(scratch, 32) + e, 32);
  store<u64>(scratch, load<u64>(scratch, 40) + f, 40);
  store<u64>(scratch, load<u64>(scratch, 48) + g, 48);
  store<u64>(scratch, load<u64>(scratch, 56) + h, 56);
}

@inline
function ofLargeBlocks(roots: usize, salt: usize, saltLength: usize, key: usize, keyLength: usize, scratch: usize): void {
  memory.copy(scratch, roots, 8 * WORDS);
  const length = saltLength + keyLength;
  for (let at: usize = 0; at + LARGE <= length; at += LARGE)
    compress64(scratch, blockAt(salt, saltLength, key, at, LARGE, scratch));
  const end = padMessage(salt, saltLength, key, length, LARGE, true, scratch);
  for (let block = lastBlocks(scratch); block < end; block += LARGE) compress64(scratch, block);
  for (let i: usize = 0; i < WORDS; i++) store<u64>(scratch + 8 * i, bswap(load<u64>(scratch + 8 * i)));
}

/** SHA-384 of a salt and a key: 48 bytes at the beginning of `scratch`. */
export function sha384(salt: usize, saltLength: usize, key: usize, keyLength: usize, scratch: usize): void {
  ofLargeBlocks(NEXT_ROOTS, salt, saltLength, key, keyLength, scratch);
}

/** SHA-512 of a salt and a key: 64 bytes at the beginning of `scratch`. */
export function sha512(salt: usize, saltLength: usize, key: usize, keyLength: usize, scratch: usize): void {
  ofLargeBlocks(SQUARE_ROOTS, salt, saltLength, key, keyLength, scratch);
}
