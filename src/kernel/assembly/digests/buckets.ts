// Digests wait in one bucket per segment until there are enough for a visit to the segment. A visit brings the segment
// into the cache once for all of them.

/** The high half of a digest selects its segment. */
@inline
function segmentOf(digest: u64, segments: u64): u32 {
  return (((digest >> 32) * segments) >> 32) as u32;
}

/**
 * Keeps those of `count` digests that belong to the `held` segments from `first`, in their order. Returns their number.
 */
export function keepRange(digests: usize, count: u32, segments: u32, first: u32, held: u32): u32 {
  const range = segments as u64;
  const end = digests + ((count as usize) << 3);
  let kept = digests;
  for (let at = digests; at < end; at += 8) {
    const digest = load<u64>(at);
    store<u64>(kept, digest);
    kept += ((segmentOf(digest, range) - first < held) as usize) << 3;
  }
  return ((kept - digests) >> 3) as u32;
}

/**
 * Like `keepRange`, but copies to `kept`, and the owners to `keptOwners`. If `owners` is 0, the owner is the index of
 * the digest plus `firstOwner`. If a digest is not kept, the byte of its owner at `elsewhere` becomes 1.
 */
export function keepOwnedRange(
  digests: usize, owners: usize, firstOwner: u32, count: u32, segments: u32, first: u32, held: u32,
  kept: usize, keptOwners: usize, elsewhere: usize,
): u32 {
  const range = segments as u64;
  let keys: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const digest = load<u64>(digests + ((i as usize) << 3));
    const owner = owners ? load<u32>(owners + ((i as usize) << 2)) : firstOwner + i;
    if (segmentOf(digest, range) - first < held) {
      store<u64>(kept + ((keys as usize) << 3), digest);
      store<u32>(keptOwners + ((keys as usize) << 2), owner);
      keys++;
    } else store<u8>(elsewhere + (owner as usize), 1);
  }
  return keys;
}

/** The segment whose bucket `distribute` filled. */
export let fullSegment: u32 = 0;

/**
 * Puts the digests from `from` to `count` into the buckets of their segments, `capacity` each. Returns `count`, or the
 * index of the next digest as soon as a bucket is full. `fills` has the u32 number of digests in each bucket. If
 * `bucketOwners` is not 0, the owners are stored too: the entries of `owners`, or the index plus `firstOwner` if
 * `owners` is 0.
 */
export function distribute(
  digests: usize, owners: usize, firstOwner: u32, from: u32, count: u32, segments: u32,
  fills: usize, buckets: usize, bucketOwners: usize, capacity: u32,
): u32 {
  const range = segments as u64;
  for (let i = from; i < count; i++) {
    const digest = load<u64>(digests + ((i as usize) << 3));
    const segment = segmentOf(digest, range);
    const fill = fills + ((segment as usize) << 2);
    const held = load<u32>(fill);
    const place = (segment * capacity + held) as usize;
    store<u64>(buckets + (place << 3), digest);
    if (bucketOwners) {
      store<u32>(bucketOwners + (place << 2), owners ? load<u32>(owners + ((i as usize) << 2)) : firstOwner + i);
    }
    store<u32>(fill, held + 1);
    if (held + 1 == capacity) {
      fullSegment = segment;
      return i + 1;
    }
  }
  return count;
}
