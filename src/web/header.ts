// The header of a file, as a reader needs it: after FORMAT.md, which says the same in more words.

import { BloomError, damaged } from '../errors.ts';
import { HASH_NAMES, type OwnHashName } from '../hashes/registry.ts';
import { GROWTHS } from '../sizing/chain.ts';
import { SEGMENTS_LIMIT } from '../sizing/geometry.ts';
import { scale } from './halves.ts';
import { xxh64 } from './hashes/xxh64.ts';
import { type Digest, KINDS, type Kind, type PlaceOfKey, type WebShape, type WebSlice } from './kinds.ts';
import { viewOf, wordAt } from './words.ts';

export const HEADER_BYTES = 128;
const NOTED_BYTES = 1152;
const TAG_BYTES = 8;
const ENTRY_BYTES = 16;

const MAGIC = 0x0a1a0a0d4d4c4289n;
const FLAGS = { ignoreCase: 1, trim: 2, part: 4, note: 8, tags: 16, origin: 32, domains: 256 } as const;
const KNOWN_FLAGS = Object.values(FLAGS).reduce((all, flag) => all | flag, 0);

export interface WebHeader {
  readonly kind: Kind;
  readonly shape: WebShape;
  readonly hash: OwnHashName;
  readonly seed: bigint;
  readonly ignoreCase: boolean;
  readonly trim: boolean;
  readonly areDomains: boolean;
  readonly capacity: number;
  readonly targetFpr: number;
  readonly inserted: number;
  readonly part: string | null;
  /** The first segment of the file in the filter, and their number. */
  readonly first: number;
  readonly count: number;
  /** Bytes before the segments, of a segment, of a segment with its tag, and of the table. */
  readonly begin: number;
  readonly segmentBytes: number;
  readonly pageBytes: number;
  readonly tableBytes: number;
  readonly isTagged: boolean;
  readonly checksum: bigint;
}

/** Reads a header. Throws a `format` error if the bytes are not one, or have what this reader does not know. */
export function headerIn(bytes: Uint8Array, name: string): WebHeader {
  if (bytes.length < 8 || wordAt(viewOf(bytes), 0) !== MAGIC)
    throw new BloomError('format', `${name} is not a filter of bloom`, 'make one with bloom build');
  const impossible = (what: string) => damaged(name, `its header has an impossible ${what}`);
  if (bytes.length < HEADER_BYTES) throw impossible('length');
  const view = viewOf(bytes);
  const [short, word] = [(at: number) => view.getUint16(at, true), (at: number) => view.getUint32(at, true)];
  const long = (at: number) => Number(wordAt(view, at));
  const checksum = wordAt(view, HEADER_BYTES - 8);
  const flags = word(16);
  const has = (flag: keyof typeof FLAGS) => (flags & FLAGS[flag]) !== 0;
  const kind = KINDS[short(12)];
  const hash = HASH_NAMES[short(14) - 1];
  if (short(8) === 1 && checksum !== xxh64(bytes.subarray(0, HEADER_BYTES - 8), 0n))
    throw damaged(name, 'the checksum of its header does not match');
  if (short(8) !== 1 || (flags & ~KNOWN_FLAGS) !== 0 || kind === undefined || hash === undefined)
    throw new BloomError('format', `${name} has what this reader does not know`, 'use a newer bloomery');

  const [k, segments, segmentBits, bits, targetFpr] = [
    word(20),
    word(40),
    word(44),
    long(32),
    view.getFloat64(56, true),
  ];
  const begin = has('note') ? NOTED_BYTES : HEADER_BYTES;
  const [part, parts] = has('part') ? [word(80), word(84)] : [1, 1];
  const first = Math.floor(((part - 1) * segments) / parts);
  const count = Math.floor((part * segments) / parts) - first;
  const isProtected = kind.isProtected === true;
  const slices = kind.isChained ? slicesIn(bytes.subarray(80, HEADER_BYTES - 8)) : [{ segments, k }];
  const shape = {
    bits,
    segments,
    segmentBits,
    k,
    slices,
    isChained: kind.isChained === true,
    screenBits: isProtected ? word(92) : 0,
  };
  const segmentBytes = segmentBits / 8;
  const pageBytes = segmentBytes + (has('tags') ? TAG_BYTES : 0);
  const isUnused = (from: number, to: number) => bytes.subarray(from, to).every((byte) => byte === 0);
  const isPossible =
    short(10) === begin &&
    segments > 0 &&
    segments <= SEGMENTS_LIMIT &&
    segmentBits > 0 &&
    segmentBits % 512 === 0 &&
    bits === segments * segmentBits &&
    k > 0 &&
    k <= 64 &&
    targetFpr > 0 &&
    targetFpr < 1 &&
    [48, 64, ...(isProtected ? [96] : [])].every((at) => long(at) <= Number.MAX_SAFE_INTEGER) &&
    long(72) === count * pageBytes &&
    slices.reduce((sum, slice) => sum + slice.segments, 0) === segments &&
    slices.every((slice) => slice.k > 0 && slice.k <= 64) &&
    slices[0]?.k === k &&
    (kind.isChained
      ? !has('part') && !has('origin')
      : (has('part') ? part >= 1 && part <= parts && parts >= 2 && parts <= segments : isUnused(80, 88)) &&
        (isProtected ? [1, 2].includes(word(88)) : isUnused(88, 104)) &&
        (has('origin') ? word(104) > 0 && word(104) <= word(108) : isUnused(104, 120))) &&
    kind.isShape(shape);
  if (!isPossible) throw impossible(`shape of a ${kind.name} filter`);
  return {
    ...{ kind, shape, hash, seed: wordAt(view, 24), first, count, begin, segmentBytes, pageBytes, targetFpr, checksum },
    ...{ ignoreCase: has('ignoreCase'), trim: has('trim'), areDomains: has('domains'), isTagged: has('tags') },
    ...{ capacity: long(48), inserted: long(64), tableBytes: ENTRY_BYTES * count + 8 },
    part: has('part') ? `${part}/${parts}` : null,
  };
}

/** The slices of a filter that grows. None if the bytes are not a chain. */
function slicesIn(chain: Uint8Array): WebSlice[] {
  const [count = 0, growth = 0] = chain;
  const tightening = viewOf(chain).getUint16(2, true);
  const isChain = GROWTHS.some((known) => known === growth) && tightening > 0 && tightening < 10_000 && count <= 18;
  if (!isChain || chain.subarray(4 + 2 * count).some((byte) => byte !== 0)) return [];
  return Array.from({ length: count }, (_, i) => ({
    segments: 2 ** (chain[4 + 2 * i] ?? 0),
    k: chain[5 + 2 * i] ?? 0,
  }));
}

/** The segments that can have a key: one in each slice. Empty if the segment is in another part. */
export function placesOf({ high }: Digest, { shape, first, count }: WebHeader): PlaceOfKey[] {
  let begin = -first;
  return shape.slices.flatMap(({ segments, k }) => {
    const segment = begin + scale(high, segments);
    begin += segments;
    return segment >= 0 && segment < count ? [{ segment, index: first + segment, k }] : [];
  });
}
