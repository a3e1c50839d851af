import { damaged } from '../errors.ts';
import { type PositionedFile, readAt } from '../io/positioned.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type HFileBlock, openHFileBlock } from './hbase/block.ts';
import { openTableBlock, type TableBlock } from './tables/table-block.ts';

/** A block of a file and its checks. It is read as a whole. Threads send it to each other as a message. */
export interface StoredBlock {
  /** The name in messages. */
  readonly label: string;
  /** Offset in the file. */
  readonly offset: number;
  /** Bytes in the file, with the checksum. */
  readonly bytes: number;
  /** The compression and the checksums around the content. */
  readonly wrapping: TableBlock | HFileBlock;
}

/**
 * Reads a block and returns its content, which is valid until the next block is read. Throws `input` errors, and
 * `format` errors if the block has changed.
 */
export type ReadBlock = (block: StoredBlock) => Uint8Array;

/** Reads blocks of a file into the memory of a kernel. */
export function createBlockReader(file: PositionedFile, kernel: Kernel): ReadBlock {
  let address = 0;
  let size = 0;
  return ({ label, offset, bytes, wrapping }) => {
    if (offset + bytes > file.size) throw damaged(file.name, `${label} is outside the file`);
    if (bytes > size) {
      size = bytes;
      address = kernel.reserve(bytes);
    }
    const raw = { kernel, address, bytes: kernel.bytes(address, bytes) };
    if (readAt(file, raw.bytes, offset) < bytes) throw damaged(file.name, 'it became shorter while it was read');
    const name = `${file.name}: ${label}`;
    return wrapping.system === 'hbase' ? openHFileBlock(raw, wrapping, name) : openTableBlock(raw, wrapping, name);
  };
}
