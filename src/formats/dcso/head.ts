export const HEADER_BYTES = 48;

export const bitBytes = (bits: number) => 8 * Math.ceil(bits / 64);
