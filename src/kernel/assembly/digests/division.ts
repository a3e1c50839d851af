// Digests are divided among outputs. An output gets the digests of a range of high halves, which wait in a bucket.

/** The bucket that `divide` filled. */
export let fullBucket: u32 = 0;

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
    const half = digest >> 32;
    const even = (half * range) >> 32;
    const part = (even as u32) + ((half >= load<u64>(bounds + ((even as usize) << 3), 8)) as u32);
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
