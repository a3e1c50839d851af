import { type Append, type Output, writeOutput } from '../../io/atomic-file.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { segmentBytes } from '../../sizing/geometry.ts';
import { kernelChecksum } from './checksum.ts';
import { encodeHeader, type Header, headerChecksum } from './header.ts';
import { checksumAt, encodeTable, type TableEntry } from './segment-table.ts';

/** A segment in the memory of a kernel, and how full it is. */
export interface SuppliedSegment {
  readonly kernel: Kernel;
  readonly address: number;
  readonly fill: number;
}

/** Brings segment `index` into the memory of a kernel, where it stays until the next but one is asked for. */
export type SegmentSupply = (index: number) => Promise<SuppliedSegment> | SuppliedSegment;

/** Hears of bytes of segments once they are written, and lets others work meanwhile. */
export type OnWritten = (bytes: number) => Promise<void> | void;

/** Writes a filter file atomically, one segment at a time, with all its checksums. */
export async function writeFilter(
  output: Output,
  kernel: Kernel,
  header: Header,
  supply: SegmentSupply,
  onWritten: OnWritten = () => {},
): Promise<void> {
  await writeOutput(output, (append) => writeSegments(append, kernel, header, supply, onWritten));
}

async function writeSegments(
  append: Append,
  kernel: Kernel,
  header: Header,
  supply: SegmentSupply,
  onWritten: OnWritten,
): Promise<void> {
  const head = await encodeHeader(header, kernelChecksum(kernel));
  const length = segmentBytes(header);
  const entries: TableEntry[] = [];
  // While a segment is written the next one is prepared; a failure is seen when that is done.
  const start = (bytes: Uint8Array) => {
    const written = append(bytes);
    written.catch(() => {});
    return written;
  };
  let writing = start(head);
  try {
    for (let i = 0; i < header.segments; i++) {
      const { kernel: holder, address, fill } = await supply(i);
      entries.push({ checksum: checksumAt(holder, address, length), fill });
      await writing;
      if (i > 0) await onWritten(length);
      writing = start(holder.bytes(address, length));
    }
  } finally {
    await writing;
  }
  await append(encodeTable(kernel, entries, headerChecksum(head)));
}
