// RedisBloom, after its sb.c, rebloom.c, bloom.c and MurmurHash2.c: https://github.com/RedisBloom/RedisBloom.

import { type BitArrayBytes, hasPosition, onesOf, setPosition } from '../bit-array-bits.ts';
import { wrap } from '../xxh64.ts';
import { decodeDump, encodeDump } from './redis-dump.ts';
import type { ForeignFilter, System, Vessel } from './system.ts';

const int = (value: bigint) => BigInt.asUintN(32, value);

/** A little-endian number. */
const numberIn = (bytes: Uint8Array) => bytes.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n);

/** MurmurHash64A: Austin Appleby's MurmurHash2.cpp (SMHasher, public domain). */
export function murmur64a(key: Uint8Array, seed: bigint): bigint {
  const m = 0xc6a4a7935bd1e995n;
  let hash = seed ^ wrap(BigInt(key.length) * m);
  let at = 0;
  for (; at + 8 <= key.length; at += 8) {
    let block = wrap(numberIn(key.subarray(at, at + 8)) * m);
    block = wrap((block ^ (block >> 47n)) * m);
    hash = wrap((hash ^ block) * m);
  }
  if (at < key.length) hash = wrap((hash ^ numberIn(key.subarray(at))) * m);
  hash = wrap((hash ^ (hash >> 47n)) * m);
  return hash ^ (hash >> 47n);
}

/** MurmurHash2, from the same source. */
export function murmur2(key: Uint8Array, seed: bigint): bigint {
  const m = 0x5bd1e995n;
  let hash = int(seed ^ BigInt(key.length));
  let at = 0;
  for (; at + 4 <= key.length; at += 4) {
    let block = int(numberIn(key.subarray(at, at + 4)) * m);
    block = int((block ^ (block >> 24n)) * m);
    hash = int(int(hash * m) ^ block);
  }
  if (at < key.length) hash = int((hash ^ numberIn(key.subarray(at))) * m);
  hash = int((hash ^ (hash >> 13n)) * m);
  return hash ^ (hash >> 15n);
}

const NO_ROUND = 1;
const FORCE_64 = 4;
const NO_SCALING = 8;

/** One of the arrays. It has `bytes` bytes; positions are below 2^`power` unless `power` is 0. */
export interface RedisLink {
  readonly bytes: number;
  readonly items: number;
  readonly fpr: number;
  readonly bitsPerKey: number;
  readonly k: number;
  readonly capacity: number;
  readonly power: number;
  readonly bits: BitArrayBytes;
}

export interface RedisFilter {
  readonly options: number;
  readonly growth: number;
  readonly links: readonly RedisLink[];
}

const ORDER = { bits: 0, k: 0, order: 'bytes' } as const;
const reach = ({ bytes, power }: RedisLink) => (power > 0 ? 2n ** BigInt(power) : 8n * BigInt(bytes));

function positions(key: Uint8Array, options: number, link: RedisLink): number[] {
  const hash = (options & FORCE_64) === 0 ? murmur2 : murmur64a;
  const a = hash(key, (options & FORCE_64) === 0 ? 0x9747b28cn : 0xc6a4a7935bd1e995n);
  const b = hash(key, a);
  return Array.from({ length: link.k }, (_, i) => Number(wrap(a + BigInt(i) * b) % reach(link)));
}

/** `bloom_init`. */
function emptyLink(capacity: number, fpr: number, options: number): RedisLink {
  const bitsPerKey = -Math.log(fpr) / 0.480453013918201;
  const wanted = capacity * bitsPerKey;
  const isExact = (options & NO_ROUND) !== 0;
  const power = isExact ? 0 : Math.floor(Math.log2(wanted)) + 1;
  const bits = isExact ? Math.max(1, Math.trunc(wanted)) : 2 ** power;
  const more = isExact ? 0 : Math.trunc((bits - wanted) / bitsPerKey);
  const k = Math.ceil((693_147_180_559_945 / 1e15) * bitsPerKey);
  const sizes = { bytes: 8 * Math.ceil(bits / 64), capacity: capacity + more, power };
  return { ...sizes, items: 0, fpr, bitsPerKey, k, bits: new Map() };
}

