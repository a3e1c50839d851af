import { bears, mayBear, type Signature, signatureOf } from './signature.ts';

/** A way to compress a file, which its first bytes tell. */
export interface Compression {
  /** Also that of the program. */
  readonly name: string;
  readonly signatures: readonly Signature[];
}

const COMPRESSIONS: readonly Compression[] = [
  { name: 'gzip', signatures: [signatureOf('\x1f\x8b\x08')] },
  // A frame, or one of the 16 kinds of frames to skip, that parallel compressors begin with.
  {
    name: 'zstd',
    signatures: [
      signatureOf('\x28\xb5\x2f\xfd'),
      ...[...'PQRSTUVWXYZ[\\]^_'].map((first) => signatureOf(`${first}*M\x18`)),
    ],
  },
  { name: 'xz', signatures: [signatureOf('\xfd7zXZ\0')] },
  // With the size of its blocks, and the first of them or, where there is none, the end.
  { name: 'bzip2', signatures: [signatureOf('BZh?1AY&SY'), signatureOf('BZh?\x17rE8P\x90')] },
  { name: 'lz4', signatures: [signatureOf('\x04\x22\x4d\x18'), signatureOf('\x02\x21\x4c\x18')] },
];

/** How a file is compressed, by its first bytes; undefined if it is not. */
export function compressionOf(head: Uint8Array): Compression | undefined {
  return COMPRESSIONS.find(({ signatures }) => signatures.some((signature) => bears(head, signature)));
}

/** Whether it takes more bytes to tell. */
export function mayBeCompressed(head: Uint8Array): boolean {
  return COMPRESSIONS.some(({ signatures }) => signatures.some((signature) => mayBear(head, signature)));
}
