import { BloomError, damaged } from '../../errors.ts';
import type { Shape } from '../../filters/kind.ts';
import { KEY_HASHES, type KeyHash, keyHashWithId } from '../../hashes/key-hashes.ts';
import { HASH_NAMES, hashNameWithId, type OwnHashName, ownHashNamed } from '../../hashes/registry.ts';
import { K_LIMIT } from '../../sizing/bloom.ts';
import { segmentsOf } from '../../sizing/chain.ts';
import { type Geometry, LINE_BITS, payloadBytes, SEGMENTS_LIMIT } from '../../sizing/geometry.ts';
import { wholeOf } from '../../sizing/share.ts';
import type { Checksum } from '../checksum.ts';
import { DOMAINS, type KeyRules, NETWORKS, type Target } from '../description.ts';
import type { Note } from '../note.ts';
import type { Origin } from '../origin.ts';
import { needsTags, TAG_BYTES } from '../tags.ts';
import { encodeNote, NOTED_BYTES } from './note.ts';
import {
  decodeChain,
  decodeOrigin,
  decodePart,
  decodeProtectedKeys,
  encodeChain,
  encodeLengths,
  encodeOrigin,
  encodePart,
  encodeProtectedKeys,
  takeLengths,
  withoutOrigin,
  withoutProtectedKeys,
} from './parameters.ts';
import { tableBytes } from './segment-table.ts';
import { MAGIC, requireSignature } from './signature.ts';

// Numbers in files, except the ids of kinds and of hashes, which are in their descriptors. They are append-only: a
// number never changes its meaning and is never reused.

export const FORMAT_VERSION = 1;

/** Flags: bits of one field. */
export const FLAGS = {
  ignoreCase: 1,
  trim: 2,
  part: 4,
  note: 8,
  tags: 16,
  origin: 32,
  unicodeCase: 64,
  domains: 256,
  networks: 512,
} as const;

/** All flags. A file with another one needs a newer reader. */
const KNOWN_FLAGS = Object.values(FLAGS).reduce((all, flag) => all | flag, 0);

/** The flags of case. A file has at most one of them. */
const CASE_FLAGS = { false: 0, true: FLAGS.ignoreCase, unicode: FLAGS.unicodeCase } as const;
const BOTH_CASES = FLAGS.ignoreCase | FLAGS.unicodeCase;
/** The number of a key hash, from this bit on, and the flag of its capital digits. */
const KEY_HASH = { shift: 12, mask: 0x7000, upper: 0x8000 } as const;

/** The lengths of IPv4 blocks with markers, from this bit on. Only filters of networks have them. */
const MARKED_SHIFT = 16;

/** The rules that bloomery's own filters support. */
export interface OwnRules extends KeyRules {
  readonly hash: OwnHashName;
}

/** The fields of a header. */
export interface Header extends OwnRules, Shape, Target {
  /** Id of the kind. src/filters/registry.ts has the ids. */
  readonly kind: number;
  /** Added keys, with repetitions. */
  readonly inserted: number;
  readonly note?: Note | undefined;
  readonly origin?: Origin | undefined;
  /** A tag follows each segment. */
  readonly isTagged?: true | undefined;
}

// The layout, little-endian (FORMAT.md says the same for readers in other languages):
//
//   offset bytes field
//        0     8 magic: 89 42 4C 4D 0D 0A 1A 0A, broken by any transfer that is not binary, as PNG's is
//        8     2 format version, 1
//       10     2 header length, 128; 1,152 with a note, which follows
//       12     2 kind id
//       14     2 hash id
//       16     4 flags
//       20     4 hashes, k
//       24     8 seed of the hash
//       32     8 bits, m, of the whole filter
//       40     4 segments of the whole filter
//       44     4 bits of a segment
//       48     8 capacity, n
//       56     8 target rate, p, as a double
//       64     8 keys inserted
//       72     8 payload length in bytes, tags included
//       80    40 the chain of a filter that grows; which part of a filter this is; its protected keys;
//            its origin; 0 for the others
//      120     8 XXH64, seed 0, of bytes 0 to 119

export const HEADER_BYTES = 128;
const CHECKED_BYTES = HEADER_BYTES - 8;
const OWN = { from: 80, to: CHECKED_BYTES };

/** Bytes of a header and its note. */
export function headerBytes(note: Note | undefined): number {
  return note === undefined ? HEADER_BYTES : NOTED_BYTES;
}

/** Bytes of the segments and their tags. */
export function storedBytes(geometry: Geometry, isTagged = false): number {
  return payloadBytes(geometry) + (isTagged ? TAG_BYTES * geometry.segments : 0);
}

/** Bytes of the whole file: header, payload, table. */
export function fileBytes(shape: Shape, note?: Note, isTagged = needsTags(shape)): number {
  return headerBytes(note) + storedBytes(shape, isTagged) + tableBytes(shape.segments);
}

