// CRCs with 32 bits, bit by bit (RFC 3720, appendix B.4, of CRC-32C).

/** The CRC of some bytes, by its polynomial, the highest bit last. */
export function crc32(bytes: Uint8Array, polynomial = 0xedb88320): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? polynomial : 0);
  }
  return ~crc >>> 0;
}

/** CRC-32C. */
export function crc32c(bytes: Uint8Array): number {
  return crc32(bytes, 0x82f63b78);
}
