// Filters of HFiles, after CompoundBloomFilter.java, FixedFileTrailer.java, HFileBlock.java and BloomFilterUtil.java of
// https://github.com/apache/hbase.

import { gunzipSync, gzipSync } from 'node:zlib';
import { crc32, crc32c } from '../crc32.ts';
import { lookup3 } from '../lookup3.ts';
import { type Partition, partitionedFilter } from './partitions.ts';
import type { ForeignFilter, System, Vessel } from './system.ts';
import { joined, latin, varint } from './table.ts';

export const BLOCK_HEADER_BYTES = 33;
export const TRAILER_BYTES = 4096;
export const GZIP = 1;
const NONE = 2;

const int = (value: number) => value | 0;
const rotated = (value: number, by: number) => (value << by) | (value >>> (32 - by));

/** `MurmurHash.hash`, in which the bytes of the tail are signed. */
export function signedMurmur2(key: Uint8Array, seed: number): number {
  const m = 0x5bd1e995;
  const view = new DataView(key.slice().buffer);
  const whole = key.length & ~3;
  let h = int(seed ^ key.length);
  for (let at = 0; at < whole; at += 4) {
    let k = Math.imul(view.getInt32(at, true), m);
    k ^= k >>> 24;
    h = Math.imul(h, m) ^ Math.imul(k, m);
  }
  for (let at = whole; at < key.length; at++) h ^= view.getInt8(at) << (8 * (at - whole));
  if (whole < key.length) h = Math.imul(h, m);
  h ^= h >>> 13;
  h = Math.imul(h, m);
  return int(h ^ (h >>> 15));
}

/** MurmurHash3_x86_32. */
export function murmur332(key: Uint8Array, seed: number): number {
  const scrambled = (k: number) => Math.imul(rotated(Math.imul(k, 0xcc9e2d51), 15), 0x1b873593);
  let h = seed;
  for (let at = 0; at < key.length; at += 4) {
    const block = key.subarray(at, at + 4);
    h ^= scrambled(block.reduce((k, byte, i) => k | (byte << (8 * i)), 0));
    if (block.length === 4) h = int(Math.imul(rotated(h, 13), 5) + 0xe6546b64);
  }
  h ^= key.length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return int(h ^ (h >>> 16));
}

const HASHES: readonly ((key: Uint8Array, seed: number) => number)[] = [
  (key, seed) => int(lookup3(key, seed)),
  signedMurmur2,
  murmur332,
];

/** |(h1 + i h2) % m| in ints; `hashes` has h1 in its low half and h2 in its high half. */
export function hbasePositions(hashes: bigint, bits: number, k: number): bigint[] {
  const [first, step] = [Number(hashes & 0xffffffffn), Number(hashes >> 32n)];
  return Array.from({ length: k }, (_, i) => BigInt(Math.abs(int(first + Math.imul(i, step)) % bits)));
}

interface Parameters {
  readonly hash: number;
  readonly k: number;
  /** The number of bytes of a key that are hashed. */
  readonly prefix?: number | undefined;
}

function partition({ hash: number, k }: Parameters, bytes: Uint8Array): Partition {
  const bits = 8 * bytes.length;
  const hash = HASHES[number] ?? lookup3;
  const positions = (key: Uint8Array) => {
    const first = hash(key, 0);
    const both = (BigInt(hash(key, first) >>> 0) << 32n) | BigInt(first >>> 0);
    return hbasePositions(both, bits, k).map(Number);
  };
  return { bits, k, lineBits: bits, isStepped: true, bytes, positions };
}

/** The order of keys. Cells compare by row, then by qualifier; other keys by their bytes. */
type Compare = (one: Uint8Array, other: Uint8Array) => number;

function compareCells(one: Uint8Array, other: Uint8Array): number {
  const [a, b] = [one, other].map((cell) => {
    const length = (cell[0] ?? 0) * 256 + (cell[1] ?? 0);
    return { row: cell.subarray(2, 2 + length), qualifier: cell.subarray(3 + length, -9) };
  });
  return Buffer.compare(a?.row ?? one, b?.row ?? other) || Buffer.compare(a?.qualifier ?? one, b?.qualifier ?? other);
}

function filterOf(
  parts: readonly Partition[],
  firstKeys: readonly Uint8Array[],
  { prefix }: Parameters,
  encode: () => Uint8Array,
  compare: Compare = Buffer.compare,
): ForeignFilter {
  const partOf = (key: Uint8Array) => {
    const found = firstKeys.findLastIndex((first) => compare(first, key) <= 0);
    return found < 0 ? undefined : found;
  };
  const filter = partitionedFilter(parts, partOf, encode);
  return { ...filter, has: (key) => filter.has(key.subarray(0, prefix)) };
}

