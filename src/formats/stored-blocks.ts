import { damaged } from '../errors.ts';
import { type PositionedFile, readAt } from '../io/positioned.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type HFileBlock, openHFileBlock } from './hbase/block.ts';
import { openTableBlock, type TableBlock } from './tables/table-block.ts';

/** A block of a file, with what it is compared with; it is read as a whole. Threads hand it to each other as a message. */
export interface StoredBlock {
  /** What it is, for messages. */
  readonly label: string;
  /** Where it begins in the file. */
  readonly offset: number;
  /** Bytes that it has there, its checksum among them. */
  readonly bytes: number;
  /** What is around its content. */
  readonly wrapping: TableBlock | HFileBlock;
}

/**
 * Reads a block and returns what it holds, which stays until the next is read. Throws `input` errors, and `format` errors for
 * a block that is not what it was.
 */
export type ReadBlock = (block: StoredBlock) => Uint8Array;

/** Reads blocks of a file into the memory of a kernel. */
export function createBlockReader(file: PositionedFile, kernel: Kernel): ReadBlock {
  let address = 0;
  let size = 0;
  return ({ label, offset, bytes, wrapping }) => {
    if (offset + bytes > file.size) throw damaged(file.name, `${label} lies outside it`);
    if (bytes > size) {
      size = bytes;
      address = kernel.reserve(bytes);
    }
    const raw = { kernel, address, bytes: kernel.bytes(address, bytes) };
    if (readAt(file, raw.bytes, offset) < bytes) throw damaged(file.name, 'it has become shorter');
    const name = `${file.name}: ${label}`;
    return wrapping.system === 'hbase' ? openHFileBlock(raw, wrapping, name) : openTableBlock(raw, wrapping, name);
  };
}
