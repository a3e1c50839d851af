// The split-block Bloom filter, as the Apache Parquet format defines it (BloomFilter.md), one per segment.
//
// The digest selects block floor(hi32 * blocks / 2^32) of all blocks of the filter. A segment is an equal share of the
// blocks, and floor(hi32 * segments / 2^32) is the segment with this block. So the low half of hi32 * segments, scaled
// to the blocks of a segment, is the block in the segment. Word i of the block gets bit (lo32 * salt_i) >> 27.

import { Parameters } from "../parameters";

const LOW_SALTS = i32x4(0x47b6137b, 0x44974d91, <i32>0x8824ad5b, <i32>0xa2b7289d);
const HIGH_SALTS = i32x4(0x705495c7, 0x2df1424b, <i32>0x9efc4947, 0x5c6bfb31);
const BLOCK_BYTES_LOG2: usize = 5;

@inline
function blockOf(segment: usize, segments: u64, blocks: u64, digest: u64): usize {
  const rest = ((digest >> 32) * segments) & 0xffffffff;
  return segment + ((((rest * blocks) >> 32) as usize) << BLOCK_BYTES_LOG2);
}

/**
 * 2^x in each lane, where x is the upper five bits. Vectors cannot shift lanes separately, but x can be the exponent of
 * a float. The float is -2^x, and the result is negated: a signed conversion takes half of the instructions, but cannot
 * hold 2^31.
 */
@inline
function maskOf(digest: u64, salts: v128): v128 {
  const x = i32x4.shr_u(i32x4.mul(i32x4.splat(digest as i32), salts), 27);
  const power = i32x4.add(i32x4.shl(x, 23), i32x4.splat(<i32>0xbf800000));
  return i32x4.neg(i32x4.trunc_sat_f32x4_s(power));
}

/** Adds `count` digests to the segment at `segment`. */
export function blockedAdd(segment: usize, digests: usize, count: u32, parameters: Parameters): void {
  const segments = parameters.segments;
  const blocks = parameters.units;
  const end = digests + ((count as usize) << 3);
  if (count == 0) return;
  do {
    const digest = load<u64>(digests);
    const block = blockOf(segment, segments, blocks, digest);
    v128.store(block, v128.or(v128.load(block), maskOf(digest, LOW_SALTS)));
    v128.store(block, v128.or(v128.load(block, 16), maskOf(digest, HIGH_SALTS)), 16);
    digests += 8;
  } while (digests < end);
}

/**
 * Adds those of `count` digests whose byte at `known` is 0, one after the other. Writes 1 there for each digest that
 * was in the segment by then.
 */
export function blockedAddNew(segment: usize, digests: usize, count: u32, known: usize, parameters: Parameters): void {
  const segments = parameters.segments;
  const blocks = parameters.units;
  const end = digests + ((count as usize) << 3);
  if (count == 0) return;
  do {
    const digest = load<u64>(digests);
    if (!load<u8>(known)) {
      const block = blockOf(segment, segments, blocks, digest);
      const low = v128.load(block);
      const high = v128.load(block, 16);
      const lowMask = maskOf(digest, LOW_SALTS);
      const highMask = maskOf(digest, HIGH_SALTS);
      v128.store(block, v128.or(low, lowMask));
      v128.store(block, v128.or(high, highMask), 16);
      const isNew = v128.any_true(v128.or(v128.andnot(lowMask, low), v128.andnot(highMask, high)));
      store<u8>(known, isNew ? 0 : 1);
    }
    known++;
    digests += 8;
  } while (digests < end);
}

/**
 * Writes at `found` the ones of `blocks` blocks, and the sum over the blocks of the products of the ones in their
 * words, u64 each.
 */
export function blockedSums(block: usize, blocks: u32, found: usize): void {
  let ones: u64 = 0;
  let sum: u64 = 0;
  for (const end = block + ((blocks as usize) << BLOCK_BYTES_LOG2); block < end; block += 32) {
    let product: u64 = 1;
    for (let word: usize = 0; word < 32; word += 4) {
      const inWord = popcnt(load<u32>(block + word)) as u64;
      ones += inWord;
      product *= inWord;
    }
    sum += product;
  }
  store<u64>(found, ones);
  store<u64>(found, sum, 8);
}

/**
 * Writes at `found` the ones of a segment, and the code of a non-member's chance there (see `chanceFromCode`), u32
 * each.
 */
export function blockedFill(segment: usize, parameters: Parameters, found: usize): void {
  blockedSums(segment, parameters.units as u32, found);
  const ones = load<u64>(found) as u32;
  const sum = load<u64>(found, 8);
  const shift: u64 = sum >> 13 ? 51 - clz(sum) : 0;
  store<u32>(found, ones);
  store<u32>(found, ((shift << 12) + (sum >> shift)) as u32, 4);
}

const SALTS = memory.data<u32>([
  0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31,
]);

/**
 * Writes the positions `from` to `to` of each of `count` keys, u64 each, in a filter without segments. `keys` has the
 * u32 indices of the digests. The parameter is the number of blocks.
 */
export function blockedPositions(
  digests: usize, keys: usize, count: u32, from: u32, to: u32, positions: usize, parameters: usize,
): void {
  const blocks = load<u64>(parameters);
  const end = keys + ((count as usize) << 2);
  do {
    const digest = load<u64>(digests + ((load<u32>(keys) as usize) << 3));
    const block = (((digest >> 32) * blocks) >> 32) << 8;
    let i = from;
    do {
      const bit = ((digest as u32) * load<u32>(SALTS + ((i as usize) << 2))) >> 27;
      store<u64>(positions, block + (i << 5) + bit);
      positions += 8;
    } while (++i < to);
    keys += 4;
  } while (keys < end);
}

/**
 * Tests `count` digests. Writes a byte each at `hits`, 1 (maybe present) or 0 (absent), and returns the number of ones.
 */
export function blockedTest(segment: usize, digests: usize, count: u32, hits: usize, parameters: Parameters): u32 {
  const segments = parameters.segments;
  const blocks = parameters.units;
  const end = digests + ((count as usize) << 3);
  let found: u32 = 0;
  if (count == 0) return 0;
  do {
    const digest = load<u64>(digests);
    const block = blockOf(segment, segments, blocks, digest);
    const missing = v128.or(
      v128.andnot(maskOf(digest, LOW_SALTS), v128.load(block)),
      v128.andnot(maskOf(digest, HIGH_SALTS), v128.load(block, 16)),
    );
    const hit: u32 = v128.any_true(missing) ? 0 : 1;
    store<u8>(hits++, hit);
    found += hit;
    digests += 8;
  } while (digests < end);
  return found;
}
