// Messages of the hashes that take them in blocks (MD5, SHA-1, SHA-2): a salt and behind it a key, and what is put behind both: a
// bit, zeros, and the number of bits.
//
// They take room, which belongs to the thread: the state of the hash, which is its result in the end, the numbers of a block as
// it is mixed, and blocks that are not as they are in memory.

/** Where the parts of the room are, and its size. */
export const SCHEDULE: usize = 64;
const BLOCKS: usize = SCHEDULE + 640;
export const ROOM_BYTES: usize = BLOCKS + 256;

/** Copies bytes `from` to `to` of a message. */
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

/** Address of the block at `at` of a message, which has all of it. */
@inline
export function blockAt(salt: usize, saltLength: usize, key: usize, at: usize, size: usize, room: usize): usize {
  if (at >= saltLength) return key + at - saltLength;
  copyPart(salt, saltLength, key, at, at + size, room + BLOCKS);
  return room + BLOCKS;
}

/** Address of the blocks, one or two of `size`, in which the rest of a message and its length are, which takes an eighth of one. */
@inline
export function lastBlocks(room: usize): usize {
  return room + BLOCKS;
}

/** Makes them, and returns their end. */
@inline
export function padMessage(
  salt: usize, saltLength: usize, key: usize, length: usize, size: usize, isBigEndian: bool, room: usize,
): usize {
  const blocks = room + BLOCKS;
  const rest = length & (size - 1);
  copyPart(salt, saltLength, key, length - rest, length, blocks);
  const bytes = rest < size - (size >> 3) ? size : size << 1;
  store<u8>(blocks + rest, 0x80);
  memory.fill(blocks + rest + 1, 0, bytes - rest - 1);
  const bits = (length as u64) << 3;
  store<u64>(blocks + bytes - 8, isBigEndian ? bswap<u64>(bits) : bits);
  return blocks + bytes;
}
