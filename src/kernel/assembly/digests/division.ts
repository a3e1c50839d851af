// Digests are divided among outputs, each of which has those of a range of high halves: there they wait in a bucket.

/** The bucket that `divide` filled. */
export let fullBucket: u32 = 0;

/**
 * Puts digests `from` to `count`, at least one, into the buckets of `parts` outputs, `capacity` each, and returns `count`, or, as
 * soon as a bucket is full, the index of the next digest. `fills` holds the u32 number in each bucket, `bounds` for each output
 * the u64 least high half that is its own, and 2^32 behind the last. Output i must not begin behind i / parts of all high halves,
 * and output i + 1 not before: so a digest is of the output that equal ranges would give it to, or of the next one.
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
