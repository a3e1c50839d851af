import { BloomError } from '../../errors.ts';

/** The first bytes of a file. Any transfer that is not binary changes them, like those of PNG. */
export const MAGIC = Uint8Array.of(0x89, 0x42, 0x4c, 0x4d, 0x0d, 0x0a, 0x1a, 0x0a);

/** Throws a `format` error if a file with these first bytes is not a filter. */
export function requireSignature(bytes: Uint8Array, name: string): void {
  if (bytes.length === 0) throw new BloomError('format', `${name} is empty, not a filter`, 'make one with bloom build');
  if (MAGIC.some((byte, i) => i < bytes.length && bytes[i] !== byte)) {
    throw new BloomError(
      'format',
      `${name} is not a filter of bloom: it does not begin with the signature of one`,
      'make one with bloom build; if the command reads records too, name the filter first',
    );
  }
}
