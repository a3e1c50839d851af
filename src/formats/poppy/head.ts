/** Bytes before the cache, and bytes of the number of buckets after the cache. */
export const HEADER_BYTES = 48;
export const COUNT_BYTES = 8;
