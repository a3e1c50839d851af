// Streams of encoding/gob of Go that have one value with its own encoding (GobEncoder): a message with the type, and
// a message with the bytes.

import { bears, signatureOf } from '../../io/signature.ts';
import type { ByteSource } from '../../io/source.ts';
import { readHead } from '../bit-array-file.ts';

/**
 * The length of the first message, the number of the type (in one byte or more), "encodes itself", no name, and the
 * number again.
 */
export const GOB_SIGNATURES = ['\x09\x7f\x05\x01\x02\xff?\0\0\0', '\x0a\xff?\x05\x01\x02\xff?\0\0\0'].map(signatureOf);

/** Whether a stream begins with one of these signatures. */
export function isGob(head: Uint8Array): boolean {
  return GOB_SIGNATURES.some((signature) => bears(head, signature));
}

/** Reads up to the bytes of the value and returns their offset. Throws a `format` error if the stream ends early. */
export async function readGobStart(source: ByteSource, name: string): Promise<number> {
  let offset = 0;
  const byte = async () => {
    offset++;
    return (await readHead(source, name, 1)).getUint8(0);
  };
  /**
   * A number up to 127 is one byte. Otherwise the first byte is the negated count of the bytes that follow, highest
   * first.
   */
  const number = async () => {
    const first = await byte();
    if (first < 128) return first;
    let value = 0;
    for (let left = 256 - first; left > 0; left--) value = 256 * value + (await byte());
    return value;
  };
  for (let left = await number(); left > 0; left--) await byte();
  // The second message: its length, the number of the type, "not a struct", the length of the value.
  for (let i = 0; i < 4; i++) await number();
  return offset;
}
