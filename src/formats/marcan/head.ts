/** Where the bits of new files begin. */
export const OFFSET = 16_384;
