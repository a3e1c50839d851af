// What filters share that are made of all their keys at once. Their drafts are lists of fractions, one a key, without
// copies, of which they keep no more bytes than matter. Not every set of keys can be made a segment of: one that cannot is
// tried anew in another way. A segment has the number of its keys in its first 4 bytes, how often it was tried anew in the
// next one, and in the one after that how many of the lowest bytes of its keys are dropped.

import { append, countOf, disorder, fraction, LIST, numberAt, order, setCount, setNumber } from "./drafts";
import { Parameters } from "../parameters";

export const HEAD: usize = 8;

/** More than half of the sets can be made a segment of at once. A segment that says more is refused. */
export const TRIALS: u32 = 64;

/** Every whole number below 2^64. */
const DIGESTS: u64 = 0;

/** The finaliser of MurmurHash3 (Appleby, public domain): every bit of the result depends on all of the value. */
@inline
export function mix(value: u64): u64 {
  value = (value ^ (value >> 33)) * 0xff51afd7ed558ccd;
  value = (value ^ (value >> 33)) * 0xc4ceb9fe1a85ec53;
  return value ^ (value >> 33);
}

/**
 * Bytes that a filter of k bits a key keeps of a fraction. Of the keys of a segment, fewer than 2^22 / k, a stranger is then
 * equal to one with a chance that is below a five-thousandth of that of its k bits.
 */
@inline
export function widthOf(k: u64): usize {
  return min(8, (k + 32 + 7) >> 3) as usize;
}

/** What a fraction becomes if so many of its lowest bits are dropped, and it is mixed so often. */
@inline
function mixed(fraction: u64, dropped: u64, mixes: u32): u64 {
  let place = (fraction >> dropped) << dropped;
  for (let times: u32 = 0; times < mixes; times++) place = (mix(place) >> dropped) << dropped;
  return place;
}

/** How often a segment with this head was tried anew. */
@inline
export function trialsOf(head: u32): u32 {
  return head & 0xff;
}

/** Bits of its keys that a segment with this head has dropped. */
@inline
function droppedBits(head: u32): u64 {
  return ((head >> 8) << 3) as u64;
}

/** Those that it has kept. */
@inline
export function keptBits(head: u32): u64 {
  return u64.MAX_VALUE << droppedBits(head);
}

/** What a digest is in a segment with this head, whose keys are mixed for each trial but the first. */
@inline
export function placeOf(digest: u64, segments: u64, head: u32): u64 {
  return mixed(fraction(digest, segments), droppedBits(head), trialsOf(head));
}

/** Appends `count` digests to a draft; returns the number of those that found no room. */
export function staticAdd(draft: usize, digests: usize, count: u32, parameters: Parameters): u32 {
  const segments = parameters.segments;
  const capacity = parameters.capacity as u32;
  const width = widthOf(parameters.k);
  for (let i: u32 = 0; i < count; i++) {
    if (countOf(draft) == capacity && tidy(draft, parameters) == capacity) return count - i;
    append(draft, fraction(load<u64>(digests + ((i as usize) << 3)), segments), width);
  }
  return 0;
}

/** Orders a draft and drops copies; returns the number of its keys. */
export function tidy(draft: usize, parameters: Parameters): u32 {
  const width = widthOf(parameters.k);
  order(draft, DIGESTS, width, parameters.scratch as usize);
  const list = draft + LIST;
  const end = list + (countOf(draft) as usize) * width;
  let place = list;
  let last: u64 = 0;
  for (let at = list; at < end; at += width) {
    const value = numberAt(at, width);
    if (place > list && value == last) continue;
    if (place < at) setNumber(place, value, width);
    last = value;
    place += width;
  }
  const kept = ((place - list) / width) as u32;
  setCount(draft, kept);
  return kept;
}

/** Mixes the keys of a draft, orders them again and drops those that have become equal; returns the number of the others. */
export function mixAll(draft: usize, parameters: Parameters): u32 {
  const width = widthOf(parameters.k);
  const end = draft + LIST + (countOf(draft) as usize) * width;
  for (let at = draft + LIST; at < end; at += width) setNumber(at, mix(numberAt(at, width)), width);
  disorder(draft);
  return tidy(draft, parameters);
}

/** `k` says how many bytes of the keys were dropped. */
@inline
export function writeHead(segment: usize, keys: u32, trials: u32, k: u64): void {
  store<u32>(segment, keys);
  store<u32>(segment, trials | ((8 - (widthOf(k) as u32)) << 8), 4);
}

/** How often a segment was tried anew, and 2^8 times the bytes of its keys that are dropped. */
@inline
export function headOf(segment: usize): u32 {
  return load<u32>(segment, 4);
}

/** Keys of a segment. */
export function staticKeys(segment: usize): u32 {
  return load<u32>(segment);
}