/** Writes a filter in one of the forms of a file. */
type Form = (filter: RedisFilter) => Uint8Array;

function filterOf(start: RedisFilter, form: Form): ForeignFilter {
  let filter = start;
  const has = (key: Uint8Array) =>
    filter.links.some((link) =>
      positions(key, filter.options, link).every((position) => hasPosition(link.bits, position, ORDER)),
    );
  const fillOf = (link: RedisLink) => onesOf(link.bits) / Number(reach(link));
  const sumOf = (of: (link: RedisLink) => number) => filter.links.reduce((sum, link) => sum + of(link), 0);
  return {
    // `SBChain_Add` adds only absent keys. If the last array has enough keys, a new array follows.
    add(key) {
      if (has(key)) return;
      const full = filter.links.at(-1);
      if (full !== undefined && full.items >= full.capacity) {
        const next = emptyLink(full.capacity * filter.growth, full.fpr / 2, filter.options);
        filter = { ...filter, links: [...filter.links, next] };
      }
      const [last, ...before] = filter.links.toReversed();
      if (last === undefined) throw new Error('there is no array');
      for (const position of positions(key, filter.options, last)) setPosition(last.bits, position, ORDER);
      filter = { ...filter, links: [...before.toReversed(), { ...last, items: last.items + 1 }] };
    },
    has,
    fill: () => sumOf((link) => onesOf(link.bits)) / sumOf((link) => Number(reach(link))),
    rate: () => 1 - filter.links.reduce((missed, link) => missed * (1 - fillOf(link) ** link.k), 1),
    encode: () => form(filter),
  };
}

type Age = 'new' | 'old' | 'oldest';

/** The offset of the links in a header, and the number of bytes of one link. */
const LAYOUTS: Readonly<Record<Age, readonly [number, number]>> = { new: [20, 53], old: [20, 49], oldest: [16, 49] };

/**
 * The first chunk of BF.SCANDUMP. Old versions have capacities of 32 bits. The oldest also have no growth, and 0 as the
 * number of bits if they have its log2.
 */
function encodeHeader({ options, growth, links }: RedisFilter, age: Age = 'new'): Uint8Array {
  const [begin, size] = LAYOUTS[age];
  const head = new DataView(new ArrayBuffer(begin + size * links.length));
  head.setBigUint64(0, BigInt(links.reduce((sum, { items }) => sum + items, 0)), true);
  head.setUint32(8, links.length, true);
  head.setUint32(12, options, true);
  if (age !== 'oldest') head.setUint32(16, growth, true);
  for (const [i, link] of links.entries()) {
    const at = begin + size * i;
    const bits = age === 'oldest' && link.power > 0 ? 0 : 8 * link.bytes;
    for (const [j, value] of [link.bytes, bits, link.items].entries())
      head.setBigUint64(at + 8 * j, BigInt(value), true);
    head.setFloat64(at + 24, link.fpr, true);
    head.setFloat64(at + 32, link.bitsPerKey, true);
    head.setUint32(at + 40, link.k, true);
    if (age === 'new') head.setBigUint64(at + 44, BigInt(link.capacity), true);
    else head.setUint32(at + 44, link.capacity, true);
    head.setUint8(at + size - 1, link.power);
  }
  return new Uint8Array(head.buffer);
}

export function bitsOf({ bytes, bits }: RedisLink): Uint8Array {
  const all = new Uint8Array(bytes);
  for (const [byte, value] of bits) all[byte] = value;
  return all;
}

/** The header, then all bits. */
const raw =
  (age?: Age): Form =>
  (filter) =>
    new Uint8Array(Buffer.concat([encodeHeader(filter, age), ...filter.links.map(bitsOf)]));

