/** The variant for bits without a header. */
export const BITS_ALONE = 'parquet-bits';

export const MAGIC = 'PAR1';
export const ENCRYPTED_MAGIC = 'PARE';
export const MAGIC_BYTES = 4;
/** More than the bytes of the header of a single filter, so that later fields fit too. */
export const HEADER_LIMIT = 256;

/** Filters consist of whole blocks. */
export const BLOCK_BYTES = 32;

export const TAIL_BYTES = 4 + MAGIC_BYTES;

export const isMagic = (text: string) => text === MAGIC || text === ENCRYPTED_MAGIC;

export function textOf({ buffer, byteOffset }: DataView, at: number): string {
  return Buffer.from(buffer, byteOffset + at, MAGIC_BYTES).toString('latin1');
}
