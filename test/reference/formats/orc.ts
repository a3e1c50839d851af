// Filters of ORC, after its BloomFilter.java, Murmur3.java and orc_proto.proto: https://github.com/apache/orc.

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type BitArrayBytes, hasPosition, onesOf, setPosition } from '../bit-array-bits.ts';
import { wrap } from '../xxh64.ts';
import { mitz32Positions } from './guava.ts';
import type { ForeignFilter, System } from './system.ts';

const rotate = (value: bigint, by: bigint) => wrap(value << by) | (value >> (64n - by));
const little = (bytes: Uint8Array) => bytes.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n);

/** `hash64` of Murmur3.java. */
export function orcMurmur3(key: Uint8Array): bigint {
  const mixed = (block: bigint) => wrap(rotate(wrap(block * 0x87c37b91114253d5n), 31n) * 0x4cf5ad432745937fn);
  let hash = 104729n;
  let at = 0;
  for (; at + 8 <= key.length; at += 8)
    hash = wrap(rotate(hash ^ mixed(little(key.subarray(at, at + 8))), 27n) * 5n + 0x52dce729n);
  if (at < key.length) hash ^= mixed(little(key.subarray(at)));
  hash ^= BigInt(key.length);
  hash = wrap((hash ^ (hash >> 33n)) * 0xff51afd7ed558ccdn);
  hash = wrap((hash ^ (hash >> 33n)) * 0xc4ceb9fe1a85ec53n);
  return hash ^ (hash >> 33n);
}

/** `getLongHash` of BloomFilter.java, for a number of 8 bytes. */
export function orcWang(key: Uint8Array): bigint {
  const long = (value: bigint) => BigInt.asIntN(64, value);
  let hash = long(little(key));
  hash = long(~hash + (hash << 21n));
  hash ^= hash >> 24n;
  hash = long(hash + (hash << 3n) + (hash << 8n));
  hash ^= hash >> 14n;
  hash = long(hash + (hash << 2n) + (hash << 4n));
  hash ^= hash >> 28n;
  return wrap(hash + (hash << 31n));
}

const ORDER = { bits: 0, k: 0, order: 'bytes' } as const;

/** The filter of a row group. */
interface GroupFilter {
  readonly bytes: number;
  readonly k: number;
  readonly bits: BitArrayBytes;
}

/** The options of a written file. */
interface Style {
  /** Filters are stored as words, as old versions stored them. */
  readonly isOld: boolean;
  readonly isCompressed: boolean;
  /** The number of keys in a row group. */
  readonly stride: number;
}

function positions(key: Uint8Array, { bytes, k }: GroupFilter): number[] {
  const hash = orcMurmur3(key);
  return mitz32Positions(hash, hash >> 32n, BigInt(8 * bytes), k).map(Number);
}

