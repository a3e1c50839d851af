// Positions that are already words of a digest, because each position is a separate hash.

/**
 * Writes the positions `from` to `to` of each of `count` keys, u64 each. `keys` has the u32 indices of the digests. The
 * parameters are the bytes of a digest, and the offset of the positions in it.
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
