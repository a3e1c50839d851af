// A writer of the files in which `bloom dedup` keeps several filters, after FORMAT.md and nothing else.

import { xxh64 } from './xxh64.ts';

/** What the head says; without windows the numbers are 0. */
export interface StateFields {
  readonly sightings: number;
  /** 0 nothing, 1 records, 2 milliseconds. */
  readonly divided: number;
  readonly length: number;
  readonly keep: number;
  readonly records: number;
  readonly numbers: readonly number[];
}

const SIGNATURE = [0x89, 0x42, 0x4c, 0x53, 0x0d, 0x0a, 0x1a, 0x0a];
const FIXED = 48;

/** The file of a state, `filters` being the files of its filters in their order. */
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