/** The bytes of a header. Throws a `capacity` error for numbers that do not fit its fields. */
export async function encodeHeader(header: Header, checksum: Checksum): Promise<Uint8Array> {
  const whole = wholeOf(header);
  if (whole.segments > SEGMENTS_LIMIT || ![header.inserted, header.capacity].every(Number.isSafeInteger)) {
    throw new BloomError(
      'capacity',
      `nothing was written: ${header.inserted} keys in ${header.segments} segments are more than a file can state`,
      'build several filters of fewer keys',
    );
  }
  const length = headerBytes(header.note);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint16(8, FORMAT_VERSION, true);
  view.setUint16(10, length, true);
  view.setUint16(12, header.kind, true);
  view.setUint16(14, ownHashNamed(header.hash).id, true);
  view.setUint32(16, flagsOf(header), true);
  view.setUint32(20, header.k, true);
  view.setBigUint64(24, header.seed, true);
  view.setBigUint64(32, BigInt(whole.bits), true);
  view.setUint32(40, whole.segments, true);
  view.setUint32(44, header.segmentBits, true);
  view.setBigUint64(48, BigInt(header.capacity), true);
  view.setFloat64(56, header.targetFpr, true);
  view.setBigUint64(64, BigInt(header.inserted), true);
  view.setBigUint64(72, BigInt(storedBytes(header, header.isTagged)), true);
  const own = bytes.subarray(OWN.from, OWN.to);
  if (header.chain !== undefined) encodeChain(header.chain, own);
  if (header.share !== undefined) encodePart(header.share, own);
  if (header.protectedKeys !== undefined) encodeProtectedKeys(header.protectedKeys, own);
  if (header.origin !== undefined) encodeOrigin(header.origin, own);
  if (header.encoding === 'network') encodeLengths(header.lengths ?? 0n, own);
  view.setBigUint64(CHECKED_BYTES, await checksum(bytes.subarray(0, CHECKED_BYTES)), true);
  if (header.note !== undefined) await encodeNote(header.note, bytes, checksum);
  return bytes;
}

function flagsOf({ ignoreCase, trim, encoding, marked = 0, keyHash, share, note, isTagged, origin }: Header): number {
  const own = CASE_FLAGS[`${ignoreCase}`] | (trim ? FLAGS.trim : 0);
  const ofFile = (note === undefined ? 0 : FLAGS.note) | (isTagged ? FLAGS.tags : 0) | (origin ? FLAGS.origin : 0);
  const ofType = encoding === 'domain' ? FLAGS.domains : encoding === 'network' ? FLAGS.networks : 0;
  const ofKeys = own | ofType | flagsOfKeyHash(keyHash) | (marked << MARKED_SHIFT);
  return ofKeys | (share === undefined ? 0 : FLAGS.part) | ofFile;
}

function flagsOfKeyHash(keyHash: KeyHash | undefined): number {
  if (keyHash === undefined) return 0;
  return (KEY_HASHES[keyHash.name].id << KEY_HASH.shift) | (keyHash.isUpper ? KEY_HASH.upper : 0);
}

/** Whether a note follows a header. */
export function hasNote(bytes: Uint8Array): boolean {
  return (new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES).getUint32(16, true) & FLAGS.note) !== 0;
}

/** The checksum in a header. It is the seed of the table's checksum and so ties the table to the header. */
export function headerChecksum(bytes: Uint8Array): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES).getBigUint64(CHECKED_BYTES, true);
}

/**
 * Reads a header without its note, and checks every field. `name` is for messages. Throws a `format` error if it is
 * not a filter, is damaged, or was made by a newer bloom.
 */
