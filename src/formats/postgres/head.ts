export const PAGE_BYTES = 8192;
export const HEADER_BYTES = 24;

/** The first bytes of the metadata, which follows the header of the first page. */
export const MAGIC = 0xdbac0ded;
