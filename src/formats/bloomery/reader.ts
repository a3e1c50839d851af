import { damaged } from '../../errors.ts';
import { displayName } from '../../io/look.ts';
import { type ByteSource, openSource, readFully } from '../../io/source.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { segmentBytes } from '../../sizing/geometry.ts';
import { type Checksum, portableChecksum } from './checksum.ts';
import { decodeHeader, fileBytes, HEADER_BYTES, type Header, headerChecksum } from './header.ts';
import { checksumAt, decodeTable, tableBytes } from './segment-table.ts';

/** A filter file that is read from start to end, one segment at a time. */
export interface FilterReader {
  readonly name: string;
  readonly header: Header;
  /** Reads the next segment to an address in kernel memory. */
  readSegment(kernel: Kernel, address: number): Promise<void>;
  /**
   * Checks everything that was read against the table, and that nothing follows it. Returns the fill of each segment.
   */
  finish(kernel: Kernel): Promise<number[]>;
  close(): void;
}

/**
 * Opens a filter and reads its header. The size that the header claims is checked before anything is allocated. `open` is
 * how its bytes are read.
 */
export async function openFilter(file: string, checksum: Checksum, open = openSource): Promise<FilterReader> {
  const name = displayName(file);
  const source = open(file, 'filter');
  try {
    return await readHeader(source, name, checksum);
  } catch (error) {
    source.close();
    throw error;
  }
}

/** The header of a filter, without its payload. */
export async function readHeaderOf(file: string): Promise<Header> {
  const reader = await openFilter(file, portableChecksum);
  reader.close();
  return reader.header;
}

async function readHeader(source: ByteSource, name: string, checksum: Checksum): Promise<FilterReader> {
  const bytes = new Uint8Array(HEADER_BYTES);
  const header = await decodeHeader(bytes.subarray(0, await readFully(source, bytes)), name, checksum);
  if (source.size !== undefined) checkSize(name, header, source.size);
  const checksums: bigint[] = [];
  return {
    name,
    header,
    async readSegment(kernel, address) {
      const length = segmentBytes(header);
      const read = await readFully(source, kernel.bytes(address, length));
      if (read !== length) throw damaged(name, `it ends within segment ${checksums.length + 1} of ${header.segments}`);
      checksums.push(checksumAt(kernel, address, length));
    },
    async finish(kernel) {
      const table = new Uint8Array(tableBytes(header.segments));
      if ((await readFully(source, table)) !== table.length) throw damaged(name, 'it ends within its table');
      const decoded = decodeTable(kernel, table, headerChecksum(bytes));
      if (decoded === undefined) throw damaged(name, BROKEN_SEAL);
      const wrong = decoded.checksums.findIndex((expected, i) => checksums[i] !== expected);
      if (wrong >= 0) throw damaged(name, brokenSegment(wrong, header));
      if ((await readFully(source, new Uint8Array(1))) !== 0) throw damaged(name, 'more bytes follow its end');
      return [...decoded.fill];
    },
    close: () => source.close(),
  };
}

export const BROKEN_SEAL = 'its table of checksums does not match its header, which is whole';

/** What is wrong with a file whose segment, counted from 0, is not what the table says, and what still holds. */
export function brokenSegment(index: number, { segments }: Header): string {
  const rest = segments === 1 ? '' : ', and query -e still answers about keys of other segments';
  return `segment ${index + 1} of ${segments} does not match its checksum (header and table are whole${rest})`;
}

/** Throws a `format` error for a file that is longer or shorter than its header says. */
export function checkSize(name: string, header: Header, size: number): void {
  const expected = fileBytes(header);
  if (size !== expected) throw damaged(name, `it has ${size} bytes where its header promises ${expected}`);
}
