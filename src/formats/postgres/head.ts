export const PAGE_BYTES = 8192;
export const HEADER_BYTES = 24;

/** What the metadata behind the header of the first page begins with. */
export const MAGIC = 0xdbac0ded;
