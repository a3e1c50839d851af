import { bears, mayBear, type Signature, signatureOf } from './signature.ts';

/** A compression that the first bytes of a file show. */
export interface Compression {
  /** Also the name of the program that decompresses it. */
  readonly name: string;
  readonly signatures: readonly Signature[];
}

const COMPRESSIONS: readonly Compression[] = [
  { name: 'gzip', signatures: [signatureOf('\x1f\x8b\x08')] },
  // A frame, or one of the 16 kinds of skippable frames with which parallel compressors begin.
  {
    name: 'zstd',
    signatures: [
      signatureOf('\x28\xb5\x2f\xfd'),
      ...[...'PQRSTUVWXYZ[\\]^_'].map((first) => signatureOf(`${first}*M\x18`)),
    ],
  },
  { name: 'xz', signatures: [signatureOf('\xfd7zXZ\0')] },
  // The signature includes the size of the blocks and the start of the first block, or the end of an empty stream.
  { name: 'bzip2', signatures: [signatureOf('BZh?1AY&SY'), signatureOf('BZh?\x17rE8P\x90')] },
  { name: 'lz4', signatures: [signatureOf('\x04\x22\x4d\x18'), signatureOf('\x02\x21\x4c\x18')] },
];

/** The compression of a file with these first bytes; undefined if the file is not compressed. */
export function compressionOf(head: Uint8Array): Compression | undefined {
  return COMPRESSIONS.find(({ signatures }) => signatures.some((signature) => bears(head, signature)));
}

/** Whether more bytes are needed for an answer. */
export function mayBeCompressed(head: Uint8Array): boolean {
  return COMPRESSIONS.some(({ signatures }) => signatures.some((signature) => mayBear(head, signature)));
}
