// FarmHash's Fingerprint64, after Geoff Pike's farmhash.cc (google/farmhash, version 1.1, namespace farmhashna). It is
// farmhashna::Hash64WithSeed if the seed is not 0. Keys of up to 64 bytes need few multiplications, and most of them do
// not wait for each other. So it is the fastest hash here, because 128-bit products are slow in WebAssembly.

import { load1, load4 } from "./loads";
import { lengthOf, spanAt, startOf } from "../spans";

const K0: u64 = 0xc3a5c85c97cb3127;
const K1: u64 = 0xb492b66fbe98f273;
const K2: u64 = 0x9ae16a3b2f90404f;

/** The multiplier that joins a hash and its seed. */
const SEED_MULTIPLIER: u64 = 0x9ddfea08eb382d69;

@inline
function shiftMix(x: u64): u64 {
  return x ^ (x >> 47);
}

@inline
function join(u: u64, v: u64, multiplier: u64): u64 {
  const a = shiftMix((u ^ v) * multiplier);
  return shiftMix((v ^ a) * multiplier) * multiplier;
}

@inline
function hash1To3(key: usize, length: usize): u64 {
  const y = load1(key) + (load1(key + (length >> 1)) << 8);
  const z = (length as u64) + (load1(key + length - 1) << 2);
  return shiftMix((y * K2) ^ (z * K0)) * K2;
}

@inline
function hash4To7(key: usize, length: usize): u64 {
  return join((length as u64) + (load4(key) << 3), load4(key + length - 4), K2 + 2 * (length as u64));
}

@inline
function hash8To16(key: usize, length: usize): u64 {
  const multiplier = K2 + 2 * (length as u64);
  const a = load<u64>(key) + K2;
  const b = load<u64>(key + length - 8);
  return join(rotr(b, 37) * multiplier + a, (rotr(a, 25) + b) * multiplier, multiplier);
}

@inline
function hash17To32(key: usize, length: usize): u64 {
  const multiplier = K2 + 2 * (length as u64);
  const a = load<u64>(key) * K1;
  const b = load<u64>(key + 8);
  const c = load<u64>(key + length - 8) * multiplier;
  const d = load<u64>(key + length - 16) * K2;
  return join(rotr(a + b, 43) + rotr(c, 30) + d, a + rotr(b + K2, 18) + c, multiplier);
}

@inline
function hash33To64(key: usize, length: usize): u64 {
  const multiplier = K2 + 2 * (length as u64);
  const a = load<u64>(key) * K2;
  const b = load<u64>(key + 8);
  const c = load<u64>(key + length - 8) * multiplier;
  const d = load<u64>(key + length - 16) * K2;
  const y = rotr(a + b, 43) + rotr(c, 30) + d;
  const z = join(y, a + rotr(b + K2, 18) + c, multiplier);
  const e = load<u64>(key + 16) * multiplier;
  const f = load<u64>(key + 24);
  const g = (y + load<u64>(key + length - 32)) * multiplier;
  const h = (z + load<u64>(key + length - 24)) * multiplier;
  return join(rotr(e + f, 43) + rotr(g, 30) + h, e + rotr(f + a, 18) + g, multiplier);
}

/** The first of the two words that are made from 32 bytes and two words. */
@inline
function weakFirst(at: usize, a: u64): u64 {
  return a + load<u64>(at) + load<u64>(at + 8) + load<u64>(at + 16) + load<u64>(at + 24);
}

/** The second of these words. */
@inline
function weakSecond(at: usize, a: u64, b: u64): u64 {
  const first = a + load<u64>(at);
  return rotr(b + first + load<u64>(at + 24), 21) + rotr(first + load<u64>(at + 8) + load<u64>(at + 16), 44) + first;
}

/** A separate function: in the function of the short keys, the long ones would take registers. */
function hashLong(key: usize, length: usize): u64 {
  let y: u64 = 81 * K1 + 113;
  let z = shiftMix(y * K2 + 113) * K2;
  let x = 81 * K2 + load<u64>(key);
  let v1: u64 = 0;
  let v2: u64 = 0;
  let w1: u64 = 0;
  let w2: u64 = 0;
  let multiplier = K1;
  let weight: u64 = 1;
  let at = key;
  for (let blocks = (length - 1) >> 6; ; blocks--) {
    if (blocks == 0) {
      // The last 64 bytes, which may overlap the block before.
      at = key + length - 64;
      multiplier = K1 + ((z & 0xff) << 1);
      weight = 9;
      w1 += ((length - 1) & 63) as u64;
      v1 += w1;
      w1 += v1;
    }
    x = (rotr(x + y + v1 + load<u64>(at + 8), 37) * multiplier) ^ (w2 * weight);
    y = rotr(y + v2 + load<u64>(at + 48), 42) * multiplier + v1 * weight + load<u64>(at + 40);
    z = rotr(z + w1, 33) * multiplier;
    const v = v2 * multiplier;
    const w = z + w2;
    v1 = weakFirst(at, v);
    v2 = weakSecond(at, v, x + w1);
    w1 = weakFirst(at + 32, w);
    w2 = weakSecond(at + 32, w, y + load<u64>(at + 16));
    const swapped = z;
    z = x;
    x = swapped;
    if (blocks == 0) break;
    at += 64;
  }
  return join(join(v1, w1, multiplier) + shiftMix(y) * K0 + z, join(v2, w2, multiplier) + x, multiplier);
}

@inline
function hash(key: usize, length: usize): u64 {
  if (length > 16) {
    if (length <= 32) return hash17To32(key, length);
    return length <= 64 ? hash33To64(key, length) : hashLong(key, length);
  }
  if (length >= 8) return hash8To16(key, length);
  if (length >= 4) return hash4To7(key, length);
  return length > 0 ? hash1To3(key, length) : K2;
}

/** Fingerprint64 of keys. */
export function farm64Hash(spans: usize, count: u32, digests: usize, params: usize): void {
  const seed = load<u64>(params);
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    let digest = hash(startOf(span), lengthOf(span));
    if (seed) digest = join(digest - K2, seed, SEED_MULTIPLIER);
    store<u64>(digests, digest);
    digests += 8;
  }
}