/** A big-endian integer. */
export function number(value: number, bytes: 1 | 4 | 8): Uint8Array {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigInt64(0, BigInt(value));
  return new Uint8Array(view.buffer).subarray(8 - bytes);
}

/** The options of a written file. */
export interface Writing {
  readonly codec: number;
  /** The type of the checksums (none, CRC-32 or CRC-32C), and the number of bytes for each checksum. */
  readonly checksum: number;
  readonly each: number;
}

export function blockOf(magic: string, content: Uint8Array, { codec, checksum, each }: Writing): Uint8Array {
  const data = codec === GZIP ? new Uint8Array(gzipSync(content)) : content;
  const summed = BLOCK_HEADER_BYTES + data.length;
  const count = checksum === 0 ? 0 : Math.ceil(summed / each);
  const block = joined([
    latin(magic),
    number(data.length + 4 * count, 4),
    number(content.length, 4),
    number(-1, 8),
    number(checksum, 1),
    number(each, 4),
    number(summed, 4),
    data,
  ]);
  const sum = checksum === 1 ? crc32 : crc32c;
  const sums = Array.from({ length: count }, (_, i) => number(sum(block.subarray(i * each, (i + 1) * each)), 4));
  return joined([block, ...sums]);
}

/** A field of a Protocol Buffers message: a number, or bytes. */
export function field(id: number, value: number | Uint8Array): Uint8Array {
  if (typeof value === 'number') return joined([varint(8 * id), varint(value)]);
  return joined([varint(8 * id + 2), varint(value.length), value]);
}

export const delimited = (message: Uint8Array) => joined([varint(message.length), message]);

function encode(
  parts: readonly Partition[],
  firstKeys: readonly Uint8Array[],
  { hash, k }: Parameters,
  writing: Writing,
): Uint8Array {
  let offset = 0;
  const written: Uint8Array[] = [];
  const put = (magic: string, content: Uint8Array) => {
    const block = blockOf(magic, content, writing);
    written.push(block);
    offset += block.length;
    return { offset: offset - block.length, bytes: block.length };
  };
  put('DATABLK*', latin('cells'));
  const chunks = parts.map(({ bytes }) => put('BLMFBLK2', bytes));
  const loadOnOpen = offset;
  for (const _ of 'ab') put('IDXROOT2', latin('index'));
  const properties = [['BLOOM_FILTER_TYPE', 'ROW']].map(([key = '', value = '']) =>
    field(1, joined([field(1, latin(key)), field(2, latin(value))])),
  );
  put('FILEINF2', joined([latin('PBUF'), delimited(joined(properties))]));
  const lists = chunks.map(({ offset: at, bytes }, i) => {
    const first = firstKeys[i] ?? new Uint8Array();
    return joined([number(at, 8), number(bytes, 4), number(first.length, 1), first]);
  });
  const head = [number(3, 4), number(0, 8), number(k, 4), number(hash, 4), number(200, 8), number(300, 8)];
  put('BLMFMET2', joined([...head, number(parts.length, 4), number(0, 1), ...lists]));
  const trailer = new Uint8Array(TRAILER_BYTES);
  trailer.set(joined([latin('TRABLK"$'), delimited(joined([field(2, loadOnOpen), field(12, writing.codec)]))]));
  new DataView(trailer.buffer).setUint32(TRAILER_BYTES - 4, 0x03000003);
  return joined([...written, trailer]);
}

/** Bytes with a cursor, big-endian. */
function reader(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  const take = (length: number) => {
    at += length;
    return at - length;
  };
  return {
    i32: () => view.getInt32(take(4)),
    i64: () => Number(view.getBigInt64(take(8))),
    /** Bytes after their length. A length above 127 is a number of bytes, and then the bytes of the length. */
    text() {
      const first = view.getInt8(take(1));
      let length = first;
      if (first < 0) {
        length = 0;
        for (let left = -112 - first; left > 0; left--) length = length * 256 + view.getUint8(take(1));
      }
      const from = take(length);
      return bytes.slice(from, from + length);
    },
  };
}

function contentAt(file: Uint8Array, offset: number): { magic: string; content: Uint8Array; end: number } {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const data = file.slice(offset + BLOCK_HEADER_BYTES, offset + view.getInt32(offset + 29));
  return {
    magic: Buffer.from(file.subarray(offset, offset + 8)).toString('latin1'),
    content: data[0] === 0x1f && data[1] === 0x8b ? new Uint8Array(gunzipSync(data)) : data,
    end: offset + BLOCK_HEADER_BYTES + view.getInt32(offset + 8),
  };
}

