import { type Kernel, unsigned } from '../../kernel/kernel.ts';

/** The memory of the kernel's scanner for input: complete records that are kept, then the incomplete one. */
export interface RecordBuffer {
  /** Address of the first record. */
  start(): number;
  /** Address past the last byte that was read. */
  end(): number;
  /** Size of the buffer in bytes. */
  size(): number;
  hasSpaceFor(bytes: number): boolean;
  /** The `bytes` bytes past the end, to read into; call `added` with the number of bytes that were read. */
  space(bytes: number): Uint8Array;
  added(bytes: number): void;
  /** Discards the complete records and moves the incomplete record to the start. */
  rewind(): void;
  /** Moves the only, incomplete record, which fills the buffer, to larger memory. */
  enlarge(): void;
  /** Discards the incomplete record. */
  cutOff(): void;
}

/** The kernel reads, and copies, up to a block past the end of the input. */
export const PADDING = 64;

/** Growth factor of a buffer that a single record fills. */
const GROWTH = 8;

/** A buffer of `bytes` bytes, which grows to at most `most` bytes for one record. The kernel's scanner begins at its start. */
export function createRecordBuffer(kernel: Kernel, bytes: number, most: number): RecordBuffer {
  const { exports: entries, memory } = kernel;
  let size = bytes;
  let start = kernel.reserve(size + PADDING);
  let end = start;
  entries.seek(start, start);

  const moveTo = (address: number) => {
    const from = unsigned(entries.recordStart);
    if (address === from) return;
    const searched = unsigned(entries.searchFrom) - from;
    new Uint8Array(memory.buffer).copyWithin(address, from, end);
    end = address + (end - from);
    entries.seek(address, address + searched);
  };
  return {
    start: () => start,
    end: () => end,
    size: () => size,
    hasSpaceFor: (wanted) => end + wanted <= start + size,
    space: (wanted) => kernel.bytes(end, wanted),
    added(count) {
      end += count;
    },
    rewind: () => moveTo(start),
    enlarge() {
      // The old memory is not reused. Pages of the new memory use RAM only once they are written.
      size = Math.min(GROWTH * size, most);
      const larger = kernel.reserve(size + PADDING);
      moveTo(larger);
      start = larger;
    },
    cutOff() {
      end = unsigned(entries.recordStart);
      entries.seek(end, end);
    },
  };
}
