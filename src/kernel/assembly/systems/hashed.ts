// Positions that are words of a digest already: each of them is a hash of its own.

/**
 * Writes the positions, u64 each, number `from` to `to` of each of `count` keys, which are the u32 indices of their digests. The
 * parameters are how many bytes a digest has, and where in it the positions begin.
 */
export function hashedPositions(
  digests: usize, keys: usize, count: u32, from: u32, to: u32, positions: usize, parameters: usize,
): void {
  const size = load<u64>(parameters) as usize;
  digests += (load<u64>(parameters, 8) as usize) + ((from as usize) << 3);
  const bytes = ((to - from) as usize) << 3;
  const end = keys + ((count as usize) << 2);
  do {
    const digest = digests + (load<u32>(keys) as usize) * size;
    for (let at: usize = 0; at < bytes; at += 8) store<u64>(positions + at, load<u64>(digest + at));
    positions += bytes;
    keys += 4;
  } while (keys < end);
}