function decode(file: Uint8Array): ForeignFilter {
  const blocks: Record<string, Uint8Array> = {};
  const [begin] = [Buffer.from(file).indexOf('IDXROOT2')];
  for (let at = begin; at < file.length - TRAILER_BYTES; ) {
    const { magic, content, end } = contentAt(file, at);
    blocks[magic] ??= content;
    at = end;
  }
  const properties = Buffer.from(blocks.FILEINF2 ?? []).toString('latin1');
  const parameter = properties.indexOf('BLOOM_FILTER_PARAM');
  // Skip the name, a tag, the length 4 and three bytes of the int, to read its last byte.
  const prefix = parameter < 0 ? undefined : properties.charCodeAt(parameter + 18 + 2 + 3);
  const isOfCells = properties.includes('ROWCOL');
  const meta = reader(blocks.BLMFMET2 ?? new Uint8Array());
  meta.i32();
  meta.i64();
  const parameters = { k: meta.i32(), hash: meta.i32(), prefix };
  meta.i64();
  meta.i64();
  const count = meta.i32();
  meta.text();
  const chunks = Array.from({ length: count }, () => {
    const { content } = contentAt(file, meta.i64());
    meta.i32();
    return { part: partition(parameters, content), first: meta.text() };
  });
  return filterOf(
    chunks.map(({ part }) => part),
    chunks.map(({ first }) => first),
    parameters,
    () => file,
    isOfCells ? compareCells : undefined,
  );
}

/** The first key of each chunk, and how many sixtieths of all hexadecimal keys the chunk has. */
const FIRST: Readonly<Record<string, number>> = { 0: 8, 3: 8, 5: 2, 58: 1, '5c': 1, '5g': 20, b: 8, d: 12 };
const ALL: typeof FIRST = { 0: 60 };

/** `bytes` is the number of bytes for a sixtieth of all keys. */
function vessel(
  keys: number,
  bytes: number,
  parameters: Parameters,
  writing: Writing,
  ranges: typeof FIRST = ALL,
): () => Vessel {
  return () => {
    const firstKeys = Object.keys(ranges).map(latin);
    const parts = Object.values(ranges).map((share) => partition(parameters, new Uint8Array(bytes * share)));
    const write = () => encode(parts, firstKeys, parameters, writing);
    return { filter: filterOf(parts, firstKeys, parameters, write), keys };
  };
}

export const PLAIN: Writing = { codec: NONE, checksum: 2, each: 512 };
const TIGHT: Writing = { codec: GZIP, checksum: 1, each: 100 };

const fromEnd = (back: number, write: (file: DataView, at: number) => void) => (file: DataView) =>
  write(file, file.byteLength - back);

/** Changes a field that is `by` bytes after the start of the last block with a magic. */
const inBlock = (magic: string, by: number, write: (file: DataView, at: number) => void) => (file: DataView) =>
  write(file, Buffer.from(file.buffer).lastIndexOf(magic) + by);

export const hbase: System = {
  decode,
  vessels: {
    'a chunk, murmur2': vessel(300, 7, { hash: 1, k: 7 }, PLAIN),
    'chunks, jenkins, gzip': vessel(9000, 193, { hash: 0, k: 6 }, TIGHT, FIRST),
    'chunks, murmur3': vessel(7000, 149, { hash: 2, k: 5 }, { ...PLAIN, checksum: 0 }, FIRST),
    'many bits, murmur2': vessel(8000, 167, { hash: 1, k: 7 }, TIGHT),
    'k = 1': vessel(2000, 43, { hash: 0, k: 1 }, { ...PLAIN, checksum: 1 }, FIRST),
  },
  spoils: {
    'version 2': fromEnd(1, (file, at) => file.setUint8(at, 2)),
    'another trailer': fromEnd(TRAILER_BYTES, (file, at) => file.setUint8(at, 0)),
    'its blocks elsewhere': fromEnd(TRAILER_BYTES - 10, (file, at) => file.setUint8(at, file.getUint8(at) ^ 1)),
    Snappy: fromEnd(TRAILER_BYTES, (file, at) => {
      const end = 9 + file.getUint8(at + 8);
      file.setUint8(at + end - 1, 3);
    }),
    'a chunk of 2^31 - 1 bytes': inBlock('BLMFBLK2', 12, (file, at) => file.setInt32(at, 2 ** 31 - 1)),
    'a chunk of -1 bytes': inBlock('BLMFBLK2', 8, (file, at) => file.setInt32(at, -34)),
    'a block that has no end': inBlock('IDXROOT2', 8, (file, at) => file.setInt32(at, 2 ** 31 - 1)),
    'another bit in its properties': inBlock('FILEINF2', 50, (file, at) => file.setUint8(at, file.getUint8(at) ^ 1)),
    'another bit in what is known of its filter': inBlock('BLMFMET2', 50, (file, at) =>
      file.setUint8(at, file.getUint8(at) ^ 1),
    ),
  },
  isReadFromEnd: true,
  mayHaveMore: false,
};
