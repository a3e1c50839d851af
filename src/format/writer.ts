import { type Append, type Output, writeOutput } from '../io/atomic-file.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { segmentBytes } from '../sizing/geometry.ts';
import { kernelChecksum } from './checksum.ts';
import { encodeHeader, type Header, headerChecksum } from './header.ts';
import { checksumAt, encodeTable, type TableEntry } from './table.ts';

/** A segment in kernel memory, and how full it is. */
export interface SuppliedSegment {
  readonly address: number;
  readonly fill: number;
}

/** Brings segment `index` into kernel memory. */
export type SegmentSupply = (index: number) => Promise<SuppliedSegment> | SuppliedSegment;

/** Writes a filter file atomically, one segment at a time, with all its checksums. */
export async function writeFilter(
  output: Output,
  kernel: Kernel,
  header: Header,
  supply: SegmentSupply,
): Promise<void> {
  await writeOutput(output, (append) => writeSegments(append, kernel, header, supply));
}

/** Supplies the segments of a payload that lies in kernel memory as a whole. */
export function segmentsAt(address: number, header: Header, fill: readonly number[]): SegmentSupply {
  return (index) => ({ address: address + index * segmentBytes(header), fill: fill[index] ?? 0 });
}

async function writeSegments(append: Append, kernel: Kernel, header: Header, supply: SegmentSupply): Promise<void> {
  const head = await encodeHeader(header, kernelChecksum(kernel));
  await append(head);
  const length = segmentBytes(header);
  const entries: TableEntry[] = [];
  for (let i = 0; i < header.segments; i++) {
    const { address, fill } = await supply(i);
    entries.push({ checksum: checksumAt(kernel, address, length), fill });
    await append(kernel.bytes(address, length));
  }
  await append(encodeTable(kernel, entries, headerChecksum(head)));
}
