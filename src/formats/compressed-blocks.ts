// Blocks of Snappy and of LZ4. They have no header except for the size in a Snappy block.

import { damaged } from '../errors.ts';
import { createVarints } from './varints.ts';

/** Decompresses a block to at most `limit` bytes. Throws an error that says what is wrong. */
export type Decompress = (bytes: Uint8Array, limit: number) => Uint8Array;

/** A decompressed block. `whose` names it in messages. Throws a `format` error if it is damaged. */
export function decompressed(bytes: Uint8Array, decompress: Decompress, limit: number, whose: string): Uint8Array {
  try {
    return decompress(bytes, limit);
  } catch (error) {
    throw damaged(whose, `it cannot be decompressed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** An output that is written piece by piece and copied from itself. */
interface Growing {
  put(bytes: Uint8Array): void;
  /** Copies bytes from a distance before the end. They may overlap the bytes that are being written. */
  copy(distance: number, length: number): void;
  done(): Uint8Array;
}

function growing(limit: number): Growing {
  const into = new Uint8Array(limit);
  let end = 0;
  return {
    put(bytes) {
      if (bytes.length > limit - end) throw new Error('it is too long');
      into.set(bytes, end);
      end += bytes.length;
    },
    copy(distance, length) {
      if (distance === 0 || distance > end) throw new Error('it refers to bytes before its start');
      if (length > limit - end) throw new Error('it is too long');
      for (let i = 0; i < length; i++) into[end + i] = into[end - distance + i] ?? 0;
      end += length;
    },
    done: () => into.subarray(0, end),
  };
}

/** Snappy: format_description.txt of google/snappy. */
export const snappy: Decompress = (bytes, limit) => {
  const input = createVarints(bytes, 'a Snappy block');
  const size = input.varint();
  if (size > limit) throw new Error('it is too long');
  const output = growing(Number(size));
  const number = (count: number) => little(input.bytes(BigInt(count)));
  while (!input.isAtEnd) {
    const tag = input.byte();
    const kind = tag & 3;
    const high = tag >> 2;
    if (kind === 0) output.put(input.bytes(BigInt(1 + (high < 60 ? high : number(high - 59)))));
    else if (kind === 1) output.copy(((tag >> 5) << 8) | input.byte(), 4 + (high & 7));
    else output.copy(number(kind === 2 ? 2 : 4), 1 + high);
  }
  const done = output.done();
  if (done.length < size) throw new Error('it is too short');
  return done;
};

/** A block of LZ4: lz4_Block_format.md of lz4/lz4. */
export const lz4: Decompress = (bytes, limit) => {
  const input = createVarints(bytes, 'an LZ4 block');
  const output = growing(limit);
  /** A length whose first part, up to 15, is in a token. */
  const lengthOf = (first: number) => {
    let length = first;
    for (let more = first === 15 ? 255 : 0; more === 255; length += more) more = input.byte();
    return length;
  };
  while (!input.isAtEnd) {
    const token = input.byte();
    output.put(input.bytes(BigInt(lengthOf(token >> 4))));
    // The last sequence has no match.
    if (input.isAtEnd) break;
    const distance = little(input.bytes(2n));
    output.copy(distance, 4 + lengthOf(token & 15));
  }
  return output.done();
};

/** A little-endian number. */
function little(bytes: Uint8Array): number {
  return bytes.reduceRight((number, byte) => number * 256 + byte, 0);
}
