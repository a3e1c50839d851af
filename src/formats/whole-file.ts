// Files whose headers are all over them: of what comes through a pipe one knows only when all of it was read.

import { damaged } from '../errors.ts';
import type { FlatShape } from '../filters/position-rules.ts';
import { type PositionedFile, readAt } from '../io/positioned.ts';
import { type ByteSource, memorySource, readFully, readWhole } from '../io/source.ts';
import type { FlatFile } from './format.ts';

/** A file, any part of which can be read. */
export interface WholeFile {
  readonly size: number;
  /** Reads bytes at a position. Throws a `format` error where they are not there. */
  read(at: number, length: number): DataView;
  /** Arrays of bits in it. */
  arrays(placed: readonly PlacedArray[]): Pick<FlatFile, 'arrays' | 'inOrder'>;
}

/** An array, and where its bytes are; they were seen to be there. */
export interface PlacedArray {
  readonly shape: FlatShape;
  readonly offset: number;
  readonly bytes: number;
}

/** The file of a source. Bytes that cannot be read at any position are all read. */
export async function wholeFile(source: ByteSource, name: string): Promise<WholeFile> {
  return source.file === undefined ? inMemory(await readWhole(source), name) : onDisk(source.file, name);
}

/** A file that is in memory. */
export function inMemory(bytes: Uint8Array, name: string): WholeFile {
  return {
    size: bytes.length,
    read(at, length) {
      requireRoom(at, length, bytes.length, name);
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
      requireRoom(at, length, file.size, name);
      const bytes = new Uint8Array(length);
      if (readAt(file, bytes, at) < length) throw damaged(name, 'it has become shorter');
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

function requireRoom(at: number, length: number, size: number, name: string): void {
  if (at + length > size) throw damaged(name, `it ends within its headers, after ${size} bytes`);
}
