// CRCs of 32 bits, computed bit by bit. RFC 3720, appendix B.4, has vectors of CRC-32C.

/** The CRC of bytes by a reflected polynomial: its highest coefficient is in the lowest bit. */
export function crc32(bytes: Uint8Array, polynomial = 0xedb88320): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? polynomial : 0);
  }
  return ~crc >>> 0;
}

export function crc32c(bytes: Uint8Array): number {
  return crc32(bytes, 0x82f63b78);
}