/** Commands that load the filter in chunks of `chunk` bytes. */
const commands =
  (chunk: number, key = 'key', before = ''): Form =>
  (filter) => {
    let sent = 1;
    const command = (data: Uint8Array) => {
      const strings = ['BF.LOADCHUNK', key, String(sent)].map((text) => `$${text.length}\r\n${text}\r\n`);
      return Buffer.concat([Buffer.from(`*4\r\n${strings.join('')}$${data.length}\r\n`), data, Buffer.from('\r\n')]);
    };
    const parts = [Buffer.from(before), command(encodeHeader(filter))];
    for (const link of filter.links) {
      for (let start = 0; start < link.bytes; start += chunk) {
        const data = bitsOf(link).subarray(start, start + chunk);
        sent += data.length;
        parts.push(command(data));
      }
    }
    return new Uint8Array(Buffer.concat(parts));
  };

/** A filter with more bytes than its positions reach. A server accepts it. */
function withRoom(form: Form): Vessel {
  const link: RedisLink = { ...emptyLink(3000, 0.01, FORCE_64), bytes: 3 * 2 ** 16, power: 16 };
  return {
    filter: filterOf({ options: FORCE_64, growth: 2, links: [link, emptyLink(2000, 0.01, FORCE_64)] }, form),
    keys: 1500,
  };
}

/** A new filter to which `keys` keys will be added. */
function vessel(
  form: Form,
  capacity: number,
  fpr: number,
  keys = capacity,
  options = NO_ROUND | FORCE_64,
): () => Vessel {
  const start = () => ({ options, growth: 2, links: [emptyLink(capacity, fpr, options)] });
  return () => ({ filter: filterOf(start(), form), keys });
}

/** A filter as `BF.RESERVE` makes it. */
const reserve =
  (form: Form, noScaling: boolean) =>
  (capacity: number, fpr: number, growth = 2) => {
    const options = NO_ROUND | FORCE_64 | (noScaling ? NO_SCALING : 0);
    const capped = Math.min(fpr, 0.25);
    return filterOf({ options, growth, links: [emptyLink(capacity, noScaling ? capped : capped / 2, options)] }, form);
  };

/** With `EXPANSION`, in the form of the header and all bits. */
export const reserveRaw = reserve(raw(), false);

/** The length of a header; undefined if the length of the rest does not fit that age. */
function headerBytes(file: Uint8Array, age: Age): number | undefined {
  const [begin, size] = LAYOUTS[age];
  const head = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const end = begin + size * head.getUint32(8, true);
  if (end > file.length) return undefined;
  let all = end;
  for (let at = begin; at < end; at += size) all += Number(head.getBigUint64(at, true));
  return all === file.length ? end : undefined;
}

function decodeRaw(file: Uint8Array): RedisFilter {
  const head = new DataView(file.buffer, file.byteOffset);
  const age = (Object.keys(LAYOUTS) as Age[]).find((age) => headerBytes(file, age) !== undefined) ?? 'new';
  const [begin, size] = LAYOUTS[age];
  const bits = file.subarray(headerBytes(file, age));
  const links: RedisLink[] = [];
  let next = 0;
  for (let i = 0; i < head.getUint32(8, true); i++) {
    const at = begin + size * i;
    const word = (from: number) => Number(head.getBigUint64(at + from, true));
    const bytes = word(0);
    links.push({
      bytes,
      items: word(16),
      fpr: head.getFloat64(at + 24, true),
      bitsPerKey: head.getFloat64(at + 32, true),
      k: head.getUint32(at + 40, true),
      capacity: age === 'new' ? word(44) : head.getUint32(at + 44, true),
      power: head.getUint8(at + size - 1),
      bits: new Map(bits.subarray(next, next + bytes).entries()),
    });
    next += bytes;
  }
  return { options: head.getUint32(12, true), growth: age === 'oldest' ? 2 : head.getUint32(16, true), links };
}

/** The beginning of an append-only file. */
const SELECT = '*2\r\n$6\r\nSELECT\r\n$1\r\n3\r\n';

