/** Since 2022, a u32 with the number of keys follows the seed. */
export const HEADER_BYTES = [24, 28] as const;
