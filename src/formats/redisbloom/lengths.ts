import { damaged } from '../../errors.ts';

/** Bytes of a string that is stored as a number, by the byte instead of its length. */
export const INTEGER_BYTES: Readonly<Record<number, number>> = { 192: 1, 193: 2, 194: 4 };

/** The byte instead of the length of a string that is compressed with LZF. */
export const COMPRESSED = 0xc3;

/**
 * A length of 6, 14, 32 or 64 bits in Redis' encoding, big-endian. `next` reads the bytes after the first. Throws a
 * `format` error.
 */
export function storedLength(first: number, next: () => number, name: string): bigint {
  if (first < 0x40) return BigInt(first);
  if (first < 0x80) return BigInt(((first & 0x3f) << 8) | next());
  if (first > 0x81) throw damaged(name, 'one of its values has no length');
  let length = 0n;
  for (let left = first === 0x80 ? 4 : 8; left > 0; left--) length = (length << 8n) | BigInt(next());
  return length;
}
