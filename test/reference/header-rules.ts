// The values that FORMAT.md allows in the fields of a header. The checksum is not tested here.

import { hashWithNumber } from './digests.ts';

import { ORACLES } from './kinds.ts';
import { within } from './places.ts';

const MAGIC = '89424c4d0d0a1a0a';
const COUNT_LIMIT = 2n ** 53n;
const SEGMENTS_LIMIT = 2 ** 21;
const SCALABLE = 7;
const CHAIN = 80;
const SLICES = CHAIN + 4;
const CHECKSUM = 120;
const PART = 4;
const TAGS = 16;
const ORIGIN = 32;
const UNICODE = 64;
const BOTH_CASES = UNICODE | 1;
const DOMAINS = 256;
const NETWORKS = 512;
/** The bytes for the lengths of networks, within the bytes that each kind defines. */
const LENGTHS = { from: 8, to: 24 } as const;
/** The lengths with markers, only in filters of networks. */
const MARKED = 0xffff0000;
const KEY_HASH = 0x7000;
const UPPER = 0x8000;
const ORIGIN_AT = 24;

/** Returns whether a header is legal, apart from its checksum and the length of the file. */
export function isLegalHeader(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [kind, k, segments, segmentBits] = [
    view.getUint16(12, true),
    view.getUint32(20, true),
    view.getUint32(40, true),
    view.getUint32(44, true),
  ];
  const flags = view.getUint32(16, true);
  const own = bytes.subarray(CHAIN, CHECKSUM);
  const hasOrigin = (flags & ORIGIN) !== 0;
  const hasNetworks = (flags & NETWORKS) !== 0;
  const others = own.slice();
  if (hasOrigin) others.fill(0, ORIGIN_AT);
  if (hasNetworks) others.fill(0, LENGTHS.from, LENGTHS.to);
  const held = segmentsHeld(others, kind, (flags & PART) !== 0, segments);
  const counts = [32, 48, 64, 72].map((at) => view.getBigUint64(at, true));
  const bits = BigInt(segments) * BigInt(segmentBits);
  const rate = view.getFloat64(56, true);
  return (
    Buffer.from(bytes.subarray(0, 8)).toString('hex') === MAGIC &&
    view.getUint16(8, true) === 1 &&
    view.getUint16(10, true) === 128 &&
    hashWithNumber(view.getUint16(14, true)) !== undefined &&
    (flags & ~(7 | TAGS | ORIGIN | UNICODE | DOMAINS | NETWORKS | KEY_HASH | UPPER | (hasNetworks ? MARKED : 0))) ===
      0 &&
    (flags & BOTH_CASES) !== BOTH_CASES &&
    areLegalKeys(flags) &&
    (!hasNetworks || kind !== SCALABLE) &&
    within(segments, 1, SEGMENTS_LIMIT) &&
    segmentBits > 0 &&
    segmentBits % 512 === 0 &&
    counts.every((count) => count < COUNT_LIMIT) &&
    counts[0] === bits &&
    counts[3] === BigInt(held ?? 0) * (BigInt(segmentBits) / 8n + (flags & TAGS ? 8n : 0n)) &&
    rate > 0 &&
    rate < 1 &&
    ORACLES.get(kind)?.isLegal({ k, segments, segmentBits }) === true &&
    held !== undefined &&
    (!hasOrigin || (kind !== SCALABLE && isLegalOrigin(own))) &&
    (kind !== SCALABLE || isLegalChain(bytes, k, segments))
  );
}

/** SHA-1, SHA-256 and MD5 have the numbers 1 to 3. At most one of hashed keys, domain names and networks is set. */
function areLegalKeys(flags: number): boolean {
  const number = (flags & KEY_HASH) / 4096;
  const sorts = [number !== 0, (flags & DOMAINS) !== 0, (flags & NETWORKS) !== 0].filter((has) => has).length;
  return number <= 3 && sorts <= 1 && (number !== 0 || (flags & UPPER) === 0);
}

/** The number of segments in a file; undefined if the bytes of the kind or of the part are not legal. */
function segmentsHeld(own: Uint8Array, kind: number, isPart: boolean, segments: number): number | undefined {
  if (!isPart) return kind === SCALABLE || isZero(own) ? segments : undefined;
  const view = new DataView(own.buffer, own.byteOffset);
  const [part, parts] = [view.getUint32(0, true), view.getUint32(4, true)];
  const isLegal = kind !== SCALABLE && within(parts, 2, segments) && within(part, 1, parts) && isZero(own.subarray(8));
  const [first, end] = [
    (BigInt(part - 1) * BigInt(segments)) / BigInt(parts || 1),
    (BigInt(part) * BigInt(segments)) / BigInt(parts || 1),
  ];
  return isLegal ? Number(end - first) : undefined;
}

function isLegalOrigin(own: Uint8Array): boolean {
  const view = new DataView(own.buffer, own.byteOffset + ORIGIN_AT);
  const slices = view.getUint32(4, true);
  return within(view.getUint32(0, true), 1, slices);
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

function isLegalChain(bytes: Uint8Array, k: number, segments: number): boolean {
  const [count = 0, growth = 0, low = 0, high = 0] = bytes.subarray(CHAIN);
  if (!within(count, 1, 18) || ![2, 4, 8, 16].includes(growth) || !within(low + 256 * high, 1, 9999)) return false;
  const slices = Array.from({ length: count }, (_, i) => [...bytes.subarray(SLICES + 2 * i, SLICES + 2 * i + 2)]);
  return (
    slices.every(([, k = 0]) => within(k, 1, 64)) &&
    slices[0]?.[1] === k &&
    slices.reduce((sum, [exponent = 0]) => sum + 2 ** exponent, 0) === segments &&
    isZero(bytes.subarray(SLICES + 2 * count, CHECKSUM))
  );
}