export async function decodeHeader(bytes: Uint8Array, name: string, checksum: Checksum): Promise<Header> {
  requireSignature(bytes, name);
  if (bytes.length < HEADER_BYTES)
    throw damaged(name, `it ends within its header, after ${bytes.length} of ${HEADER_BYTES} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  const version = view.getUint16(8, true);
  if (version > FORMAT_VERSION) throw newer(name, `format version ${version}`);
  if (headerChecksum(bytes) !== (await checksum(bytes.subarray(0, CHECKED_BYTES))))
    throw damaged(name, 'the checksum of its header does not match');
  if (version !== FORMAT_VERSION || view.getUint16(10, true) !== (hasNote(bytes) ? NOTED_BYTES : HEADER_BYTES))
    throw damaged(name, 'its header states an impossible version or length');

  const number = (offset: number, field: string): number => {
    const value = view.getBigUint64(offset, true);
    if (value > GREATEST) throw damaged(name, `its header states an impossible ${field}, ${value}`);
    return Number(value);
  };
  const flags = decodeFlags(view, name);
  const whole: Header = {
    ...decodeRules(view, flags, name),
    kind: view.getUint16(12, true),
    k: view.getUint32(20, true),
    bits: number(32, 'number of bits'),
    segments: view.getUint32(40, true),
    segmentBits: view.getUint32(44, true),
    capacity: number(48, 'capacity'),
    targetFpr: view.getFloat64(56, true),
    inserted: number(64, 'number of keys'),
    ...((flags & FLAGS.tags) !== 0 && { isTagged: true }),
  };
  const stored = bytes.slice(OWN.from, OWN.to);
  const isOfNetworks = (flags & FLAGS.networks) !== 0;
  const lengths = isOfNetworks ? takeLengths(stored) : undefined;
  const origin = (flags & FLAGS.origin) === 0 ? undefined : decodeOrigin(stored, name);
  const own = origin === undefined ? stored : withoutOrigin(stored);
  const isPart = (flags & FLAGS.part) !== 0;
  const protectedKeys = decodeProtectedKeys(own, isPart);
  const numbers = { ...whole, ...(protectedKeys && { protectedKeys }), ...(isOfNetworks && { lengths }) };
  const others = protectedKeys === undefined ? own : withoutProtectedKeys(own);
  const header = isPart
    ? decodePart(checked(numbers, name), others, name)
    : checked(withChain(numbers, others, name), name);
  if (isOfNetworks && header.chain !== undefined)
    throw damaged(name, 'its header has lengths of networks, and its kind has none');
  if (number(72, 'payload length') !== storedBytes(header, header.isTagged))
    throw damaged(name, 'the payload length of its header does not fit its segments');
  if (origin === undefined) return header;
  if (header.chain !== undefined) throw damaged(name, 'its header has a slice of the inputs, and its kind has none');
  return { ...header, origin };
}

/** The greatest number that is read exactly. */
const GREATEST = BigInt(Number.MAX_SAFE_INTEGER);

function newer(name: string, what: string): BloomError {
  return new BloomError('format', `${name} has ${what}, which this bloom does not know`, 'use a newer bloom');
}

function decodeFlags(header: DataView, name: string): number {
  const flags = header.getUint32(16, true);
  const ofNetworks = (flags & FLAGS.networks) === 0 ? 0 : -1 << MARKED_SHIFT;
  const known = KNOWN_FLAGS | KEY_HASH.mask | KEY_HASH.upper | ofNetworks;
  const unknown = (flags & BOTH_CASES) === BOTH_CASES ? flags : flags & ~known;
  if (unknown !== 0) throw newer(name, `flags 0x${(unknown >>> 0).toString(16)}`);
  return flags;
}

function decodeRules(header: DataView, flags: number, name: string): OwnRules {
  const id = header.getUint16(14, true);
  const hash = hashNameWithId(id);
  if (hash === undefined) throw newer(name, `hash number ${id} (known: ${HASH_NAMES.join(', ')})`);
  const ofKeys = (flags & KEY_HASH.mask) >> KEY_HASH.shift;
  const keyHash = keyHashWithId(ofKeys, (flags & KEY_HASH.upper) !== 0);
  if (keyHash === undefined && (flags & (KEY_HASH.mask | KEY_HASH.upper)) !== 0)
    throw newer(name, `key hash number ${ofKeys}`);
  const ofOtherKeys = flags & (FLAGS.domains | FLAGS.networks);
  if (ofOtherKeys === (FLAGS.domains | FLAGS.networks) || (keyHash !== undefined && ofOtherKeys !== 0))
    throw damaged(name, 'the flags of its header exclude each other');
  return {
    hash,
    seed: header.getBigUint64(24, true),
    ignoreCase: (flags & FLAGS.unicodeCase) !== 0 ? 'unicode' : (flags & FLAGS.ignoreCase) !== 0,
    trim: (flags & FLAGS.trim) !== 0,
    ...((flags & FLAGS.domains) !== 0 && DOMAINS),
    ...((flags & FLAGS.networks) !== 0 && NETWORKS),
    ...(flags >>> MARKED_SHIFT !== 0 && { marked: flags >>> MARKED_SHIFT }),
    ...(keyHash && { keyHash }),
  };
}

/** The header with the chain of a growing filter. Other filters have zeros there. */
function withChain(header: Header, parameters: Uint8Array, name: string): Header {
  if (parameters.every((byte) => byte === 0)) return header;
  const chain = decodeChain(parameters, header.targetFpr);
  if (chain === undefined) throw newer(name, 'parameters of its kind');
  if (segmentsOf(chain) !== header.segments) throw damaged(name, 'the slices of its header do not fit its segments');
  if (chain.slices[0]?.k !== header.k)
    throw damaged(name, 'the hash functions of its header do not fit its first slice');
  return { ...header, chain };
}

/** A header whose numbers fit together. Throws a `format` error otherwise. */
function checked(header: Header, name: string): Header {
  const { segments, segmentBits } = header;
  if (segments === 0 || segments > SEGMENTS_LIMIT || segmentBits === 0 || segmentBits % LINE_BITS !== 0)
    throw damaged(name, 'its header states impossible segments');
  if (header.bits !== segments * segmentBits) throw damaged(name, 'the bits of its header do not fit its segments');
  if (header.k === 0 || header.k > K_LIMIT)
    throw damaged(name, `its header states an impossible number of hash functions, ${header.k}`);
  if (!(header.targetFpr > 0 && header.targetFpr < 1))
    throw damaged(name, 'its header states an impossible target rate');
  return header;
}
