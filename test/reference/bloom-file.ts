// A reader and a writer of filter files, after FORMAT.md and nothing else. They show that FORMAT.md suffices to write a
// reader in another language.

import type { BitRules, ChainRules } from './bloom-bits.ts';
import { hashNumber, hashWithNumber } from './digests.ts';
import { contentOf, ORACLES, oracleOf } from './kinds.ts';
import { xxh64 } from './xxh64.ts';

/** The fields of a header, without those that follow from the others. */
export interface FileFields extends BitRules {
  readonly kind: number;
  readonly capacity: number;
  readonly targetFpr: number;
  readonly inserted: number;
  readonly isTagged?: true | undefined;
}

export interface BloomFile extends FileFields {
  readonly payload: Uint8Array;
}

const MAGIC = [0x89, 0x42, 0x4c, 0x4d, 0x0d, 0x0a, 0x1a, 0x0a];
const HEADER = 128;
const CHECKED = 120;
const ENTRY = 16;
const SEAL = 8;
const SCALABLE = 7;
const IGNORE_CASE = 1;
const UNICODE_CASE = 64;
const TRIM = 2;
const TAGS = 16;
const TAG = 8;

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function demand(condition: boolean, what: string): void {
  if (!condition) throw new Error(`the file breaks FORMAT.md: ${what}`);
}

/** Reads a whole filter file and verifies every field and checksum. Throws if the file breaks the format. */
export function parseFile(file: Uint8Array): BloomFile {
  const view = viewOf(file);
  demand(file.length >= HEADER, 'it is shorter than a header');
  demand(
    MAGIC.every((byte, i) => file[i] === byte),
    'magic',
  );
  const headerChecksum = view.getBigUint64(CHECKED, true);
  demand(headerChecksum === xxh64(file.subarray(0, CHECKED), 0n), 'header checksum');
  demand(view.getUint16(8, true) === 1, 'version');
  demand(view.getUint16(10, true) === HEADER, 'header length');
  const kind = view.getUint16(12, true);
  demand(ORACLES.has(kind), 'kind');
  const hash = hashWithNumber(view.getUint16(14, true));
  if (hash === undefined) throw new Error('the file breaks FORMAT.md: hash');
  const flags = view.getUint32(16, true);
  demand((flags & ~(IGNORE_CASE | UNICODE_CASE | TRIM | TAGS)) === 0, 'flags');
  const tag = flags & TAGS ? TAG : 0;
  const chain = kind === SCALABLE ? chainOf(file.subarray(80, CHECKED), view.getFloat64(56, true)) : undefined;
  demand(chain !== undefined || file.subarray(80, CHECKED).every((byte) => byte === 0), 'parameters');
  const segments = view.getUint32(40, true);
  const segmentBits = view.getUint32(44, true);
  demand(segments > 0 && segmentBits > 0 && segmentBits % 512 === 0, 'segments');
  demand(view.getBigUint64(32, true) === BigInt(segments) * BigInt(segmentBits), 'bits');
  const payloadBytes = segments * (segmentBits / 8 + tag);
  demand(view.getBigUint64(72, true) === BigInt(payloadBytes), 'payload length');
  demand(file.length === HEADER + payloadBytes + ENTRY * segments + SEAL, 'length of the file');

  const fields = { segments, segmentBits, k: view.getUint32(20, true), ...(chain && { chain }) };
  demand(chain === undefined || chain.slices.reduce((sum, slice) => sum + slice.segments, 0) === segments, 'slices');
  const stored = file.subarray(HEADER, HEADER + payloadBytes);
  const table = file.subarray(HEADER + payloadBytes, file.length - SEAL);
  demand(view.getBigUint64(file.length - SEAL, true) === xxh64(table, headerChecksum), 'seal');
  const parts = piecesOf(stored, segmentBits / 8 + tag).map((piece, i) => {
    const segment = piece.subarray(0, segmentBits / 8);
    const checksum = xxh64(segment, tag > 0 ? BigInt.asUintN(64, headerChecksum + BigInt(i)) : 0n);
    demand(viewOf(table).getBigUint64(ENTRY * i, true) === checksum, `checksum of segment ${i}`);
    demand(tag === 0 || viewOf(piece).getBigUint64(segment.length, true) === checksum, `tag of segment ${i}`);
    demand(
      viewOf(table).getBigUint64(ENTRY * i + 8, true) === oracleOf(kind).fillOf(segment, fields),
      `fill of segment ${i}`,
    );
    return segment;
  });
  return {
    kind,
    hash,
    ...fields,
    seed: view.getBigUint64(24, true),
    ignoreCase: (flags & UNICODE_CASE) !== 0 ? 'unicode' : (flags & IGNORE_CASE) !== 0,
    trim: (flags & TRIM) !== 0,
    capacity: Number(view.getBigUint64(48, true)),
    targetFpr: view.getFloat64(56, true),
    inserted: Number(view.getBigUint64(64, true)),
    ...(tag > 0 && { isTagged: true }),
    payload: tag > 0 ? joined(parts) : stored,
  };
}

