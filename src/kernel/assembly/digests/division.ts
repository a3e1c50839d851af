// Digests are divided among outputs. An output gets the digests of a range of high halves, which wait in a bucket.

/** The bucket that `divide` filled. */
export let fullBucket: u32 = 0;

/** The output of a digest: that of equal ranges, or the next one. */
@inline
function outputOf(digest: u64, parts: u64, bounds: usize): u32 {
  const half = digest >> 32;
  const even = (half * parts) >> 32;
  return (even as u32) + ((half >= load<u64>(bounds + ((even as usize) << 3), 8)) as u32);
}

/**
 * Puts the digests from `from` to `count`, at least one, into the buckets of `parts` outputs, `capacity` each. Returns
 * `count`, or the index of the next digest as soon as a bucket is full. `fills` has the u32 number of digests in each
 * bucket. `bounds` has per output the least high half as u64, and 2^32 after the last.
 *
 * Output i must begin no later than i / parts of all high halves, and output i + 1 no earlier. So a digest belongs to
 * the output that equal ranges would select, or to the next output.
 */
export function divide(
  digests: usize, from: u32, count: u32, parts: u32, bounds: usize, fills: usize, buckets: usize, capacity: u32,
): u32 {
  const range = parts as u64;
  let i = from;
  do {
    const digest = load<u64>(digests + ((i as usize) << 3));
    const part = outputOf(digest, range, bounds);
    const fill = fills + ((part as usize) << 2);
    const held = load<u32>(fill);
    store<u64>(buckets + (((part * capacity + held) as usize) << 3), digest);
    store<u32>(fill, held + 1);
    i++;
    if (held + 1 == capacity) {
      fullBucket = part;
      break;
    }
  } while (i < count);
  return i;
}

/** Bytes of an entry: the digest, and its owner as u32. */
const ENTRY: usize = 12;

/**
 * Like `divide`, but the buckets hold entries. The owners are those at `owners`, or the index plus `firstOwner` if `owners` is 0; `shift`
 * is added to each of them, modulo 2^32.
 */
export function divideOwned(
  digests: usize, owners: usize, firstOwner: u32, shift: u32, from: u32, count: u32, parts: u32, bounds: usize,
  fills: usize, buckets: usize, capacity: u32,
): u32 {
  const range = parts as u64;
  let i = from;
  do {
    const digest = load<u64>(digests + ((i as usize) << 3));
    const part = outputOf(digest, range, bounds);
    const fill = fills + ((part as usize) << 2);
    const held = load<u32>(fill);
    const entry = buckets + ((part * capacity + held) as usize) * ENTRY;
    store<u64>(entry, digest);
    store<u32>(entry, (owners ? load<u32>(owners + ((i as usize) << 2)) : firstOwner + i) + shift, 8);
    store<u32>(fill, held + 1);
    i++;
    if (held + 1 == capacity) {
      fullBucket = part;
      break;
    }
  } while (i < count);
  return i;
}

/** Adds `shift` to the owners of `count` entries, modulo 2^32. */
export function shiftOwners(entries: usize, count: u32, shift: u32): void {
  const end = entries + (count as usize) * ENTRY;
  for (let at = entries; at < end; at += ENTRY) store<u32>(at, load<u32>(at, 8) + shift, 8);
}

/** Copies the digests and the owners of `count` entries. */
export function splitEntries(entries: usize, count: u32, digests: usize, owners: usize): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    const entry = entries + i * ENTRY;
    store<u64>(digests + (i << 3), load<u64>(entry));
    store<u32>(owners + (i << 2), load<u32>(entry, 8));
  }
}
