// Filters of other systems that keep fingerprints: the cuckoo filters of RedisBloom, after its cuckoo.c, and images of
// binary fuse filters, after binaryfusefilter.h of xor_singleheader. The positions of a key must be in memory, like
// positions of bits. Then all of them are read together.

import { BitArray } from "./bit-array";
import { highProduct } from "../hashes/product";
import { lengthOf, spanAt, startOf } from "../spans";

/** The address of a position in the array. */
@inline
function placeOf(address: usize, position: u64): usize {
  return address + ((position >> 3) as usize);
}

@inline
function digestAt(digests: usize, keys: usize): u64 {
  return load<u64>(digests + ((load<u32>(keys) as usize) << 3));
}

/** A cuckoo filter has fingerprints of one byte, from 1 to 255, in buckets. */
@inline
function fingerprintOf(digest: u64): u64 {
  return (digest % 255) + 1;
}

/** The multiplier of a fingerprint for the other bucket. */
const OTHER: u64 = 0x5bd1e995;

/**
 * Writes four positions per key, u64 each: the first and the last byte of both buckets. The parameters are the number
 * of buckets, and the bytes of a bucket.
 */
export function cuckooImagePositions(
  digests: usize, keys: usize, count: u32, from: u32, to: u32, positions: usize, parameters: usize,
): void {
  const buckets = load<u64>(parameters);
  const bytes = load<u64>(parameters, 8);
  const last = (bytes - 1) << 3;
  const end = keys + ((count as usize) << 2);
  do {
    const digest = digestAt(digests, keys);
    const first = ((digest % buckets) * bytes) << 3;
    const second = (((digest ^ (fingerprintOf(digest) * OTHER)) % buckets) * bytes) << 3;
    store<u64>(positions, first);
    store<u64>(positions, first + last, 8);
    store<u64>(positions, second, 16);
    store<u64>(positions, second + last, 24);
    positions += 32;
    keys += 4;
  } while (keys < end);
}

@inline
function holds(at: usize, bytes: usize, fingerprint: u64): bool {
  for (const end = at + bytes; at < end; at++) if ((load<u8>(at) as u64) == fingerprint) return true;
  return false;
}

/** Tests keys. Writes a byte each at `hits`, 1 if the fingerprint is in one of the buckets at the positions. */
export function cuckooImageTest(
  array: BitArray, positions: usize, count: u32, digests: usize, keys: usize, hits: usize, parameters: usize,
): void {
  const address = array.address as usize;
  const bytes = load<u64>(parameters, 8) as usize;
  for (const end = hits + count; hits < end; hits++) {
    const fingerprint = fingerprintOf(digestAt(digests, keys));
    const isPresent =
      holds(placeOf(address, load<u64>(positions)), bytes, fingerprint) ||
      holds(placeOf(address, load<u64>(positions, 16)), bytes, fingerprint);
    store<u8>(hits, isPresent as u8);
    positions += 32;
    keys += 4;
  }
}

/** The finalizer of MurmurHash3. */
@inline
function mixed(x: u64): u64 {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccd;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53;
  return x ^ (x >> 33);
}

/**
 * Writes three positions per key, u64 each, where its fingerprints are. The parameters are four numbers: the seed, the
 * slots of a segment, the slots in which a first fingerprint can be, and log2 of the bytes of a slot.
 */
export function binaryFusePositions(
  digests: usize, keys: usize, count: u32, from: u32, to: u32, positions: usize, parameters: usize,
): void {
  const seed = load<u64>(parameters);
  const segment = load<u64>(parameters, 8);
  const firsts = load<u64>(parameters, 16);
  const shift = load<u64>(parameters, 24) + 3;
  const mask = segment - 1;
  const end = keys + ((count as usize) << 2);
  do {
    const hash = mixed(digestAt(digests, keys) + seed);
    const first = highProduct(hash, firsts);
    store<u64>(positions, first << shift);
    store<u64>(positions, ((first + segment) ^ ((hash >> 18) & mask)) << shift, 8);
    store<u64>(positions, ((first + 2 * segment) ^ (hash & mask)) << shift, 16);
    positions += 24;
    keys += 4;
  } while (keys < end);
}

@inline
function slotAt(address: usize, position: u64, isWide: bool): u64 {
  const at = placeOf(address, position);
  return isWide ? (load<u16>(at) as u64) : (load<u8>(at) as u64);
}

/** Tests keys. Writes a byte each at `hits`, 1 if the XOR of the slots at the positions is the fingerprint. */
export function binaryFuseTest(
  array: BitArray, positions: usize, count: u32, digests: usize, keys: usize, hits: usize, parameters: usize,
): void {
  const address = array.address as usize;
  const seed = load<u64>(parameters);
  const isWide = load<u64>(parameters, 24) == 1;
  const mask: u64 = isWide ? 0xffff : 0xff;
  for (const end = hits + count; hits < end; hits++) {
    const hash = mixed(digestAt(digests, keys) + seed);
    const found =
      slotAt(address, load<u64>(positions), isWide) ^
      slotAt(address, load<u64>(positions, 8), isWide) ^
      slotAt(address, load<u64>(positions, 16), isWide);
    store<u8>(hits, (((hash ^ (hash >> 32)) & mask) == found) as u8);
    positions += 24;
    keys += 4;
  }
}

/** The number of bytes that are not 0. `length` is a multiple of 16. */
export function usedSlots(from: usize, length: usize): u32 {
  let empty: u32 = 0;
  for (const end = from + length; from < end; from += 16)
    empty += popcnt(i8x16.bitmask(i8x16.eq(v128.load(from), i8x16.splat(0))));
  return (length as u32) - empty;
}

/** Writes the digests of numbers: each number is its own digest. */
export function numberHash(spans: usize, count: u32, digests: usize, params: usize): void {
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    store<u64>(digests, lengthOf(span) == 8 ? load<u64>(startOf(span)) : 0);
    digests += 8;
  }
}
