/** The variant in binary, which bloom cannot detect. */
export const RAW = 'ethereum-raw';

/** Bytes of the bloom of a block or of a receipt. */
export const BLOOM_BYTES = 256;

/** The largest file: `0x`, two digits per byte, and a line end. */
export const SIZE_LIMIT = 2 + 2 * BLOOM_BYTES + 2;
