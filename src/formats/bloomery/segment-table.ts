import type { Kernel } from '../../kernel/kernel.ts';
import { checksumOf } from '../checksum.ts';

/** The entry of a table for one segment. */
export interface TableEntry {
  /** XXH64 of its bytes, with seed 0. If the file has tags, the seed is that of the tag. */
  readonly checksum: bigint;
  /** How full it is, packed by its kind. */
  readonly fill: number;
}

// The table, little-endian: for each segment 8 bytes checksum and 8 bytes fill. Then 8 bytes seal: XXH64 of the
// entries, with the header's checksum as seed.

const ENTRY_BYTES = 16;
const SEAL_BYTES = 8;

/** Bytes of the table for this many segments. */
export function tableBytes(segments: number): number {
  return ENTRY_BYTES * segments + SEAL_BYTES;
}

/** The table of a file. `headerChecksum` ties it to its header. */
export function encodeTable(kernel: Kernel, entries: readonly TableEntry[], headerChecksum: bigint): Uint8Array {
  const bytes = new Uint8Array(tableBytes(entries.length));
  const view = new DataView(bytes.buffer);
  for (const [i, { checksum, fill }] of entries.entries()) {
    view.setBigUint64(i * ENTRY_BYTES, checksum, true);
    view.setBigUint64(i * ENTRY_BYTES + 8, BigInt(fill), true);
  }
  view.setBigUint64(entries.length * ENTRY_BYTES, sealOf(kernel, bytes, headerChecksum), true);
  return bytes;
}

/** The entries of a table in the order of the segments. */
export interface SegmentTable {
  readonly checksums: BigUint64Array;
  readonly fill: readonly number[];
}

/** The entries of a table. Undefined if its seal does not match. */
export function decodeTable(kernel: Kernel, bytes: Uint8Array, headerChecksum: bigint): SegmentTable | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getBigUint64(bytes.length - SEAL_BYTES, true) !== sealOf(kernel, bytes, headerChecksum)) return undefined;
  const segments = (bytes.length - SEAL_BYTES) / ENTRY_BYTES;
  const checksums = new BigUint64Array(segments).map((_, i) => view.getBigUint64(i * ENTRY_BYTES, true));
  const fill = Array.from(checksums, (_, i) => Number(view.getBigUint64(i * ENTRY_BYTES + 8, true)));
  return { checksums, fill };
}

function sealOf(kernel: Kernel, table: Uint8Array, headerChecksum: bigint): bigint {
  return checksumOf(kernel, table.subarray(0, table.length - SEAL_BYTES), headerChecksum);
}
