// Counting sort of digests by segment, so that a batch visits the filter one cache-sized segment at a time.

// @ts-ignore: decorator
@inline
function segmentOf(digest: u64, segments: u64): usize {
  return (((digest >> 32) * segments) >> 32) as usize;
}

/**
 * Sorts `count` digests by segment into `sorted`; stable. `cursors` is scratch of 4 bytes a segment.
 * With `sortedOwners` it also notes where each digest came from: its `owners` entry, or its index if `owners` is 0.
 */
export function sortBySegment(
  digests: usize, owners: usize, count: u32, segments: u32, cursors: usize, sorted: usize, sortedOwners: usize,
): void {
  const range = segments as u64;
  const end = digests + ((count as usize) << 3);
  memory.fill(cursors, 0, (segments as usize) << 2);
  for (let at = digests; at < end; at += 8) {
    const cursor = cursors + (segmentOf(load<u64>(at), range) << 2);
    store<u32>(cursor, load<u32>(cursor) + 1);
  }
  let start: u32 = 0;
  for (let s: usize = 0; s < (segments as usize) << 2; s += 4) {
    const size = load<u32>(cursors + s);
    store<u32>(cursors + s, start);
    start += size;
  }
  let index: u32 = 0;
  for (let at = digests; at < end; at += 8) {
    const digest = load<u64>(at);
    const cursor = cursors + (segmentOf(digest, range) << 2);
    const place = load<u32>(cursor) as usize;
    store<u32>(cursor, (place + 1) as u32);
    store<u64>(sorted + (place << 3), digest);
    if (sortedOwners) store<u32>(sortedOwners + (place << 2), owners ? load<u32>(owners + ((index as usize) << 2)) : index);
    index++;
  }
}
