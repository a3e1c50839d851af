import { type Kernel, unsigned } from '../../kernel/kernel.ts';

/** Where the kernel's scanner finds what was read: records that are kept, then the one that is not yet complete. */
export interface RecordBuffer {
  /** Address of the first record. */
  start(): number;
  /** Address past the last byte that was read. */
  end(): number;
  /** Bytes that it has room for. */
  size(): number;
  hasRoomFor(bytes: number): boolean;
  /** So many bytes past the end, for someone to read into; those that were read are then `added`. */
  room(bytes: number): Uint8Array;
  added(bytes: number): void;
  /** Gives up the complete records: the incomplete one is the first. */
  rewind(): void;
  /** Takes larger memory for the incomplete record, the only one, which fills what it has. */
  enlarge(): void;
  /** Gives up the incomplete record. */
  cutOff(): void;
}

/** The kernel reads, and copies, up to a block past the end of the input. */
export const PADDING = 64;

/** How many times as large as a buffer that one record fills the next one is. */
const GROWTH = 8;

/** A buffer of `bytes`, which grows for a record up to `most`. The kernel's scanner begins at its start. */
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
    hasRoomFor: (wanted) => end + wanted <= start + size,
    room: (wanted) => kernel.bytes(end, wanted),
    added(count) {
      end += count;
    },
    rewind: () => moveTo(start),
    enlarge() {
      // The old memory is given up; of the new one only what is read takes memory.
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
