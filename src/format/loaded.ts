import { openPositioned, type PositionedFile } from '../io/positioned.ts';
import { displayName } from '../io/source.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { payloadBytes, segmentBytes } from '../sizing/geometry.ts';
import { kernelChecksum } from './checksum.ts';
import { damaged } from './damage.ts';
import { decodeHeader, HEADER_BYTES, type Header, headerChecksum } from './header.ts';
import { BROKEN_SEAL, brokenSegment, checkSize, openFilter } from './reader.ts';
import { checksumAt, decodeTable, tableBytes } from './table.ts';

/** A filter with room for its payload in kernel memory. Nothing of it is used before it was verified. */
export interface LoadedFilter {
  readonly name: string;
  readonly header: Header;
  readonly address: number;
  /** How full each segment is, as its file says. */
  readonly fill: readonly number[];
  /** Sees to it that a segment is there. */
  bring(segment: number): void;
  /** Sees to it that all are. */
  bringAll(): void;
  close(): void;
}

/**
 * Loads a filter: of a regular file only header and table, its segments when they are wanted; of a pipe everything.
 * Throws `input`, `format` and `memory` errors.
 */
export async function loadFilter(kernel: Kernel, file: string): Promise<LoadedFilter> {
  const positioned = openPositioned(file);
  if (positioned === undefined) return loadWhole(kernel, file);
  try {
    return await loadLazily(kernel, displayName(file), positioned);
  } catch (error) {
    positioned.close();
    throw error;
  }
}

async function loadLazily(kernel: Kernel, name: string, file: PositionedFile): Promise<LoadedFilter> {
  const head = new Uint8Array(HEADER_BYTES);
  const header = await decodeHeader(head.subarray(0, file.readAt(head, 0)), name, kernelChecksum(kernel));
  checkSize(name, header, file.size);
  const length = segmentBytes(header);
  const table = new Uint8Array(tableBytes(header.segments));
  file.readAt(table, HEADER_BYTES + payloadBytes(header));
  const entries = decodeTable(kernel, table, headerChecksum(head));
  if (entries === undefined) throw damaged(name, BROKEN_SEAL);

  const address = kernel.reserve(payloadBytes(header));
  const there = new Uint8Array(header.segments);
  const bring = (segment: number) => {
    if (there[segment] === 1) return;
    const at = address + segment * length;
    file.readAt(kernel.bytes(at, length), HEADER_BYTES + segment * length);
    if (checksumAt(kernel, at, length) !== entries[segment]?.checksum)
      throw damaged(name, brokenSegment(segment, header));
    there[segment] = 1;
  };
  return {
    name,
    header,
    address,
    fill: entries.map(({ fill }) => fill),
    bring,
    bringAll() {
      for (let segment = 0; segment < header.segments; segment++) bring(segment);
    },
    close: () => file.close(),
  };
}

async function loadWhole(kernel: Kernel, file: string): Promise<LoadedFilter> {
  const reader = await openFilter(file, kernelChecksum(kernel));
  try {
    const { name, header } = reader;
    const address = kernel.reserve(payloadBytes(header));
    for (let i = 0; i < header.segments; i++) await reader.readSegment(kernel, address + i * segmentBytes(header));
    return { name, header, address, fill: await reader.finish(kernel), bring() {}, bringAll() {}, close() {} };
  } finally {
    reader.close();
  }
}
