// Files whose headers are spread over the file. From a pipe, such a file is read completely first.

import { damaged } from '../errors.ts';
import type { BitArrayShape } from '../filters/position-rules.ts';
import { type PositionedFile, readAt } from '../io/positioned.ts';
import { type ByteSource, memorySource, readFully, readWhole } from '../io/source.ts';
import type { BitArrayFile } from './format.ts';

/** A file that can be read at any position. */
export interface WholeFile {
  readonly size: number;
  /** Reads bytes at a position. Throws a `format` error if the file is too short. */
  read(at: number, length: number): DataView;
  /** Arrays of bits in the file. */
  arrays(placed: readonly PlacedArray[]): Pick<BitArrayFile, 'arrays' | 'inOrder'>;
}

/** An array and the position of its bytes, which are known to exist. */
export interface PlacedArray {
  readonly shape: BitArrayShape;
  readonly offset: number;
  readonly bytes: number;
}

/** The file of a source. A source that can only be read in order is read completely. */
export async function wholeFile(source: ByteSource, name: string): Promise<WholeFile> {
  return source.file === undefined ? inMemory(await readWhole(source), name) : onDisk(source.file, name);
}

/** A file in memory. */
export function inMemory(bytes: Uint8Array, name: string): WholeFile {
  return {
    size: bytes.length,
    read(at, length) {
      requireWithin(at, length, bytes.length, name);
      return new DataView(bytes.buffer, bytes.byteOffset + at, length);
    },
    arrays(placed) {
      const parts = placed.map(({ offset, bytes: length }) =>
        memorySource(name, bytes.subarray(offset, offset + length)),
      );
      return {
        arrays: placed.map(({ shape, bytes }) => ({ shape, bytes, stored: undefined })),
        inOrder: {
          areInMemory: true,
          async readBits(array, into) {
            const part = parts[array];
            if (part !== undefined) await readFully(part, into);
          },
          finish: async () => {},
        },
      };
    },
  };
}

function onDisk(file: PositionedFile, name: string): WholeFile {
  return {
    size: file.size,
    read(at, length) {
      requireWithin(at, length, file.size, name);
      const bytes = new Uint8Array(length);
      if (readAt(file, bytes, at) < length) throw damaged(name, 'it became shorter while it was read');
      return new DataView(bytes.buffer);
    },
    arrays: (placed) => ({
      arrays: placed.map(({ shape, offset, bytes }) => ({
        shape,
        bytes,
        stored: { file, parts: [{ offset, bytes }] },
      })),
      inOrder: undefined,
    }),
  };
}

function requireWithin(at: number, length: number, size: number, name: string): void {
  if (at + length > size) throw damaged(name, `it ends within its headers, after ${size} bytes`);
}
