// The streams of encoding/gob of Go, as far as they hold one value that has encoded itself (GobEncoder): a message that says of
// which type it is, and one with its bytes.

import { bears, signatureOf } from '../../io/signature.ts';
import type { ByteSource } from '../../io/source.ts';
import { readHead } from '../flat-file.ts';

/** Length of the first message, number of the type, one of few or of many; that it encodes itself; no name, and the number again. */
export const GOB_SIGNATURES = ['\x09\x7f\x05\x01\x02\xff?\0\0\0', '\x0a\xff?\x05\x01\x02\xff?\0\0\0'].map(signatureOf);

/** Whether a stream begins with these bytes. */
export function isGob(head: Uint8Array): boolean {
  return GOB_SIGNATURES.some((signature) => bears(head, signature));
}

/** Reads up to the bytes of the value, and returns where they begin. Throws a `format` error where the stream ends before. */
export async function readGobStart(source: ByteSource, name: string): Promise<number> {
  let offset = 0;
  const byte = async () => {
    offset++;
    return (await readHead(source, name, 1)).getUint8(0);
  };
  /** Up to 127 it is a byte, else a byte says of how many it is, as a negative number; the highest comes first. */
  const number = async () => {
    const first = await byte();
    if (first < 128) return first;
    let value = 0;
    for (let left = 256 - first; left > 0; left--) value = 256 * value + (await byte());
    return value;
  };
  for (let left = await number(); left > 0; left--) await byte();
  // The second message: its length, the number of the type, that it is no struct, the bytes of the value.
  for (let i = 0; i < 4; i++) await number();
  return offset;
}
