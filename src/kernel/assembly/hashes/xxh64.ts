// XXH64, after the specification "xxHash fast digest algorithm" by Yann Collet, version 0.1.1.

import { load1, load4 } from "./loads";
import { lengthOf, spanAt, startOf } from "../spans";

const PRIME1: u64 = 0x9e3779b185ebca87;
const PRIME2: u64 = 0xc2b2ae3d27d4eb4f;
const PRIME3: u64 = 0x165667b19e3779f9;
const PRIME4: u64 = 0x85ebca77c2b2ae63;
const PRIME5: u64 = 0x27d4eb2f165667c5;

@inline
function round(lane: u64, input: u64): u64 {
  return rotl(lane + input * PRIME2, 31) * PRIME1;
}

@inline
function mergeRound(hash: u64, lane: u64): u64 {
  return (hash ^ round(0, lane)) * PRIME1 + PRIME4;
}

/** Mixes 8 bytes into the hash. */
@inline
function takeWord(hash: u64, at: usize): u64 {
  return rotl(hash ^ round(0, load<u64>(at)), 27) * PRIME1 + PRIME4;
}

@inline
function takeByte(hash: u64, at: usize): u64 {
  return rotl(hash ^ (load1(at) * PRIME5), 11) * PRIME1;
}

@inline
function hash(key: usize, length: usize, seed: u64): u64 {
  let at = key;
  let h: u64;
  if (length >= 32) {
    const lastStripe = key + length - 32;
    let v1 = seed + PRIME1 + PRIME2;
    let v2 = seed + PRIME2;
    let v3 = seed;
    let v4 = seed - PRIME1;
    do {
      v1 = round(v1, load<u64>(at));
      v2 = round(v2, load<u64>(at + 8));
      v3 = round(v3, load<u64>(at + 16));
      v4 = round(v4, load<u64>(at + 24));
      at += 32;
    } while (at <= lastStripe);
    h = rotl(v1, 1) + rotl(v2, 7) + rotl(v3, 12) + rotl(v4, 18);
    h = mergeRound(h, v1);
    h = mergeRound(h, v2);
    h = mergeRound(h, v3);
    h = mergeRound(h, v4);
  } else {
    h = seed + PRIME5;
  }
  h += length as u64;
  // The bits of the length select the remaining pieces. This needs fewer instructions than a comparison of addresses
  // after each piece.
  if (length & 16) {
    h = takeWord(takeWord(h, at), at + 8);
    at += 16;
  }
  if (length & 8) {
    h = takeWord(h, at);
    at += 8;
  }
  if (length & 4) {
    h = rotl(h ^ (load4(at) * PRIME1), 23) * PRIME2 + PRIME3;
    at += 4;
  }
  if (length & 2) {
    h = takeByte(takeByte(h, at), at + 1);
    at += 2;
  }
  if (length & 1) h = takeByte(h, at);
  h = (h ^ (h >> 33)) * PRIME2;
  h = (h ^ (h >> 29)) * PRIME3;
  return h ^ (h >> 32);
}

/** XXH64 of `length` bytes at `key`. */
export function xxh64(key: usize, length: usize, seed: u64): u64 {
  return hash(key, length, seed);
}

/** XXH64 of keys. */
export function xxh64Hash(spans: usize, count: u32, digests: usize, params: usize): void {
  const seed = load<u64>(params);
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    store<u64>(digests, hash(startOf(span), lengthOf(span), seed));
    digests += 8;
  }
}