/** The last string of each command. */
function* lastStrings(file: Uint8Array) {
  const isSelect = Buffer.from(file.subarray(0, 16)).equals(Buffer.from(SELECT.slice(0, 16)));
  for (let next = isSelect ? SELECT.length : 0; next < file.length; ) {
    let last = new Uint8Array(0);
    next = Buffer.from(file).indexOf('\n', next) + 1;
    for (let i = 0; i < 4; i++) {
      const end = Buffer.from(file).indexOf('\r\n', next);
      const length = Number(Buffer.from(file.subarray(next + 1, end)).toString());
      last = file.slice(end + 2, end + 2 + length);
      next = end + 2 + length + 2;
    }
    yield last;
  }
}

function decode(file: Uint8Array): ForeignFilter {
  if (file[0] === 0x07) return filterOf(decodeDump(file), (filter) => encodeDump(filter));
  if (file[0] !== 0x2a) return filterOf(decodeRaw(file), raw());
  return filterOf(decodeRaw(new Uint8Array(Buffer.concat([...lastStrings(file)]))), commands(2 ** 24));
}

const FIRST = 20;

export const redisbloom: System = {
  decode,
  vessels: {
    'few bits': vessel(raw(), 200, 0.05),
    'many bits': vessel(raw(), 7000, 0.01),
    'several arrays': vessel(raw(), 700, 0.02, 4000),
    'hashes of 32 bits and a power of two': vessel(raw(), 5000, 0.01, 5000, 0),
    'a power of two': vessel(raw('oldest'), 400, 0.01, 900, FORCE_64),
    'an old header': vessel(raw('old'), 300, 0.03, 2000, FORCE_64),
    'bits that positions do not reach': () => withRoom(raw()),
    'many commands': vessel(commands(1000), 800, 0.01, 2000),
    'commands of an append-only file': vessel(commands(5000, 'key', SELECT), 800, 0.01, 900),
    'what DUMP gives': vessel((filter) => encodeDump(filter), 400, 0.01, 1500),
    'what DUMP gives, compressed': vessel((filter) => encodeDump(filter), 80_000, 0.01, 500),
  },
  makes: {
    redisbloom: reserve(commands(2 ** 24, 'bloom'), false),
    'redisbloom-nonscaling': reserve(commands(2 ** 24, 'bloom'), true),
    'redisbloom-raw': reserveRaw,
    'redisbloom-dump': reserve((filter) => encodeDump(filter, false), false),
  },
  spoils: {
    'no arrays': (file) => file.setUint32(8, 0, true),
    'an array more': (file) => file.setUint32(8, 2, true),
    '2^32 - 1 arrays': (file) => file.setUint32(8, 2 ** 32 - 1, true),
    'm = 0': (file) => file.setBigUint64(FIRST + 8, 0n, true),
    'no bytes': (file) => file.setBigUint64(FIRST, 0n, true),
    '2^60 bytes': (file) => {
      file.setBigUint64(FIRST, 2n ** 60n, true);
      file.setBigUint64(FIRST + 8, 2n ** 63n, true);
    },
    'k = 0': (file) => file.setUint32(FIRST + 40, 0, true),
    'k = 2^32 - 1': (file) => file.setUint32(FIRST + 40, 2 ** 32 - 1, true),
    'a k that its rate takes, and no key': (file) => {
      file.setFloat64(FIRST + 32, 2 ** 31, true);
      file.setUint32(FIRST + 40, Math.ceil((693_147_180_559_945 / 1e15) * 2 ** 31), true);
    },
    'a rate of 0': (file) => file.setFloat64(FIRST + 24, 0, true),
    'a rate of 1': (file) => file.setFloat64(FIRST + 24, 1, true),
    'positions behind its bits': (file) => file.setUint8(FIRST + 52, 30),
    'log2 m = 64': (file) => file.setUint8(FIRST + 52, 64),
    'log2 m = 255': (file) => file.setUint8(FIRST + 52, 255),
  },
  mayHaveMore: false,
};
