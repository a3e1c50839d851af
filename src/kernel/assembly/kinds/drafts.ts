// A segment of a kind that is made of all keys at once begins as a draft: a list of numbers, one per key, which is
// sorted at the end.
//
// The first 4 bytes of a draft are the count; the next 4 say whether the list is sorted. The list begins at byte 64. It
// keeps only the highest bytes of each number, as many as its width; the other bytes are 0. After the list are 8 unused
// bytes. The numbers come from uniform digests, on which the speed of the sort relies.

export const LIST: usize = 64;

@inline
export function countOf(draft: usize): u32 {
  return load<u32>(draft);
}

@inline
export function setCount(draft: usize, count: u32): void {
  store<u32>(draft, count);
}

@inline
export function isOrdered(draft: usize): bool {
  return load<u32>(draft, 4) != 0;
}

/**
 * The position of a digest in its segment, as a fraction of 2^64 that differs between digests. It depends on all bits:
 * with many segments, the high 32 bits alone are too few for the numbers of a segment.
 */
@inline
export function fraction(digest: u64, segments: u64): u64 {
  return digest * segments;
}

/** The high half of a 128-bit product. */
@inline
export function scale64(value: u64, range: u64): u64 {
  const valueLow = value & 0xffffffff;
  const valueHigh = value >> 32;
  if (range <= 0xffffffff) return (valueHigh * range + ((valueLow * range) >> 32)) >> 32;
  const rangeLow = range & 0xffffffff;
  const rangeHigh = range >> 32;
  const middle = valueHigh * rangeLow + ((valueLow * rangeLow) >> 32);
  return valueHigh * rangeHigh + (middle >> 32) + ((valueLow * rangeHigh + (middle & 0xffffffff)) >> 32);
}

/** Marks the list as not sorted. */
@inline
export function disorder(draft: usize): void {
  store<u32>(draft, 0, 4);
}

/** The bits of a number that a list of this width does not keep. */
@inline
export function bitsBelow(width: usize): u64 {
  return 64 - ((width as u64) << 3);
}

@inline
export function numberAt(at: usize, width: usize): u64 {
  return load<u64>(at) << bitsBelow(width);
}

/** Writes a number. The bytes after it do not change. */
@inline
export function setNumber(at: usize, value: u64, width: usize): void {
  const own = u64.MAX_VALUE >> bitsBelow(width);
  store<u64>(at, (load<u64>(at) & ~own) | (value >> bitsBelow(width)));
}

/** Appends a number. The caller has checked the space. */
@inline
export function append(draft: usize, value: u64, width: usize): void {
  const count = countOf(draft);
  store<u64>(draft + LIST + (count as usize) * width, value >> bitsBelow(width));
  setCount(draft, count + 1);
  disorder(draft);
}

/**
 * The most moves per number, on average, of the insertion sort. It would be too slow for numbers that are not uniform,
 * or were chosen by an attacker.
 */
const MOVES: u64 = 64;

/**
 * Sorts the list. The numbers, which are below `range`, are dealt into buckets; there are half as many buckets as
 * numbers, or up to as many. Insertion then sorts the numbers within a bucket. `scratch` has 8 bytes per number and 4
 * per bucket.
 */
export function order(draft: usize, range: u64, width: usize, scratch: usize): void {
  if (isOrdered(draft)) return;
  store<u32>(draft, 1, 4);
  const count = countOf(draft);
  if (count < 2) return;
  deal(draft, range, width, scratch);
  sort(scratch, count);
  const list = draft + LIST;
  // Each write spills over into the space of the next number, which is written next.
  for (let i: usize = 0; i < (count as usize); i++) {
    store<u64>(list + i * width, load<u64>(scratch + (i << 3)) >> bitsBelow(width));
  }
}

/** Deals the numbers of a list into buckets, which follow each other in `scratch`, u64 each. */
function deal(draft: usize, range: u64, width: usize, scratch: usize): void {
  const count = countOf(draft);
  const list = draft + LIST;
  const end = list + (count as usize) * width;
  const bucketBits = 31 - clz(count);
  const rangeBits = 64 - (clz(range - 1) as u32);
  const shift = (rangeBits > bucketBits ? rangeBits - bucketBits : 0) as u64;
  const starts = scratch + ((count as usize) << 3);
  memory.fill(starts, 0, (4 as usize) << bucketBits);
  for (let at = list; at < end; at += width) {
    const start = starts + ((numberAt(at, width) >> shift) << 2) as usize;
    store<u32>(start, load<u32>(start) + 1);
  }
  let before: u32 = 0;
  for (let bucket: usize = 0; bucket < (1 as usize) << bucketBits; bucket++) {
    const start = starts + (bucket << 2);
    const size = load<u32>(start);
    store<u32>(start, before);
    before += size;
  }
  for (let at = list; at < end; at += width) {
    const value = numberAt(at, width);
    const start = starts + ((value >> shift) << 2) as usize;
    const place = load<u32>(start);
    store<u32>(start, place + 1);
    store<u64>(scratch + ((place as usize) << 3), value);
  }
}

/** Sorts u64 numbers that are nearly sorted. Other lists are sorted too, but more slowly. */
function sort(list: usize, count: u32): void {
  const end = list + ((count as usize) << 3);
  let bytesLeft = MOVES * ((end - list) as u64);
  for (let at = list + 8; at < end; at += 8) {
    const value = load<u64>(at);
    let hole = at;
    for (; hole > list && load<u64>(hole - 8) > value; hole -= 8) store<u64>(hole, load<u64>(hole - 8));
    store<u64>(hole, value);
    const moved = (at - hole) as u64;
    if (moved > bytesLeft) {
      heapSort(list, count);
      return;
    }
    bytesLeft -= moved;
  }
}

function heapSort(list: usize, count: u32): void {
  for (let root = count >> 1; root-- > 0; ) sift(list, root, count);
  for (let last = count - 1; last > 0; last--) {
    const at = list + ((last as usize) << 3);
    const least = load<u64>(at);
    store<u64>(at, load<u64>(list));
    store<u64>(list, least);
    sift(list, 0, last);
  }
}

/** Moves a number down in a heap until no number below it is greater. */
function sift(list: usize, from: u32, count: u32): void {
  const value = load<u64>(list + ((from as usize) << 3));
  let root = from;
  for (let child: u32 = 2 * root + 1; child < count; child = 2 * root + 1) {
    const at = list + ((child as usize) << 3);
    if (child + 1 < count && load<u64>(at, 8) > load<u64>(at)) child++;
    const greater = load<u64>(list + ((child as usize) << 3));
    if (greater <= value) break;
    store<u64>(list + ((root as usize) << 3), greater);
    root = child;
  }
  store<u64>(list + ((root as usize) << 3), value);
}
