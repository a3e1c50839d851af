// A writer of the state files of `bloom dedup` with several filters, after FORMAT.md and nothing else.

import { xxh64 } from './xxh64.ts';

/** The fields of the head; without windows the numbers are 0. */
export interface StateFields {
  readonly sightings: number;
  /** The unit of windows: 0 for none, 1 for records, 2 for milliseconds. */
  readonly divided: number;
  readonly length: number;
  readonly keep: number;
  readonly records: number;
  readonly numbers: readonly number[];
}

const SIGNATURE = [0x89, 0x42, 0x4c, 0x53, 0x0d, 0x0a, 0x1a, 0x0a];
const FIXED = 48;

/** The file of a state; `filters` are the files of its filters in order. */
export function stateFile(fields: StateFields, filters: readonly Uint8Array[]): Buffer {
  const { sightings, divided, length, keep, records, numbers } = fields;
  const checked = Buffer.alloc(FIXED + 8 * numbers.length);
  checked.set(SIGNATURE);
  checked.writeUInt16LE(1, 8);
  checked.writeUInt16LE(sightings, 10);
  checked.writeUInt32LE(divided, 12);
  for (const [i, number] of [length, keep, records, numbers.length, ...numbers].entries())
    checked.writeBigUInt64LE(BigInt(number), 16 + 8 * i);
  const checksum = Buffer.alloc(8);
  checksum.writeBigUInt64LE(xxh64(checked, 0n));
  return Buffer.concat([checked, checksum, ...filters]);
}
