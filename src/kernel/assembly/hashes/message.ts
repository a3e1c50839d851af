// Messages of the hashes that read blocks (MD5, SHA-1, SHA-2): a salt, a key, and the padding of a bit, zeros and the
// number of bits.
//
// They use scratch memory of their thread: the state of the hash, which becomes its result, the schedule of a block,
// and blocks that are not contiguous in memory.

/** The offsets of the parts of the scratch memory, and its size. */
export const SCHEDULE: usize = 64;
const BLOCKS: usize = SCHEDULE + 640;
export const SCRATCH_BYTES: usize = BLOCKS + 256;

/** Copies the bytes `from` to `to` of a message. */
@inline
function copyPart(salt: usize, saltLength: usize, key: usize, from: usize, to: usize, into: usize): void {
  if (from < saltLength) {
    const end = min(saltLength, to);
    memory.copy(into, salt + from, end - from);
    into += end - from;
    from = end;
  }
  memory.copy(into, key + from - saltLength, to - from);
}

/** The address of the block at `at` of a message. The message must have the whole block. */
@inline
export function blockAt(salt: usize, saltLength: usize, key: usize, at: usize, size: usize, scratch: usize): usize {
  if (at >= saltLength) return key + at - saltLength;
  copyPart(salt, saltLength, key, at, at + size, scratch + BLOCKS);
  return scratch + BLOCKS;
}

/**
 * The address of the last one or two blocks of `size` bytes: the rest of a message, its padding and its length. The
 * length takes an eighth of a block.
 */
@inline
export function lastBlocks(scratch: usize): usize {
  return scratch + BLOCKS;
}

/** Writes these blocks, and returns their end. */
@inline
export function padMessage(
  salt: usize, saltLength: usize, key: usize, length: usize, size: usize, isBigEndian: bool, scratch: usize,
): usize {
  const blocks = scratch + BLOCKS;
  const rest = length & (size - 1);
  copyPart(salt, saltLength, key, length - rest, length, blocks);
  const bytes = rest < size - (size >> 3) ? size : size << 1;
  store<u8>(blocks + rest, 0x80);
  memory.fill(blocks + rest + 1, 0, bytes - rest - 1);
  const bits = (length as u64) << 3;
  store<u64>(blocks + bytes - 8, isBigEndian ? bswap<u64>(bits) : bits);
  return blocks + bytes;
}
