// The 40 bytes of the header that only some filters have: those that grow, parts, those with protected keys, and
// those of a slice of the inputs.

import { damaged } from '../../errors.ts';
import type { ProtectedKeys, Shape } from '../../filters/kind.ts';
import { K_LIMIT } from '../../sizing/bloom.ts';
import { type Chain, GROWTHS, SLICES_LIMIT } from '../../sizing/chain.ts';
import { partOf, type Share } from '../../sizing/share.ts';
import type { Origin } from '../origin.ts';

// The chain in 40 bytes of the header:
//
//   offset bytes field
//        0     1 number of slices, 1 to 18
//        1     1 growth: 2, 4, 8 or 16
//        2     2 tightening, in ten thousandths
//        4    36 for each slice a byte with the logarithm of the number of its segments, to the base 2, and one with its k

const FIRST_SLICE = 4;
const TIGHTENING_UNIT = 10_000;

/** Writes a chain without its rate, which is in another field of the header. */
export function encodeChain({ growth, tightening, slices }: Chain, bytes: Uint8Array): void {
  bytes[0] = slices.length;
  bytes[1] = growth;
  new DataView(bytes.buffer, bytes.byteOffset).setUint16(2, Math.round(tightening * TIGHTENING_UNIT), true);
  for (const [i, { segments, k }] of slices.entries()) bytes.set([Math.log2(segments), k], FIRST_SLICE + 2 * i);
}

/** The chain of a filter with a target rate. Undefined if the bytes are malformed. */
export function decodeChain(bytes: Uint8Array, fpr: number): Chain | undefined {
  const [count = 0, growth = 0] = bytes;
  const tightening = new DataView(bytes.buffer, bytes.byteOffset).getUint16(2, true) / TIGHTENING_UNIT;
  const slices = Array.from({ length: Math.min(count, SLICES_LIMIT) }, (_, i) => ({
    segments: 2 ** (bytes[FIRST_SLICE + 2 * i] ?? 0),
    k: bytes[FIRST_SLICE + 2 * i + 1] ?? 0,
  }));
  const isPossible =
    count >= 1 &&
    count <= SLICES_LIMIT &&
    GROWTHS.some((known) => known === growth) &&
    tightening > 0 &&
    tightening < 1 &&
    slices.every(({ k }) => k >= 1 && k <= K_LIMIT) &&
    bytes.subarray(FIRST_SLICE + 2 * count).every((byte) => byte === 0);
  return isPossible ? { fpr, growth, tightening, slices } : undefined;
}

// Which part of a filter this is, in 40 bytes of the header:
//
//   offset bytes field
//        0     4 number of the part, from 1
//        4     4 number of parts, at least 2
//        8    32 zeros

const PART_BYTES = 8;

/** Writes which part of a filter its segments are. */
export function encodePart({ part, parts }: Share, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  view.setUint32(0, part, true);
  view.setUint32(4, parts, true);
}

/** The part of a filter that the bytes name. Throws a `format` error for one that it cannot have. */
export function decodePart<S extends Shape>(whole: S, bytes: Uint8Array, name: string): S {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const [part, parts] = [view.getUint32(0, true), view.getUint32(4, true)];
  if (parts < 2 || parts > whole.segments || part < 1 || part > parts)
    throw damaged(name, `its header states an impossible part, ${part} of ${parts}, of ${whole.segments} segments`);
  if (bytes.subarray(PART_BYTES).some((byte) => byte !== 0))
    throw damaged(name, 'its header has unknown bytes after the part');
  return partOf(whole, part, parts);
}

// The protected keys of a filter, in 40 bytes of the header. They follow the number of a part:
//
//   offset bytes field
//        0     8 number of a part, and of parts; 0 in a whole filter
//        8     4 1 if they are a list, 2 if they are the non-members of a universe
//       12     4 bits of the screen of a segment
//       16     8 number of protected keys
//       24    16 zeros

