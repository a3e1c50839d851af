/** Releases from 2022 on have a u32 more, the number of keys, behind the seed. */
export const HEADER_BYTES = [24, 28] as const;
