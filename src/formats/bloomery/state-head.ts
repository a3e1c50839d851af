import { damaged } from '../../errors.ts';
import { KEEP_LIMIT, SIGHTINGS_LIMIT, type Windows } from '../../sizing/windows.ts';
import type { Checksum } from '../checksum.ts';

/** The measure of windows. Its number in this list, from 1, is stored in files. */
const WINDOWS_OF = ['records', 'milliseconds'] as const;

/** The windows of a state. */
export interface StoredWindows extends Windows {
  /** The windows that have filters, in ascending order. The last window is the current one. */
  readonly numbers: readonly number[];
  /** Records read so far if windows count records, else 0. */
  readonly records: number;
}

/** The head of a file of several filters. There is one filter per remembered sighting of each window. */
export interface StateHead {
  /** Sightings of a key that the state remembers. */
  readonly sightings: number;
  readonly windows: StoredWindows | undefined;
}

// The layout, little-endian (FORMAT.md says the same for readers in other languages).
// A state without windows has the head of a state whose only window has number 0:
//
//   offset bytes field
//        0     8 signature: 89 42 4C 53 0D 0A 1A 0A
//        8     2 format version, 1
//       10     2 sightings that are remembered, from 1
//       12     4 the measure of windows: 0 no windows, 1 records, 2 milliseconds
//       16     8 length of a window
//       24     8 windows that are kept
//       32     8 records read so far
//       40     8 windows that have filters, W
//       48    8W their numbers
//  48 + 8W     8 XXH64, seed 0, of all bytes before

export const STATE_MAGIC = Uint8Array.of(0x89, 0x42, 0x4c, 0x53, 0x0d, 0x0a, 0x1a, 0x0a);

/** Bytes before the numbers of windows. A number and the checksum have 8 bytes. */
export const FIXED_BYTES = 48;
const NUMBER_BYTES = 8;

/** The only version. */
const STATE_VERSION = 1;

/**
 * Bytes of a head, by its first `FIXED_BYTES`. Throws a `format` error for an unknown version and for impossible
 * windows.
 */
export function stateHeadBytes(fixed: Uint8Array, name: string): number {
  const view = viewOf(fixed);
  if (view.getUint16(8, true) !== STATE_VERSION)
    throw damaged(name, `it has version ${view.getUint16(8, true)}, which this bloom does not know`);
  const windows = view.getBigUint64(40, true);
  if (windows < 1n || windows > BigInt(KEEP_LIMIT + 1))
    throw damaged(name, `it has an impossible number of windows, ${windows}`);
  return FIXED_BYTES + NUMBER_BYTES * Number(windows) + NUMBER_BYTES;
}

export async function encodeStateHead({ sightings, windows }: StateHead, checksum: Checksum): Promise<Uint8Array> {
  const numbers = windows?.numbers ?? [0];
  const bytes = new Uint8Array(FIXED_BYTES + NUMBER_BYTES * numbers.length + NUMBER_BYTES);
  const view = viewOf(bytes);
  bytes.set(STATE_MAGIC);
  view.setUint16(8, STATE_VERSION, true);
  view.setUint16(10, sightings, true);
  if (windows !== undefined) {
    view.setUint32(12, 1 + WINDOWS_OF.indexOf(windows.of), true);
    view.setBigUint64(16, BigInt(windows.length), true);
    view.setBigUint64(24, BigInt(windows.keep), true);
    view.setBigUint64(32, BigInt(windows.records), true);
  }
  for (const [i, number] of [numbers.length, ...numbers].entries())
    view.setBigUint64(FIXED_BYTES - NUMBER_BYTES + i * NUMBER_BYTES, BigInt(number), true);
  const checked = bytes.length - NUMBER_BYTES;
  view.setBigUint64(checked, await checksum(bytes.subarray(0, checked)), true);
  return bytes;
}

/** Reads a head and checks every field. Throws a `format` error. */
export async function decodeStateHead(bytes: Uint8Array, name: string, checksum: Checksum): Promise<StateHead> {
  const view = viewOf(bytes);
  const checked = bytes.length - NUMBER_BYTES;
  if (view.getBigUint64(checked, true) !== (await checksum(bytes.subarray(0, checked))))
    throw damaged(name, 'the checksum of its head does not match');
  const number = (offset: number): number => {
    const value = view.getBigUint64(offset, true);
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged(name, `its head states an impossible number, ${value}`);
    return Number(value);
  };
  const sightings = view.getUint16(10, true);
  if (sightings < 1 || sightings > SIGHTINGS_LIMIT)
    throw damaged(name, `its head states an impossible number of sightings, ${sightings}`);
  const divided = view.getUint32(12, true);
  const numbers = Array.from({ length: (checked - FIXED_BYTES) / NUMBER_BYTES }, (_, i) =>
    number(FIXED_BYTES + i * NUMBER_BYTES),
  );
  const [length, keep, records] = [number(16), number(24), number(32)];
  if (divided === 0) {
    if (length + keep + records > 0 || numbers.length > 1 || numbers[0] !== 0)
      throw damaged(name, 'its windows have no measure');
    return { sightings, windows: undefined };
  }
  const windows = { of: WINDOWS_OF[divided - 1], length, keep, numbers, records };
  if (!arePossible(windows)) throw damaged(name, 'its head states impossible windows');
  return { sightings, windows };
}

function arePossible(
  windows: Omit<StoredWindows, 'of'> & { readonly of: Windows['of'] | undefined },
): windows is StoredWindows {
  const { of, length, keep, numbers, records } = windows;
  const [first = 0, last = 0] = [numbers[0], numbers.at(-1)];
  return (
    of !== undefined &&
    length > 0 &&
    keep <= KEEP_LIMIT &&
    last - first <= keep &&
    numbers.every((number, i) => i === 0 || number > (numbers[i - 1] ?? 0)) &&
    (of === 'records' ? last <= records / length : records === 0)
  );
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
