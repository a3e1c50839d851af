/** Bytes before the cache, and of the number of buckets that follows it. */
export const HEADER_BYTES = 48;
export const COUNT_BYTES = 8;