const PROTECTED_FROM = 8;
const PROTECTED_TO = 24;
const LIST = 1;
const UNIVERSE = 2;

/** Writes the protected keys of a filter. */
export function encodeProtectedKeys({ keys, screenBits, isUniverse }: ProtectedKeys, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  view.setUint32(PROTECTED_FROM, isUniverse ? UNIVERSE : LIST, true);
  view.setUint32(PROTECTED_FROM + 4, screenBits, true);
  view.setBigUint64(PROTECTED_FROM + 8, BigInt(keys), true);
}

/** The protected keys that the bytes describe. Undefined if they describe none. */
export function decodeProtectedKeys(bytes: Uint8Array, isPart: boolean): ProtectedKeys | undefined {
  // A growing filter stores its chain in these bytes.
  if (!isPart && bytes.subarray(0, PROTECTED_FROM).some((byte) => byte !== 0)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const type = view.getUint32(PROTECTED_FROM, true);
  if (type !== LIST && type !== UNIVERSE) return undefined;
  const keys = view.getBigUint64(PROTECTED_FROM + 8, true);
  if (keys > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  const screenBits = view.getUint32(PROTECTED_FROM + 4, true);
  return { keys: Number(keys), screenBits, isUniverse: type === UNIVERSE };
}

/** The same bytes without protected keys. */
export function withoutProtectedKeys(bytes: Uint8Array): Uint8Array {
  return bytes.slice().fill(0, PROTECTED_FROM, PROTECTED_TO);
}

// The origin of a slice or a part, in 40 bytes of the header. It follows the protected keys:
//
//   offset bytes field
//        0    24 which part of a filter this is, and its protected keys, or zeros
//       24     4 number of the slice of the inputs, from 1
//       28     4 number of slices; 1 if all inputs were read
//       32     8 fingerprint of the inputs

const ORIGIN_FROM = 24;

/** Writes the origin of a filter. */
export function encodeOrigin({ slice, slices, inputs }: Origin, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  view.setUint32(ORIGIN_FROM, slice, true);
  view.setUint32(ORIGIN_FROM + 4, slices, true);
  view.setBigUint64(ORIGIN_FROM + 8, inputs, true);
}

/** The origin that the bytes name. Throws a `format` error for an impossible one. */
export function decodeOrigin(bytes: Uint8Array, name: string): Origin {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const [slice, slices] = [view.getUint32(ORIGIN_FROM, true), view.getUint32(ORIGIN_FROM + 4, true)];
  if (slice < 1 || slice > slices)
    throw damaged(name, `its header states an impossible slice of the inputs, ${slice} of ${slices}`);
  return { slice, slices, inputs: view.getBigUint64(ORIGIN_FROM + 8, true) };
}

/** The same bytes without an origin. */
export function withoutOrigin(bytes: Uint8Array): Uint8Array {
  return bytes.slice().fill(0, ORIGIN_FROM);
}

// The lengths of the blocks of a filter of networks: one bit per length. They have the bytes of the protected keys, which a filter of
// networks never has:
//
//   offset bytes field
//        8     4 IPv4: bit i is length i + 1; bit 0 is length 0 too
//       12     4 IPv6: bit i is the lengths 65 + 2i and 66 + 2i
//       16     8 IPv6: bit i is length i + 1; bit 0 is length 0 too

/** Writes the lengths of blocks. */
export function encodeLengths(lengths: bigint, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  view.setBigUint64(PROTECTED_FROM, BigInt.asUintN(64, lengths), true);
  view.setBigUint64(PROTECTED_FROM + 8, lengths >> 64n, true);
}

/** Reads the lengths of blocks, and clears their bytes. */
export function takeLengths(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const lengths = view.getBigUint64(PROTECTED_FROM, true) | (view.getBigUint64(PROTECTED_FROM + 8, true) << 64n);
  bytes.fill(0, PROTECTED_FROM, PROTECTED_TO);
  return lengths;
}
