/** Offset of the bits in new files. */
export const OFFSET = 16_384;
