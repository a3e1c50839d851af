import type { KeyRules } from '../formats/description.ts';
import { memorySource } from '../io/source.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { recordNumbers, type ScannedDigests } from './input/digests.ts';
import { digestBytesOf } from './input/hashing.ts';
import { type KeySelection, terminatorOf } from './input/key-selection.ts';
import { createScanner } from './input/scanner.ts';

/** The records of some bytes; the last record may lack its terminator. */
export function recordsOf(bytes: Uint8Array, selection: KeySelection): Uint8Array[] {
  const terminator = terminatorOf(selection);
  const records: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(terminator, start);
    const end = found < 0 ? bytes.length : found;
    const isCrLf = !selection.nullTerminated && bytes[end - 1] === CR && end > start;
    records.push(bytes.subarray(start, isCrLf ? end - 1 : end));
    start = end + 1;
  }
  return records;
}

const CR = 13;

/** The digests of keys, and the indices of their records. */
export interface HashedRecords {
  readonly digests: Uint8Array;
  readonly owners: readonly number[];
}

/** Hashes the keys that are looked up for records. Releases the memory for this afterwards. */
export async function hashRecords(
  kernel: Kernel,
  bytes: Uint8Array,
  selection: KeySelection,
  rules: KeyRules,
): Promise<HashedRecords> {
  const begin = kernel.reserve(0);
  const bytesEach = digestBytesOf(rules);
  const pieces: Uint8Array[] = [];
  const owners: number[] = [];
  const take = (digests: ScannedDigests) => {
    pieces.push(kernel.bytes(digests.address, bytesEach * digests.count).slice());
    for (const record of recordNumbers(kernel, digests)) owners.push(record);
  };
  const scanner = createScanner(kernel, { selection, rules: [rules], looksUp: true }, { keys: take, lastKeys: take });
  try {
    await scanner.scan(memorySource('the keys', bytes));
    scanner.endBatch();
  } finally {
    kernel.release(begin);
  }
  return { digests: Buffer.concat(pieces), owners };
}
