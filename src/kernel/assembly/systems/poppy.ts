// Digests and positions of poppy, version 2. A digest is a number that stands for the key, and the hash of this number.
// The hash is the first version of wyhash, after wyhash-rs 0.5.0 (functions.rs; Wang Yi, public domain).

import { foldedProduct } from "../hashes/product";
import { reciprocal, remainder } from "./remainder";
import { lengthOf, spanAt, startOf } from "../spans";

const P0: u64 = 0xa0761d6478bd642f;
const P1: u64 = 0xe7037ed1a0b428db;
const P2: u64 = 0x8ebc6af09c88c6e3;
const P3: u64 = 0x589965cc75374cc3;
const P4: u64 = 0x1d8e4e27c47d124f;
const P5: u64 = 0xeb44accab455d165;

const SEED: u64 = 0x706f707079533d42;

/** Keys up to this length are their own numbers. */
const SHORT: usize = 8;

@inline
function read2(at: usize): u64 {
  return load<u16>(at) as u64;
}

@inline
function read4(at: usize): u64 {
  return load<u32>(at) as u64;
}

/** 8 bytes, with the first 4 bytes in the high half. */
@inline
function readSwapped(at: usize): u64 {
  return rotl(load<u64>(at), 32);
}

/** The last `count` bytes, 1 to 8: 4, then 2, then 1 of them, each little-endian, with earlier bytes in higher bits. */
@inline
function readRest(at: usize, count: usize): u64 {
  if (count == 8) return readSwapped(at);
  let rest: u64 = 0;
  if (count & 4) {
    rest = read4(at);
    at += 4;
  }
  if (count & 2) {
    rest = rest << 16 | read2(at);
    at += 2;
  }
  return count & 1 ? rest << 8 | (load<u8>(at) as u64) : rest;
}

/** The hash of a key that is not empty. */
@inline
function wyhash(key: usize, length: usize): u64 {
  let seed = SEED;
  let at = key;
  for (const end = key + (length & ~31); at < end; at += 32) {
    const low = foldedProduct(load<u64>(at) ^ P1, load<u64>(at, 8) ^ P2);
    const high = foldedProduct(load<u64>(at, 16) ^ P3, load<u64>(at, 24) ^ P4);
    seed = foldedProduct(seed ^ P0, low ^ high);
  }
  seed ^= P0;
  const tail = length & 31;
  if (tail == 0) return foldedProduct(seed, (length as u64) ^ P5);
  const whole = (tail - 1) & ~7;
  const rest = readRest(at + whole, tail - whole);
  if (whole == 0) seed = foldedProduct(seed, rest ^ P1);
  else if (whole == 8) seed = foldedProduct(readSwapped(at) ^ seed, rest ^ P2);
  else {
    const low = foldedProduct(readSwapped(at) ^ seed, readSwapped(at + 8) ^ P2);
    seed = low ^ (whole == 16 ? foldedProduct(seed, rest ^ P3) : foldedProduct(readSwapped(at + 16) ^ seed, rest ^ P4));
  }
  return foldedProduct(seed, (length as u64) ^ P5);
}

/** The hash of a number as 8 bytes, with the highest byte first. */
@inline
function hashOf(number: u64): u64 {
  return foldedProduct(foldedProduct(SEED ^ P0, rotl(bswap<u64>(number), 32) ^ P1), 8 ^ P5);
}

/** A key of up to 8 bytes as a number, little-endian. */
@inline
function shortKey(key: usize, length: usize): u64 {
  let number: u64 = 0;
  for (let at = key + length; at > key; at--) number = number << 8 | (load<u8>(at - 1) as u64);
  return number;
}

/** Writes the numbers of keys, and the hashes of the numbers. */
export function poppyHash(spans: usize, count: u32, digests: usize, params: usize): void {
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    const key = startOf(span);
    const length = lengthOf(span);
    const number = length > SHORT ? wyhash(key, length) : shortKey(key, length);
    store<u64>(digests, number);
    store<u64>(digests, hashOf(number), 8);
    digests += 16;
  }
}

/** log2 of the bits of a bucket. */
const BUCKET_SHIFT: u64 = 15;
const BUCKET_MASK: u64 = (1 << BUCKET_SHIFT) - 1;

/**
 * Writes the positions `from` to `to` of each of `count` keys, u64 each. `keys` has the u32 indices of the digests. The
 * parameters are the number of buckets, and the bits of the cache after them. If the cache is not empty, it has the
 * first position. The others are in one bucket: number i, from 0, is h + i g + (i - 1) i (i + 1) / 6. The steps are g,
 * g + 1, g + 1 + 2 and so on.
 */
export function poppyPositions(
  digests: usize, keys: usize, count: u32, from: u32, to: u32, positions: usize, parameters: usize,
): void {
  const buckets = load<u64>(parameters);
  const cacheBits = load<u64>(parameters, 8);
  const inverse = reciprocal(buckets);
  const isCached: u32 = cacheBits > 0 ? 1 : 0;
  const first = max(from, isCached);
  const begin = (first - isCached) as u64;
  const ahead = (begin - 1) * begin * (begin + 1) / 6;
  const longer = begin * (begin + 1) / 2;
  const end = keys + ((count as usize) << 2);
  do {
    const digest = digests + ((load<u32>(keys) as usize) << 4);
    const h = load<u64>(digest);
    const g = load<u64>(digest, 8);
    let x = h ^ (h << 12);
    x ^= x >> 25;
    x = (x ^ (x << 27)) * 2685821657736338717;
    if (from < first && from < to) {
      store<u64>(positions, (buckets << BUCKET_SHIFT) + (x & (cacheBits - 1)));
      positions += 8;
    }
    const bucket = remainder(x, buckets, inverse) << BUCKET_SHIFT;
    let number = begin;
    let value = h + begin * g + ahead;
    let step = g + longer;
    for (let i = first; i < to; i++) {
      store<u64>(positions, bucket | (value & BUCKET_MASK));
      positions += 8;
      value += step;
      step += ++number;
    }
    keys += 4;
  } while (keys < end);
}
