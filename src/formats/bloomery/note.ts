import { damaged } from '../../errors.ts';
import type { Checksum } from '../checksum.ts';
import { LAST_SECOND, NOTE_LIMIT, type Note } from '../note.ts';

// The note of a filter follows the 128 bytes of its header, little-endian:
//
//   offset bytes field
//      128     8 when the filter was made, in seconds since 1970; 0 if not stated
//      136     4 bytes of the text, up to 1,000
//      140  1004 the text in UTF-8, then zeros
//     1144     8 XXH64, seed 0, of bytes 0 to 1143

const AT = { created: 128, length: 136, text: 140, checksum: 1144 };

/** Bytes of a header with a note. */
export const NOTED_BYTES = 1152;

/** Writes a note after its complete header. */
export async function encodeNote({ text, created = 0 }: Note, bytes: Uint8Array, checksum: Checksum): Promise<void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const encoded = Buffer.from(text);
  if (encoded.length > NOTE_LIMIT) throw new Error('the note is too long');
  view.setBigUint64(AT.created, BigInt(created), true);
  view.setUint32(AT.length, encoded.length, true);
  bytes.set(encoded, AT.text);
  view.setBigUint64(AT.checksum, await checksum(bytes.subarray(0, AT.checksum)), true);
}

/** The note after a header. Throws a `format` error if it is malformed. */
export async function decodeNote(bytes: Uint8Array, name: string, checksum: Checksum): Promise<Note> {
  if (bytes.length < NOTED_BYTES) throw damaged(name, 'it ends within its note');
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  if (view.getBigUint64(AT.checksum, true) !== (await checksum(bytes.subarray(0, AT.checksum))))
    throw damaged(name, 'the checksum of its note does not match');
  const [created, length] = [view.getBigUint64(AT.created, true), view.getUint32(AT.length, true)];
  const rest = bytes.subarray(AT.text + length, AT.checksum);
  if (length > NOTE_LIMIT || created > LAST_SECOND || rest.some((byte) => byte !== 0))
    throw damaged(name, 'its note is impossible');
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      bytes.subarray(AT.text, AT.text + length),
    );
    return created === 0n ? { text } : { text, created: Number(created) };
  } catch {
    throw damaged(name, 'its note is not UTF-8');
  }
}
