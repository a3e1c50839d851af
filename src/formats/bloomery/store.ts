import { damaged } from '../../errors.ts';
import { closePositioned, openPositioned, type PositionedFile, readAt } from '../../io/positioned.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { payloadBytes, segmentBytes } from '../../sizing/geometry.ts';
import { kernelChecksum } from './checksum.ts';
import { decodeHeader, HEADER_BYTES, type Header, headerChecksum } from './header.ts';
import { BROKEN_SEAL, brokenSegment, checkSize } from './reader.ts';
import { checksumAt, decodeTable, type Table, tableBytes } from './segment-table.ts';

/** A filter in a regular file, whose segments are read when they are wanted, by any thread. */
export interface Store extends Table {
  readonly file: PositionedFile;
  readonly header: Header;
}

/** Throws a `format` error for a header that no filter can have; `name` is for the message. */
type HeaderCheck = (header: Header, name: string) => void;

/**
 * Opens a filter in a regular file and verifies its header, which `check` has to pass before anything is done on its word,
 * and its table; undefined for what can only be read in order. Throws `input` and `format` errors.
 */
export async function openStore(kernel: Kernel, name: string, check: HeaderCheck): Promise<Store | undefined> {
  const file = openPositioned(name, 'filter');
  if (file === undefined) return undefined;
  try {
    return await readTable(kernel, file, check);
  } catch (error) {
    closePositioned(file);
    throw error;
  }
}

async function readTable(kernel: Kernel, file: PositionedFile, check: HeaderCheck): Promise<Store> {
  const { name } = file;
  const head = new Uint8Array(HEADER_BYTES);
  const header = await decodeHeader(head.subarray(0, readAt(file, head, 0)), name, kernelChecksum(kernel));
  check(header, name);
  checkSize(name, header, file.size);
  const table = new Uint8Array(tableBytes(header.segments));
  readAt(file, table, HEADER_BYTES + payloadBytes(header));
  const decoded = decodeTable(kernel, table, headerChecksum(head));
  if (decoded === undefined) throw damaged(name, BROKEN_SEAL);
  return { file, header, ...decoded };
}

/** Reads a segment to an address in a kernel's memory and verifies it. Throws `input` and `format` errors. */
export function readSegment(
  { file, header, checksums }: Store,
  segment: number,
  kernel: Kernel,
  address: number,
): void {
  const length = segmentBytes(header);
  readAt(file, kernel.bytes(address, length), HEADER_BYTES + segment * length);
  if (checksumAt(kernel, address, length) !== checksums[segment])
    throw damaged(file.name, brokenSegment(segment, header));
}

/** Closes its file; its segments can no longer be read. */
export function closeStore({ file }: Store): void {
  closePositioned(file);
}
