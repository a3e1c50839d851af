import { BloomError } from '../../errors.ts';

/** The first bytes of a file, broken by any transfer that is not binary, as PNG's are. */
export const MAGIC = Uint8Array.of(0x89, 0x42, 0x4c, 0x4d, 0x0d, 0x0a, 0x1a, 0x0a);

/** Throws a `format` error for the first bytes of what is no filter, even if it were longer. */
export function requireSignature(bytes: Uint8Array, name: string): void {
  if (bytes.length === 0) throw new BloomError('format', `${name} is empty, not a filter`, 'make one with bloom build');
  if (MAGIC.some((byte, i) => i < bytes.length && bytes[i] !== byte)) {
    throw new BloomError(
      'format',
      `${name} is not a filter of bloom: it does not start with its signature`,
      'bloom build makes one; where records are read too, the filter comes first',
    );
  }
}