function filterOf(stripes: readonly (readonly GroupFilter[])[], style: Style): ForeignFilter {
  let added = 0;
  const groups = stripes.flat();
  const has = (key: Uint8Array, group: GroupFilter) =>
    positions(key, group).every((position) => hasPosition(group.bits, position, ORDER));
  const fillOf = ({ bytes, bits }: GroupFilter) => onesOf(bits) / (8 * bytes);
  return {
    add(key) {
      const group = groups[Math.min(groups.length - 1, Math.floor(added / style.stride))];
      if (group === undefined) throw new Error('there is no row group');
      for (const position of positions(key, group)) setPosition(group.bits, position, ORDER);
      added++;
    },
    has: (key) => groups.some((group) => has(key, group)),
    fill: () =>
      groups.reduce((sum, { bits }) => sum + onesOf(bits), 0) / groups.reduce((sum, { bytes }) => sum + 8 * bytes, 0),
    rate: () => 1 - groups.reduce((missed, group) => missed * (1 - fillOf(group) ** group.k), 1),
    encode: () => encode(stripes, style),
  };
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

type Field = readonly [id: number, value: number | Uint8Array | string];

/** A message of protocol buffers. */
export function message(...fields: readonly Field[]): Uint8Array {
  const parts = fields.flatMap(([id, value]) => {
    if (typeof value === 'number') return [Uint8Array.from([...varint(8 * id), ...varint(value)])];
    const bytes = Buffer.from(value);
    return [Uint8Array.from([...varint(8 * id + 2), ...varint(bytes.length)]), bytes];
  });
  return new Uint8Array(Buffer.concat(parts));
}

/** A filter as a message. Old filters are fixed numbers of 8 bytes. */
function filterMessage({ bytes, k, bits }: GroupFilter, isOld: boolean): Uint8Array {
  const bitset = new Uint8Array(bytes);
  for (const [byte, value] of bits) bitset[byte] = value;
  if (!isOld) return message([1, k], [3, bitset]);
  const words = Array.from({ length: bytes / 8 }, (_, i) => [Uint8Array.of(0x11), bitset.subarray(8 * i, 8 * i + 8)]);
  return new Uint8Array(Buffer.concat([message([1, k]), ...words.flat()]));
}

const CHUNK = 1000;

/** A section in chunks. A chunk is compressed only if this makes it smaller. */
function chunked(bytes: Uint8Array): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) {
    const piece = bytes.subarray(at, at + CHUNK);
    const packed = deflateRawSync(piece);
    const isOriginal = packed.length >= piece.length;
    const chosen = isOriginal ? piece : packed;
    const header = 2 * chosen.length + (isOriginal ? 1 : 0);
    chunks.push(Uint8Array.of(header & 255, (header >> 8) & 255, header >> 16), chosen);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** A file with one text column in a struct. */
function encode(stripes: readonly (readonly GroupFilter[])[], { isOld, isCompressed, stride }: Style): Uint8Array {
  const section = isCompressed ? chunked : (bytes: Uint8Array) => bytes;
  const parts: Uint8Array[] = [Buffer.from('ORC')];
  let at = 3;
  const infos = stripes.map((groups): Field => {
    const index = section(message(...groups.map((group): Field => [1, filterMessage(group, isOld)])));
    const other = message([1, 0], [2, 1], [3, 5]);
    const streams: Field[] = [
      [1, other],
      [1, message([1, isOld ? 7 : 8], [2, 1], [3, index.length])],
    ];
    const footer = section(message(...streams, [2, message([1, 0])]));
    parts.push(new Uint8Array(5), index, footer);
    const fields: Field[] = [
      ...([
        [1, at],
        [2, 5 + index.length],
        [3, 0],
        [4, footer.length],
        [5, groups.length * stride],
      ] as const),
    ];
    at += 5 + index.length + footer.length;
    return [3, message(...fields)];
  });
  const types: Field[] = [
    [4, message([1, 12], [2, Uint8Array.of(1)], [3, 'key'])],
    [4, message([1, 7])],
  ];
  const footer = section(message([1, 3], [2, at], ...infos, ...types, [6, 0], [8, stride]));
  const postscript = message([1, footer.length], [2, isCompressed ? 1 : 0], [3, CHUNK], [8000, 'ORC']);
  return new Uint8Array(Buffer.concat([...parts, footer, postscript, Uint8Array.of(postscript.length)]));
}

/** The fields of a message, one after the other. */
function fieldsOf(bytes: Uint8Array): { readonly id: number; readonly value: number | Uint8Array }[] {
  const fields: { id: number; value: number | Uint8Array }[] = [];
  let at = 0;
  const number = () => {
    let [value, unit] = [0, 1];
    for (; ; unit *= 128) {
      const next = bytes[at++] ?? 0;
      value += (next & 127) * unit;
      if (next < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = number();
    const wire = tag % 8;
    const length = wire === 2 ? number() : 8;
    if (wire === 0) fields.push({ id: Math.floor(tag / 8), value: number() });
    else {
      fields.push({ id: Math.floor(tag / 8), value: bytes.subarray(at, at + length) });
      at += length;
    }
  }
  return fields;
}

const numberIn = (bytes: Uint8Array, id: number) =>
  Number(fieldsOf(bytes).find((field) => field.id === id && typeof field.value === 'number')?.value ?? 0);
const messagesIn = (bytes: Uint8Array, id: number) =>
  fieldsOf(bytes).flatMap((field) => (field.id === id && typeof field.value !== 'number' ? [field.value] : []));

/** The content of the chunks of a section. */
function unchunked(bytes: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const header = Number(little(bytes.subarray(at, at + 3)));
    const piece = bytes.subarray(at + 3, at + 3 + (header >> 1));
    pieces.push(header & 1 ? piece : inflateRawSync(piece));
    at += 3 + (header >> 1);
  }
  return new Uint8Array(Buffer.concat(pieces));
}

/** The filters of the first column. */
function decode(file: Uint8Array): ForeignFilter {
  const postscriptAt = file.length - 1 - (file.at(-1) ?? 0);
  const postscript = file.subarray(postscriptAt, -1);
  const isCompressed = numberIn(postscript, 2) === 1;
  const section = isCompressed ? unchunked : (bytes: Uint8Array) => bytes;
  const footer = section(file.subarray(postscriptAt - numberIn(postscript, 1), postscriptAt));
  const stripes = messagesIn(footer, 3).map((stripe) => {
    let at = numberIn(stripe, 1);
    const footerAt = at + numberIn(stripe, 2) + numberIn(stripe, 3);
    const streams = messagesIn(section(file.subarray(footerAt, footerAt + numberIn(stripe, 4))), 1).map((stream) => {
      at += numberIn(stream, 3);
      return { stream, bytes: file.subarray(at - numberIn(stream, 3), at) };
    });
    const found = streams.find(({ stream }) => [7, 8].includes(numberIn(stream, 1)) && numberIn(stream, 2) === 1);
    return messagesIn(section(found?.bytes ?? new Uint8Array()), 1).map((filter): GroupFilter => {
      const bits = Buffer.concat([...messagesIn(filter, 2), ...messagesIn(filter, 3)]);
      return { bytes: bits.length, k: numberIn(filter, 1), bits: new Map(bits.entries()) };
    });
  });
  return filterOf(stripes, { isOld: false, isCompressed, stride: numberIn(footer, 8) });
}

const vessel =
  (bytes: readonly (readonly number[])[], k: number, keys: number, style: Partial<Style> = {}) =>
  () => {
    const stripes = bytes.map((groups) => groups.map((size) => ({ bytes: size, k, bits: new Map() })));
    const stride = Math.ceil(keys / stripes.flat().length);
    return { filter: filterOf(stripes, { isOld: false, isCompressed: false, stride, ...style }), keys };
  };

/** The offset of the first filter: its tag and length, of 2 bytes, then the tags and values of k and of the bits. */
const FIRST = 8;

export const orc: System = {
  decode,
  vessels: {
    'few bits': vessel([[240]], 7, 200),
    'stripes and row groups': vessel([[1200, 1200], [1200]], 7, 3000),
    'compressed sections': vessel([[12_000, 12_000], [12_000]], 5, 2000, { isCompressed: true }),
    'filters of words': vessel([[2400, 2400]], 3, 3000, { isOld: true }),
    'k = 1': vessel([[800], [800]], 1, 500, { isOld: true, isCompressed: true }),
    'too many keys': vessel([[80, 80]], 4, 1500),
    'many row groups': vessel([Array(40).fill(160), Array(20).fill(160)], 6, 6000),
  },
  spoils: {
    'a postscript of no bytes': (file) => file.setUint8(file.byteLength - 1, 0),
    'a postscript longer than the file': (file) => file.setUint8(file.byteLength - 1, 255),
    'a footer longer than the file': (file) =>
      file.setUint8(file.byteLength - file.getUint8(file.byteLength - 1), 0xff),
    'k = 0': (file) => file.setUint8(FIRST + 4, 0),
    'a filter that is longer than its stream': (file) => file.setUint8(FIRST + 6, 255),
    'no bits': (file) => file.setUint16(FIRST + 6, 0x80_00),
    'a value of a type that there is not': (file) => file.setUint8(FIRST, 0x0b),
  },
  mayHaveMore: false,
};
