// 32-bit CRCs from the lowest bit of a byte on, 8 bytes at a time (Kounavis & Berry 2005): CRC-32 and CRC-32C.

/** Entries of a table, u32 each. */
const ENTRIES: usize = 256;

/** The entry of table `table` (0 to 7) for byte `byte` of a word. */
@inline
function entry(tables: usize, table: usize, word: u64, byte: u64): u32 {
  return load<u32>(tables + (((table * ENTRIES) as usize) << 2) + ((((word >> (byte << 3)) & 0xff) as usize) << 2));
}

/**
 * The CRC of `length` bytes at `at`; `crc` is the CRC of the bytes before them. Table i of 8 has per byte the CRC of
 * the byte followed by i NULs, without the bit flips before and after.
 */
export function crc32(at: usize, length: usize, crc: u32, tables: usize): u32 {
  const end = at + length;
  const lastWord = end - (length & 7);
  let sum = ~crc;
  for (; at < lastWord; at += 8) {
    const word = load<u64>(at) ^ (sum as u64);
    sum =
      entry(tables, 7, word, 0) ^ entry(tables, 6, word, 1) ^ entry(tables, 5, word, 2) ^ entry(tables, 4, word, 3) ^
      entry(tables, 3, word, 4) ^ entry(tables, 2, word, 5) ^ entry(tables, 1, word, 6) ^ entry(tables, 0, word, 7);
  }
  for (; at < end; at++) sum = entry(tables, 0, (sum ^ (load<u8>(at) as u32)) as u64, 0) ^ (sum >> 8);
  return ~sum;
}
