/** What has to be stated of the bytes, as nothing tells them. */
export const RAW = 'ethereum-raw';

/** Of the bloom of a block or of a receipt. */
export const BLOOM_BYTES = 256;

/** Most bytes of a file: `0x`, two digits per byte, and a line end. */
export const SIZE_LIMIT = 2 + 2 * BLOOM_BYTES + 2;
