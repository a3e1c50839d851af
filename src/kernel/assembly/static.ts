// What filters share that are made of all their keys at once. Their drafts are lists of fractions, one a key, without
// copies. Not every set of keys can be made a segment of: one that cannot is mixed, and it is tried anew. A segment has
// the number of its keys in its first 4 bytes, and how often they are mixed in the next 4.

import { append, countOf, disorder, fraction, LIST, order, setCount } from "./drafts";
import { Parameters } from "./parameters";

export const HEAD: usize = 8;

/** More than half of the sets can be made a segment of as they are. A segment that says more is refused. */
export const MIXES: u32 = 64;

/** Every whole number below 2^64. */
const DIGESTS: u64 = 0;

/** The finaliser of MurmurHash3 (Appleby, public domain): every bit of the result depends on all of the value. */
@inline
export function mix(value: u64): u64 {
  value = (value ^ (value >> 33)) * 0xff51afd7ed558ccd;
  value = (value ^ (value >> 33)) * 0xc4ceb9fe1a85ec53;
  return value ^ (value >> 33);
}

/** What a digest is in a segment whose keys are mixed so often. */
@inline
export function placeOf(digest: u64, segments: u64, mixes: u32): u64 {
  let place = fraction(digest, segments);
  for (let mixed: u32 = 0; mixed < mixes; mixed++) place = mix(place);
  return place;
}

/** Appends `count` digests to a draft; returns the number of those that found no room. */
export function staticAdd(draft: usize, digests: usize, count: u32, parameters: Parameters): u32 {
  const segments = parameters.segments;
  const capacity = parameters.capacity as u32;
  for (let i: u32 = 0; i < count; i++) {
    if (countOf(draft) == capacity && tidy(draft, parameters) == capacity) return count - i;
    append(draft, fraction(load<u64>(digests + ((i as usize) << 3)), segments));
  }
  return 0;
}

/** Orders a draft and drops copies; returns the number of its keys. */
export function tidy(draft: usize, parameters: Parameters): u32 {
  order(draft, DIGESTS, parameters.scratch as usize);
  const list = draft + LIST;
  const count = countOf(draft);
  let kept: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const value = load<u64>(list + ((i as usize) << 3));
    if (i > 0 && value == load<u64>(list + (((kept - 1) as usize) << 3))) continue;
    store<u64>(list + ((kept++ as usize) << 3), value);
  }
  setCount(draft, kept);
  return kept;
}

/** Mixes the keys of a draft that is in order, and orders them again. */
export function mixAll(draft: usize, parameters: Parameters): void {
  const end = draft + LIST + ((countOf(draft) as usize) << 3);
  for (let at = draft + LIST; at < end; at += 8) store<u64>(at, mix(load<u64>(at)));
  disorder(draft);
  order(draft, DIGESTS, parameters.scratch as usize);
}

@inline
export function writeHead(segment: usize, keys: u32, mixes: u32): void {
  store<u32>(segment, keys);
  store<u32>(segment, mixes, 4);
}

@inline
export function mixesOf(segment: usize): u32 {
  return load<u32>(segment, 4);
}

/** Keys of a segment. */
export function staticKeys(segment: usize): u32 {
  return load<u32>(segment);
}
