// The note of a filter, against bytes that follow FORMAT.md, with the hash from xxhashjs.

import { describe, expect, test } from 'vitest';
import XXH from 'xxhashjs';
import { decodeHeader, encodeHeader } from '../../../src/formats/bloomery/header.ts';
import { decodeNote } from '../../../src/formats/bloomery/note.ts';
import { portableChecksum } from '../../../src/formats/checksum.ts';
import { HEADER } from './files.ts';

const xxh64 = (bytes: Uint8Array) => BigInt(`0x${XXH.h64(Buffer.from(bytes), 0).toString(16)}`);

/** A header with a note: its time in seconds, its bytes, and the stated length of the text. */
async function noted(made: bigint, text: Uint8Array, length = text.length): Promise<Buffer> {
  const bytes = Buffer.alloc(1152);
  bytes.set(await encodeHeader(HEADER, portableChecksum));
  bytes.writeUInt16LE(1152, 10);
  bytes.writeUInt32LE(1 | 8, 16);
  bytes.writeBigUInt64LE(xxh64(bytes.subarray(0, 120)), 120);
  bytes.writeBigUInt64LE(made, 128);
  bytes.writeUInt32LE(length, 136);
  bytes.set(text, 140);
  bytes.writeBigUInt64LE(xxh64(bytes.subarray(0, 1144)), 1144);
  return bytes;
}

const decoded = (bytes: Uint8Array) => decodeNote(bytes, 'x', portableChecksum);

describe('a note', () => {
  test.each([
    ['a text', 'from the list of 2026', undefined],
    ['a time', '', 1_000_000_000],
    ['both, and characters of many bytes', '数え\u0000\u001b[31m', 1],
    ['as many bytes as there can be', 'é'.repeat(500), 8_640_000_000_000],
  ])('of %s is written as FORMAT.md states, and read again', async (_, text, created) => {
    const note = { text, ...(created !== undefined && { created }) };
    const bytes = await encodeHeader({ ...HEADER, note }, portableChecksum);
    expect(Buffer.from(bytes)).toEqual(await noted(BigInt(created ?? 0), Buffer.from(text)));
    expect(await decodeHeader(bytes, 'x', portableChecksum)).toEqual(HEADER);
    expect(await decoded(bytes)).toEqual(note);
  });

  test('with any changed bit is damaged', async () => {
    const bytes = await noted(5n, Buffer.from('text'));
    for (const at of [0, 119, 120, 128, 136, 140, 143, 144, 1143, 1144, 1151]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      await expect(decoded(changed)).rejects.toMatchObject({
        code: 'format',
        message: 'x is damaged: the checksum of its note does not match',
      });
    }
  });

  test.each([
    ['a text that is longer than there is room for', 0n, Buffer.from('a'), 1001, 'its note is impossible'],
    ['bytes behind its text', 0n, Buffer.from('ab'), 1, 'its note is impossible'],
    ['a time that no date is of', 8_640_000_000_001n, Buffer.from(''), 0, 'its note is impossible'],
    ['a text that is no UTF-8', 0n, Uint8Array.of(0xff), 1, 'its note is not UTF-8'],
  ])('of %s is refused, although its checksum is correct', async (_, made, text, length, what) => {
    await expect(decoded(await noted(made, text, length))).rejects.toMatchObject({ message: `x is damaged: ${what}` });
  });

  test('that is cut off is damaged', async () => {
    const bytes = await noted(0n, Buffer.from('text'));
    await expect(decoded(bytes.subarray(0, 1151))).rejects.toMatchObject({
      message: 'x is damaged: it ends within its note',
    });
  });

  test.each([
    ['a longer header without the flag', 1, 1152],
    ['the flag without a longer header', 1 | 8, 128],
  ])('is missing with %s', async (_, flags, length) => {
    const bytes = await noted(0n, Buffer.from(''));
    bytes.writeUInt16LE(length, 10);
    bytes.writeUInt32LE(flags, 16);
    bytes.writeBigUInt64LE(xxh64(bytes.subarray(0, 120)), 120);
    await expect(decodeHeader(bytes, 'x', portableChecksum)).rejects.toMatchObject({
      message: 'x is damaged: its header states an impossible version or length',
    });
  });
});