function chainOf(bytes: Uint8Array, fpr: number): ChainRules {
  const [count = 0, growth = 0] = bytes;
  const slices = Array.from({ length: count }, (_, i) => ({
    segments: 2 ** (bytes[4 + 2 * i] ?? 0),
    k: bytes[5 + 2 * i] ?? 0,
  }));
  return { fpr, slices, growth, tightening: viewOf(bytes).getUint16(2, true) / 1e4 };
}

function segmentsOf(payload: Uint8Array, segmentBits: number): Uint8Array[] {
  return piecesOf(payload, segmentBits / 8);
}

function piecesOf(bytes: Uint8Array, length: number): Uint8Array[] {
  return Array.from({ length: bytes.length / length }, (_, i) => bytes.subarray(i * length, (i + 1) * length));
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(pieces));
}

/** Returns whether the filter maybe contains the key. */
export function mayContain(file: BloomFile, key: Uint8Array): boolean {
  return oracleOf(file.kind).mayContain(file.payload, key, file);
}

/** The fields and content of a file, to compare files. The content is the payload, unless the kind has several layouts of it. */
export function contentOfFile(file: Uint8Array): unknown {
  const { payload, ...fields } = parseFile(file);
  return { ...fields, content: contentOf(fields.kind, payload, fields) };
}

/** Writes the checksum of a header. The other fields must be set before. */
export function sealHeader(header: Uint8Array): void {
  viewOf(header).setBigUint64(CHECKED, xxh64(header.subarray(0, CHECKED), 0n), true);
}

/** The bytes of a whole filter file. */
export function fileOf({ payload, ...fields }: BloomFile): Uint8Array {
  const tag = fields.isTagged ? TAG : 0;
  const stored = payload.length + tag * fields.segments;
  const file = new Uint8Array(HEADER + stored + ENTRY * fields.segments + SEAL);
  const view = viewOf(file);
  file.set(MAGIC);
  view.setUint16(8, 1, true);
  view.setUint16(10, HEADER, true);
  view.setUint16(12, fields.kind, true);
  view.setUint16(14, hashNumber(fields.hash), true);
  view.setUint32(
    16,
    (fields.ignoreCase ? (fields.ignoreCase === 'unicode' ? UNICODE_CASE : IGNORE_CASE) : 0) +
      (fields.trim ? TRIM : 0) +
      (tag && TAGS),
    true,
  );
  view.setUint32(20, fields.k, true);
  view.setBigUint64(24, fields.seed, true);
  view.setBigUint64(32, BigInt(fields.segments) * BigInt(fields.segmentBits), true);
  view.setUint32(40, fields.segments, true);
  view.setUint32(44, fields.segmentBits, true);
  view.setBigUint64(48, BigInt(fields.capacity), true);
  view.setFloat64(56, fields.targetFpr, true);
  view.setBigUint64(64, BigInt(fields.inserted), true);
  view.setBigUint64(72, BigInt(stored), true);
  sealHeader(file.subarray(0, HEADER));
  const segments = segmentsOf(payload, fields.segmentBits);
  for (const [i, segment] of segments.entries()) file.set(segment, HEADER + i * (segment.length + tag));
  const fills = segments.map((segment) => oracleOf(fields.kind).fillOf(segment, fields));
  sealTable(file, fills);
  return file;
}

/** Writes the table and the tags of a file that has its header and payload. Without `fills` the fills stay. */
export function sealTable(file: Uint8Array, fills: readonly bigint[] = []): void {
  const view = viewOf(file);
  const payloadEnd = file.length - SEAL - ENTRY * view.getUint32(40, true);
  const table = file.subarray(payloadEnd, file.length - SEAL);
  const isTagged = (view.getUint32(16, true) & TAGS) !== 0;
  const bytes = view.getUint32(44, true) / 8;
  piecesOf(file.subarray(HEADER, payloadEnd), bytes + (isTagged ? TAG : 0)).forEach((piece, i) => {
    const fill = fills[i] ?? viewOf(table).getBigUint64(ENTRY * i + 8, true);
    const seed = isTagged ? BigInt.asUintN(64, view.getBigUint64(CHECKED, true) + BigInt(i)) : 0n;
    const checksum = xxh64(piece.subarray(0, bytes), seed);
    if (isTagged) viewOf(piece).setBigUint64(bytes, checksum, true);
    viewOf(table).setBigUint64(ENTRY * i, checksum, true);
    viewOf(table).setBigUint64(ENTRY * i + 8, fill, true);
  });
  view.setBigUint64(file.length - SEAL, xxh64(table, view.getBigUint64(CHECKED, true)), true);
}
