// Slices of a filter that grows: standard Bloom filters (see bloom.ts). Their segments have one size, and the number of
// their segments is a power of two.
//
// For an absent digest every second probe finds a one, which no processor can predict. So a chunk of digests is tested
// with two probes each, without a branch. Digests for which both probes find ones are candidates for the next two
// probes. The candidates after the last probe are maybe present.

import { isIn, setNew } from "./bloom";
import { Parameters } from "../parameters";
import { MULTIPLIER, mix, scale } from "./probes";

/** Digests per chunk. The lists of a chunk must stay in the cache. */
const CHUNK: u32 = 512;

/**
 * The offsets of the lists in scratch memory: the digests that no slice has yet, their first two probes (u32 each), and
 * their indices.
 */
const DIGESTS: usize = 0;
const PROBES: usize = 8 * CHUNK;
const INDICES: usize = 16 * CHUNK;

/**
 * The offsets of the lists of a slice's candidates: their indices in the lists above, and the state of their sequences.
 */
const CANDIDATES: usize = 20 * CHUNK;
const SEQUENCES: usize = 24 * CHUNK;

/** The description of a slice, written by src/filters/slices.ts. */
@unmanaged
class Slice {
  /** The address of its first segment, modulo 2^32 if the segment is in another memory. */
  first: usize;
  /** The number of a digest's segment is the high half of the digest, shifted right by `shift`. */
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

/**
 * Tests those of `count` digests whose byte at `hits` is 0 against the slices of a list. Writes 1 for each digest that
 * may be in one of them. Returns the number of these digests.
 */
export function slicesTest(list: usize, slices: u32, digests: usize, count: u32, hits: usize, parameters: Parameters): u32 {
  const scratch = parameters.scratch as usize;
  const bits = parameters.units;
  let found: u32 = 0;
  for (let end = hits + (count as usize); hits < end; hits += CHUNK, digests += CHUNK << 3) {
    const chunk = min(CHUNK as usize, end - hits) as u32;
    let unknown = listUnknown(digests, chunk, hits, bits, scratch);
    // The last slice is the largest, and has most of the members.
    for (let index = slices; index-- > 0; ) {
      const slice = changetype<Slice>(list + (index as usize) * offsetof<Slice>());
      const more = testSlice(slice, bits, unknown, hits, scratch);
      if (more > unknown >> 4) unknown = listUnknown(digests, chunk, hits, bits, scratch);
      found += more;
    }
  }
  return found;
}

/** Lists those of `count` digests whose byte at `hits` is 0, with their first two probes. Returns their number. */
function listUnknown(digests: usize, count: u32, hits: usize, bits: u64, scratch: usize): u32 {
  let unknown: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const digest = load<u64>(digests + ((i as usize) << 3));
    const x = digest * MULTIPLIER;
    const entry = scratch + ((unknown as usize) << 3);
    store<u64>(entry, digest, DIGESTS);
    store<u32>(entry, scale(x >> 32, bits) as u32, PROBES);
    store<u32>(entry, scale(x & 0xffffffff, bits) as u32, PROBES + 4);
    store<u32>(scratch + ((unknown as usize) << 2), i, INDICES);
    unknown += 1 - (load<u8>(hits + i) as u32);
  }
  return unknown;
}

/**
 * Tests the listed digests against a slice. Writes 1 for each digest that may be in it, and returns the number of new
 * ones.
 */
function testSlice(slice: Slice, bits: u64, count: u32, hits: usize, scratch: usize): u32 {
  const bytes = (bits >> 3) as usize;
  const first = slice.first;
  const shift = slice.shift as u64;
  const k = slice.k;
  let isLast = (k == 1) as u32;
  let left: u32 = 0;
  for (let j: u32 = 0; j < count; j++) {
    const entry = scratch + ((j as usize) << 3);
    const segment = first + (((load<u32>(entry, DIGESTS + 4) as u64) >> shift) as usize) * bytes;
    store<u32>(scratch + ((left as usize) << 2), j, CANDIDATES);
    left += bitAt(segment, load<u32>(entry, PROBES)) & (bitAt(segment, load<u32>(entry, PROBES + 4)) | isLast) & 1;
  }
  for (let probes: u32 = 2; probes < k; probes += 2) {
    isLast = (k == probes + 1) as u32;
    const before = left;
    left = 0;
    for (let c: u32 = 0; c < before; c++) {
      const j = load<u32>(scratch + ((c as usize) << 2), CANDIDATES);
      const digest = load<u64>(scratch + ((j as usize) << 3), DIGESTS);
      const last = probes == 2 ? digest * MULTIPLIER : load<u64>(scratch + ((c as usize) << 3), SEQUENCES);
      const x = mix(last) * MULTIPLIER;
      const segment = segmentIn(slice, digest, bytes);
      store<u32>(scratch + ((left as usize) << 2), j, CANDIDATES);
      store<u64>(scratch + ((left as usize) << 3), x, SEQUENCES);
      left += bitAt(segment, scale(x >> 32, bits)) & (bitAt(segment, scale(x & 0xffffffff, bits)) | isLast) & 1;
    }
  }
  let found: u32 = 0;
  for (let c: u32 = 0; c < left; c++) {
    const j = load<u32>(scratch + ((c as usize) << 2), CANDIDATES);
    const hit = hits + load<u32>(scratch + ((j as usize) << 2), INDICES);
    found += 1 - (load<u8>(hit) as u32);
    store<u8>(hit, 1);
  }
  return found;
}

/**
 * Adds those of `count` digests whose byte at `known` is 0 to a slice, until `limit` new digests were added. Writes 1
 * there for each digest that was present. Writes at `found` how many digests were handled, and how many were added, u32
 * each.
 */
export function sliceAddNew(
  slice: Slice, digests: usize, count: u32, known: usize, limit: u32, parameters: Parameters, found: usize,
): void {
  const bits = parameters.units;
  const bytes = (bits >> 3) as usize;
  let added: u32 = 0;
  let i: u32 = 0;
  for (; i < count; i++) {
    if (load<u8>(known + i)) continue;
    const digest = load<u64>(digests + ((i as usize) << 3));
    const segment = segmentIn(slice, digest, bytes);
    const isNew = added < limit ? setNew(segment, bits, slice.k, digest) : 0;
    if (added == limit && !isIn(segment, bits, slice.k, digest)) break;
    store<u8>(known + i, isNew ^ 1);
    added += isNew;
  }
  store<u32>(found, i);
  store<u32>(found, added, 4);
}
