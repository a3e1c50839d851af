/** Bytes before the bits. */
export const HEADER_BYTES = 32;
