// Numbers of 64 bits in two halves of 32 bits. In loops over whole pages, they are many times as fast as big integers.

/** A factor: its halves, and the quarters of the lower half. */
export interface Factor {
  readonly high: number;
  readonly low: number;
  readonly upper: number;
  readonly lower: number;
}

export function factor(value: bigint): Factor {
  const low = Number(value & 0xffffffffn);
  return { high: Number(value >> 32n), low, upper: low >>> 16, lower: low & 0xffff };
}

/** The halves of the last product, as signed numbers of 32 bits. Nothing awaits between a product and its use. */
export let productHigh = 0;
export let productLow = 0;

/** Multiplies modulo 2^64. The result is in `productHigh` and `productLow`. */
export function multiply(high: number, low: number, by: Factor): void {
  const upper = low >>> 16;
  const lower = low & 0xffff;
  const first = lower * by.lower;
  const middle = lower * by.upper + upper * by.lower + (first >>> 16);
  productLow = (middle << 16) | (first & 0xffff);
  productHigh =
    (upper * by.upper + Math.floor(middle / 0x10000) + Math.imul(high, by.low) + Math.imul(low, by.high)) | 0;
}

/** (half × range) >> 32, for an unsigned half and a range of at most 2^32. */
export function scale(half: number, range: number): number {
  const value = half >>> 0;
  return Math.floor(((value >>> 16) * range + Math.floor(((value & 0xffff) * range) / 0x10000)) / 0x10000);
}
