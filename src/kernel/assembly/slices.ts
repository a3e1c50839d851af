// Slices of a filter that grows: standard Bloom filters, see bloom.ts, with segments of one size and numbers of them that
// are powers of two.
//
// A digest that a slice lacks meets a one with every second probe, and no processor foresees whether it does. So a chunk of
// digests is tried with two probes each, without a branch; those for which both meet ones are the candidates for the next
// two, and what is left after the last probe is found.

import { isIn, setNew } from "./bloom";
import { Parameters } from "./parameters";
import { MULTIPLIER, mix, scale } from "./probes";

/** Digests that are tried at a time: few enough that lists of their indices stay in the cache. */
const CHUNK: u32 = 1024;

/** What is known of a slice. Written by src/filters/slices.ts. */
@unmanaged
class Slice {
  /** Address of its first segment, modulo 2^32 if that is in another memory. */
  first: usize;
  /** A digest takes the segment whose number is its high half shifted by so much. */
  shift: u32;
  k: u32;
  unused: u32;
}

@inline
function segmentIn(slice: Slice, digest: u64, bytes: usize): usize {
  return slice.first + ((digest >> 32 >> (slice.shift as u64)) as usize) * bytes;
}

@inline
function bitAt(segment: usize, position: usize): u32 {
  return load<u32>(segment + ((position >> 5) << 2)) >> (position as u32);
}

/** Whether two probes meet ones, or the first of them if `isLast` is 1. */
@inline
function meetOnes(segment: usize, bits: u64, x: u64, isLast: u32): u32 {
  return bitAt(segment, scale(x >> 32, bits)) & (bitAt(segment, scale(x & 0xffffffff, bits)) | isLast) & 1;
}

/**
 * Tests those of `count` digests whose byte at `hits` is 0 against so many slices of a list: writes a 1 for each that one of
 * them may have, and returns their number. Scratch has 16 bytes for each digest of a chunk.
 */
export function slicesTest(list: usize, slices: u32, digests: usize, count: u32, hits: usize, parameters: Parameters): u32 {
  const scratch = parameters.scratch as usize;
  let found: u32 = 0;
  for (let end = hits + (count as usize); hits < end; hits += CHUNK, digests += CHUNK << 3) {
    const chunk = min(CHUNK as usize, end - hits) as u32;
    let unknown = listUnknown(chunk, hits, scratch);
    // The last one is the largest, and has the most of those that are known.
    for (let index = slices; index-- > 0; ) {
      const slice = changetype<Slice>(list + (index as usize) * offsetof<Slice>());
      const more = testSlice(slice, parameters.places, digests, unknown, hits, scratch);
      if (more > unknown >> 4) unknown = listUnknown(chunk, hits, scratch);
      found += more;
    }
  }
  return found;
}

/** Lists the indices of those of `count` digests whose byte at `hits` is 0, u32 each, and returns their number. */
function listUnknown(count: u32, hits: usize, list: usize): u32 {
  let unknown: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    store<u32>(list + ((unknown as usize) << 2), i);
    unknown += 1 - (load<u8>(hits + i) as u32);
  }
  return unknown;
}

/** Tests the digests of a list of indices against a slice: writes a 1 for each that it may have, and returns the number of new ones. */
function testSlice(slice: Slice, bits: u64, digests: usize, count: u32, hits: usize, list: usize): u32 {
  const bytes = (bits >> 3) as usize;
  const k = slice.k;
  // Candidates: their indices, and how far the sequence of each is.
  const indices = list + ((CHUNK as usize) << 2);
  const sequences = indices + ((CHUNK as usize) << 2);
  let left: u32 = 0;
  for (let j: u32 = 0; j < count; j++) {
    const i = load<u32>(list + ((j as usize) << 2));
    const digest = load<u64>(digests + ((i as usize) << 3));
    const x = digest * MULTIPLIER;
    store<u32>(indices + ((left as usize) << 2), i);
    store<u64>(sequences + ((left as usize) << 3), x);
    left += meetOnes(segmentIn(slice, digest, bytes), bits, x, (k == 1) as u32);
  }
  for (let probes: u32 = 2; probes < k; probes += 2) {
    const isLast = (k == probes + 1) as u32;
    const before = left;
    left = 0;
    for (let j: u32 = 0; j < before; j++) {
      const i = load<u32>(indices + ((j as usize) << 2));
      const digest = load<u64>(digests + ((i as usize) << 3));
      const x = mix(load<u64>(sequences + ((j as usize) << 3))) * MULTIPLIER;
      store<u32>(indices + ((left as usize) << 2), i);
      store<u64>(sequences + ((left as usize) << 3), x);
      left += meetOnes(segmentIn(slice, digest, bytes), bits, x, isLast);
    }
  }
  let found: u32 = 0;
  for (let j: u32 = 0; j < left; j++) {
    const hit = hits + load<u32>(indices + ((j as usize) << 2));
    found += 1 - (load<u8>(hit) as u32);
    store<u8>(hit, 1);
  }
  return found;
}

/**
 * Adds those of `count` digests whose byte at `known` is 0 to a slice, until `room` of them were not in it; writes at
 * `found` how many digests were looked at, and how many were added, u32 each.
 */
export function sliceAddNew(
  slice: Slice, digests: usize, count: u32, known: usize, room: u32, parameters: Parameters, found: usize,
): void {
  const bits = parameters.places;
  const bytes = (bits >> 3) as usize;
  let added: u32 = 0;
  let i: u32 = 0;
  for (; i < count; i++) {
    if (load<u8>(known + i)) continue;
    const digest = load<u64>(digests + ((i as usize) << 3));
    const segment = segmentIn(slice, digest, bytes);
    if (added < room) added += setNew(segment, bits, slice.k, digest);
    else if (!isIn(segment, bits, slice.k, digest)) break;
  }
  store<u32>(found, i);
  store<u32>(found, added, 4);
}
