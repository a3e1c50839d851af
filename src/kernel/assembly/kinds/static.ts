// The common parts of filters that are made of all keys at once. Their drafts are lists of fractions, one per key,
// without copies. They keep only the bytes that matter. A set of keys that cannot become a segment is tried anew with
// mixed keys or other picks.
//
// The first 4 bytes of a segment are the number of its keys. The next byte is the number of new trials. The byte after
// that is the number of lowest bytes of its keys that were discarded.

import { append, countOf, disorder, fraction, LIST, numberAt, order, setCount, setNumber } from "./drafts";
import { Parameters } from "../parameters";

export const HEAD: usize = 8;

/** More than half of the sets become a segment on the first trial. A segment with more trials is refused. */
export const TRIALS: u32 = 64;

/** The range of all numbers below 2^64. */
const DIGESTS: u64 = 0;

/** The finaliser of MurmurHash3 (Appleby, public domain): every bit of the result depends on all of the value. */
@inline
export function mix(value: u64): u64 {
  value = (value ^ (value >> 33)) * 0xff51afd7ed558ccd;
  value = (value ^ (value >> 33)) * 0xc4ceb9fe1a85ec53;
  return value ^ (value >> 33);
}

/** A fraction without its lowest `dropped` bits, mixed `mixes` times. */
@inline
export function mixed(fraction: u64, dropped: u64, mixes: u32): u64 {
  let place = (fraction >> dropped) << dropped;
  for (let times: u32 = 0; times < mixes; times++) place = (mix(place) >> dropped) << dropped;
  return place;
}

/** The number of new trials of a segment with this head. */
@inline
export function trialsOf(head: u32): u32 {
  return head & 0xff;
}

/** The number of bits of each key that a segment with this head has discarded. */
@inline
function droppedBits(head: u32): u64 {
  return ((head >> 8) << 3) as u64;
}

/** The mask of the bits of a key that a segment with this head has kept. */
@inline
export function keptBits(head: u32): u64 {
  return u64.MAX_VALUE << droppedBits(head);
}

/** The value of a digest in a segment with this head. Its keys are mixed once per new trial. */
@inline
export function placeOf(digest: u64, segments: u64, head: u32): u64 {
  return mixed(fraction(digest, segments), droppedBits(head), trialsOf(head));
}

/** Appends `count` digests to a draft. Returns the number of digests that did not fit. */
export function staticAdd(draft: usize, digests: usize, count: u32, parameters: Parameters): u32 {
  const segments = parameters.segments;
  const capacity = parameters.capacity as u32;
  const width = parameters.width as usize;
  for (let i: u32 = 0; i < count; i++) {
    if (countOf(draft) == capacity && tidy(draft, parameters) == capacity) return count - i;
    append(draft, fraction(load<u64>(digests + ((i as usize) << 3)), segments), width);
  }
  return 0;
}

/** Sorts a draft and discards copies. Returns the number of its keys. */
export function tidy(draft: usize, parameters: Parameters): u32 {
  const width = parameters.width as usize;
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

/** Mixes the keys of a draft, sorts them again and discards equal keys. Returns the number of remaining keys. */
export function mixAll(draft: usize, parameters: Parameters): u32 {
  const width = parameters.width as usize;
  const end = draft + LIST + (countOf(draft) as usize) * width;
  for (let at = draft + LIST; at < end; at += width) setNumber(at, mix(numberAt(at, width)), width);
  disorder(draft);
  return tidy(draft, parameters);
}

/** Writes the head. `width` is the number of bytes that were kept of each key. */
@inline
export function writeHead(segment: usize, keys: u32, trials: u32, width: u64): void {
  store<u32>(segment, keys);
  store<u32>(segment, trials | ((8 - (width as u32)) << 8), 4);
}

/** The number of new trials of a segment, plus 2^8 times the bytes of its keys that are discarded. */
@inline
export function headOf(segment: usize): u32 {
  return load<u32>(segment, 4);
}

/** The number of keys of a segment. */
export function staticKeys(segment: usize): u32 {
  return load<u32>(segment);
}
