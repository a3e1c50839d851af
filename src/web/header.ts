// The header of a file, as a reader needs it: after FORMAT.md, which says the same in more words.

import { BloomError, damaged } from '../errors.ts';
import { KEY_HASH_TEXTS } from '../hashes/key-hashes.ts';
import { HASH_NAMES } from '../hashes/registry.ts';
import { SEGMENT_BITS_LIMIT, SEGMENTS_LIMIT } from '../sizing/geometry.ts';
import { rangeOfShare } from '../sizing/share.ts';
import type { WebInfo } from './filter.ts';
import { xxh64 } from './hashes/xxh64.ts';
import { hasUnits, KINDS, type Kind, slicesIn } from './kinds.ts';
import type { WebShape } from './shape.ts';
import { viewOf, wordAt } from './words.ts';

const HEADER_BYTES = 128;
const CHECKED_BYTES = HEADER_BYTES - 8;
const NOTED_BYTES = 1152;
const TAG_BYTES = 8;
const ENTRY_BYTES = 16;

const MAGIC = 0x0a1a0a0d4d4c4289n;
const UNKNOWN_FLAGS = 0xc80;
/** The first flag of those that only filters of networks have: the lengths with markers, which this reader does not need. */
const MARKED = 0x10000;
const IGNORE_CASE = 1;
const TRIM = 2;
const PART = 4;
const NOTE = 8;
const TAGS = 16;
const ORIGIN = 32;
const UNICODE = 64;
const DOMAINS = 256;
const NETWORKS = 512;
const KEY_HASH = 0x7000;
const UPPER = 0x8000;

export interface WebHeader {
  readonly info: WebInfo;
  readonly kindId: number;
  readonly kind: Kind;
  readonly shape: WebShape;
  /** The lengths of networks: one bit per length, as FORMAT.md has them from byte 88 on. */
  readonly lengths: bigint;
  /** The first segment of the file in the filter. */
  readonly first: number;
  /** Bytes before the segments, and of the table. */
  readonly begin: number;
  readonly tableBytes: number;
  readonly isTagged: boolean;
  readonly checksum: bigint;
}

/** Reads a header. Throws a `format` error if the bytes are not one, or have what this reader does not know. */
export function headerIn(bytes: Uint8Array, name: string): WebHeader {
  const view = viewOf(bytes);
  const short = (at: number) => view.getUint16(at, true);
  const word = (at: number) => view.getUint32(at, true);
  const long = (at: number) => wordAt(view, at);
  /** A number that is read exactly; NaN for others. */
  const count = (at: number) => (long(at) <= Number.MAX_SAFE_INTEGER ? Number(long(at)) : Number.NaN);
  if (bytes.length < 8 || long(0) !== MAGIC)
    throw new BloomError('format', `${name} is not a filter of bloom`, 'make one with bloom build');
  const impossible = () => damaged(name, 'its header is impossible');
  if (bytes.length < HEADER_BYTES) throw impossible();
  const checksum = long(CHECKED_BYTES);
  if (checksum !== xxh64(bytes.subarray(0, CHECKED_BYTES), 0n)) throw impossible();
  const flags = word(16);
  const has = (flag: number) => (flags & flag) !== 0;
  const kindId = short(12);
  const kind = KINDS[kindId];
  const hash = HASH_NAMES[short(14) - 1];
  const keyHash = KEY_HASH_TEXTS[2 * ((flags & KEY_HASH) >> 12) - (has(UPPER) ? 1 : 2)] ?? null;
  const isKnown =
    !has(UNKNOWN_FLAGS) &&
    (has(NETWORKS) || flags < MARKED) &&
    (keyHash === null ? !has(KEY_HASH | UPPER) : !has(DOMAINS | NETWORKS));
  if (short(8) !== 1 || !isKnown || kind === undefined || hash === undefined)
    throw new BloomError('format', `${name} has what this reader does not know`, 'use a newer bloomery');

  const { isChained = false } = kind;
  const isProtected = kind.verdictWords !== undefined;
  const [k, of, segmentBits, targetFpr] = [word(20), word(40), word(44), view.getFloat64(56, true)];
  const [part, parts] = has(PART) ? [word(80), word(84)] : [1, 1];
  const { first, count: segments } = rangeOfShare({ part, parts, segments: of });
  const slices = isChained ? slicesIn(bytes.subarray(80, CHECKED_BYTES)) : [{ segments: of, k }];
  const shape = { segments: of, segmentBits, slices, screenBits: isProtected ? word(92) : 0 };
  const begin = has(NOTE) ? NOTED_BYTES : HEADER_BYTES;
  const pageBytes = segmentBits / 8 + (has(TAGS) ? TAG_BYTES : 0);
  const tableBytes = ENTRY_BYTES * segments + 8;
  const [capacity, inserted] = [count(48), count(64)];
  const isUnused = (from: number, to: number) => bytes.subarray(from, to).every((byte) => byte === 0);
  const isPossible =
    short(10) === begin &&
    !(has(IGNORE_CASE) && has(UNICODE)) &&
    !(has(NETWORKS) && (has(DOMAINS) || isChained || isProtected)) &&
    of <= SEGMENTS_LIMIT &&
    segmentBits % 512 === 0 &&
    of * segmentBits > 0 &&
    count(32) === of * segmentBits &&
    segmentBits <= SEGMENT_BITS_LIMIT &&
    targetFpr > 0 &&
    targetFpr < 1 &&
    capacity + inserted >= 0 &&
    count(72) === segments * pageBytes &&
    slices.reduce((sum, slice) => sum + slice.segments, 0) === of &&
    slices.every((slice) => slice.k > 0 && slice.k <= 64) &&
    slices[0]?.k === k &&
    (isChained
      ? !has(PART | ORIGIN)
      : (has(PART) ? part > 0 && part <= parts && parts > 1 && parts <= of : isUnused(80, 88)) &&
        (isProtected ? word(88) > 0 && word(88) < 3 && count(96) >= 0 : has(NETWORKS) || isUnused(88, 104)) &&
        (has(ORIGIN) ? word(104) > 0 && word(104) <= word(108) : isUnused(104, 120))) &&
    hasUnits(kind, shape, k);
  if (!isPossible) throw impossible();
  return {
    info: {
      format: 'bloomery',
      kind: kind.name,
      ...{ hash, seed: long(24), keyHash, capacity, inserted, targetFpr, hashes: k, segments, pageBytes },
      ignoreCase: has(UNICODE) ? 'unicode' : has(IGNORE_CASE),
      trim: has(TRIM),
      keyType: has(DOMAINS) ? 'domain' : has(NETWORKS) ? 'network' : 'text',
      part: has(PART) ? `${part}/${parts}` : null,
      bits: segments * segmentBits,
      bytes: begin + segments * pageBytes + tableBytes,
    },
    ...{ kindId, kind, shape, first, begin, tableBytes, checksum },
    lengths: long(88) | (long(96) << 64n),
    isTagged: has(TAGS),
  };
}
