import { type Append, type Output, writeOutput } from '../io/atomic-file.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { segmentBytes } from '../sizing/geometry.ts';
import { kernelChecksum } from './checksum.ts';
import { encodeHeader, type Header, headerChecksum } from './header.ts';

/** Brings segment `index` into kernel memory and returns its address. */
export type SegmentSupply = (index: number) => Promise<number> | number;

/** Writes a filter file atomically, one segment at a time, with all its checksums. */
export async function writeFilter(
  output: Output,
  kernel: Kernel,
  header: Header,
  supply: SegmentSupply,
): Promise<void> {
  await writeOutput(output, (append) => writeSegments(append, kernel, header, supply));
}

async function writeSegments(append: Append, kernel: Kernel, header: Header, supply: SegmentSupply): Promise<void> {
  const head = await encodeHeader(header, kernelChecksum(kernel));
  await append(head);
  const length = segmentBytes(header);
  const tableBytes = 8 * header.segments;
  const table = kernel.reserve(tableBytes);
  for (let i = 0; i < header.segments; i++) {
    const address = await supply(i);
    const checksum = kernel.run.xxh64(address, length, 0n);
    new DataView(kernel.bytes(table, tableBytes).buffer).setBigInt64(table + 8 * i, checksum, true);
    await append(kernel.bytes(address, length));
  }
  await append(kernel.bytes(table, tableBytes));
  const seal = new DataView(new ArrayBuffer(8));
  seal.setBigInt64(0, kernel.run.xxh64(table, tableBytes, headerChecksum(head)), true);
  await append(new Uint8Array(seal.buffer));
}
