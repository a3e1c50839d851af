// BloomFilter and its relatives in Hadoop's util.bloom, after their sources, HashFunction.java and MurmurHash.java. Hudi
// stores them in base64. https://github.com/apache/hadoop, https://github.com/apache/hudi

import { hasPosition, onesOf, setPosition } from '../bit-array-bits.ts';
import { lookup3 } from '../lookup3.ts';
import type { ForeignFilter, System } from './system.ts';

const BYTES = { bits: 0, k: 0, order: 'bytes' } as const;
const HEADER_BYTES = 13;
const JENKINS = 0;
const MURMUR = 1;

interface Parameters {
  readonly k: number;
  readonly hash: number;
  readonly m: number;
}

/** The state of the rows of a dynamic filter. */
interface Rows {
  readonly keys: number;
  inLast: number;
}

type Bits = Map<number, number>;

const int = (value: number) => value | 0;

/** `MurmurHash.hash`, in which bytes are signed. */
function murmur(bytes: Uint8Array, seed: number): number {
  const m = 0x5bd1e995;
  const data = new Int8Array(bytes);
  let h = int(seed ^ bytes.length);
  const blocks = bytes.length >> 2;
  for (let i = 0; i < blocks; i++) {
    let k = new DataView(data.buffer).getInt32(4 * i, true);
    k = Math.imul(k, m);
    k ^= k >>> 24;
    h = Math.imul(h, m) ^ Math.imul(k, m);
  }
  const left = bytes.length - 4 * blocks;
  const fromEnd = (i: number) => data[data.length - i] ?? 0;
  if (left >= 3) h ^= fromEnd(3) << 16;
  if (left >= 2) h ^= fromEnd(2) << 8;
  if (left >= 1) h = Math.imul(h ^ fromEnd(1), m);
  h ^= h >>> 13;
  h = Math.imul(h, m);
  return int(h ^ (h >>> 15));
}

/** `HashFunction.hash`. */
function positions(key: Uint8Array, { k, hash, m }: Parameters): number[] {
  let last = 0;
  return Array.from({ length: k }, () => {
    last = hash === MURMUR ? murmur(key, last) : int(lookup3(key, last));
    return Math.abs(last % m);
  });
}

function encodeHead({ k, hash, m }: Parameters): Uint8Array {
  const head = new DataView(new ArrayBuffer(HEADER_BYTES));
  head.setInt32(0, -1);
  head.setInt32(4, k);
  head.setUint8(8, hash);
  head.setInt32(9, m);
  return new Uint8Array(head.buffer);
}

function encodeRow(parameters: Parameters, bits: Bits): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + Math.ceil(parameters.m / 8));
  bytes.set(encodeHead(parameters));
  for (const [byte, value] of bits) bytes[HEADER_BYTES + byte] = value;
  return bytes;
}

function encodeAll(parameters: Parameters, all: readonly Bits[], { keys, inLast }: Rows): Uint8Array {
  const counts = new DataView(new ArrayBuffer(12));
  for (const [i, count] of [keys, inLast, all.length].entries()) counts.setInt32(4 * i, count);
  const rows = all.map((bits) => encodeRow(parameters, bits));
  return new Uint8Array(Buffer.concat([encodeHead(parameters), new Uint8Array(counts.buffer), ...rows]));
}

function filterOf(parameters: Parameters, all: Bits[], rows?: Rows, isText = false): ForeignFilter {
  const { k, m } = parameters;
  const rate = (bits: Bits) => (onesOf(bits) / m) ** k;
  return {
    // `DynamicBloomFilter.add`: if the last row has its number of keys, a new row follows.
    add(key) {
      if (rows !== undefined && rows.inLast >= rows.keys) {
        all.push(new Map());
        rows.inLast = 0;
      }
      const bits = all.at(-1);
      if (bits === undefined) throw new Error('there is no row');
      for (const position of positions(key, parameters)) setPosition(bits, position, BYTES);
      if (rows !== undefined) rows.inLast++;
    },
    has: (key) =>
      all.some((bits) => positions(key, parameters).every((position) => hasPosition(bits, position, BYTES))),
    fill: () => all.reduce((sum, bits) => sum + onesOf(bits), 0) / (m * all.length),
    rate: () => 1 - all.reduce((missed, bits) => missed * (1 - rate(bits)), 1),
    encode() {
      const [only = new Map()] = all;
      const bytes = rows === undefined ? encodeRow(parameters, only) : encodeAll(parameters, all, rows);
      return isText ? new Uint8Array(Buffer.from(Buffer.from(bytes).toString('base64'))) : bytes;
    },
  };
}

/** A `CountingBloomFilter`, with 16 counters in each long. A counter at 15 never changes. */
function counting(parameters: Parameters, counters: number[]): ForeignFilter {
  const { k, m } = parameters;
  const share = () => counters.filter((counter) => counter > 0).length / m;
  return {
    add(key) {
      for (const position of positions(key, parameters))
        counters[position] = Math.min(15, (counters[position] ?? 0) + 1);
    },
    has: (key) => positions(key, parameters).every((position) => (counters[position] ?? 0) > 0),
    fill: share,
    rate: () => share() ** k,
    encode() {
      const longs = Buffer.alloc(8 * (((m - 1) >>> 4) + 1));
      for (let i = 0; i < longs.length / 8; i++) {
        let long = 0n;
        for (let j = 0; j < 16; j++) long |= BigInt(counters[16 * i + j] ?? 0) << BigInt(4 * j);
        longs.writeBigUInt64BE(long, 8 * i);
      }
      return new Uint8Array(Buffer.concat([encodeHead(parameters), longs]));
    },
  };
}

function decodeCounting(parameters: Parameters, longs: Uint8Array): ForeignFilter {
  const words = new DataView(longs.buffer, longs.byteOffset);
  const counterAt = (i: number) => Number((words.getBigUint64(8 * (i >> 4)) >> BigInt(4 * (i % 16))) & 15n);
  return counting(
    parameters,
    Array.from({ length: parameters.m }, (_, i) => counterAt(i)),
  );
}

/** A `RetouchedBloomFilter`, which answers like the class it extends. Lists and ratios follow its bits; here the lists are empty. */
function retouched(parameters: Parameters, keys: number) {
  const filter = filterOf(parameters, [new Map()]);
  const lists = new Uint8Array(2 * 4 * parameters.m).fill(0xff);
  const behind = Buffer.concat([lists, Buffer.alloc(8 * parameters.m)]);
  return { filter: { ...filter, encode: () => new Uint8Array(Buffer.concat([filter.encode(), behind])) }, keys };
}

function decode(file: Uint8Array, isText = false): ForeignFilter {
  if (file[0] === 0x2f) return decode(Buffer.from(Buffer.from(file).toString('latin1'), 'base64'), true);
  const head = new DataView(file.buffer, file.byteOffset);
  const parameters = { k: head.getInt32(4), hash: head.getUint8(8), m: head.getInt32(9) };
  const size = Math.ceil(parameters.m / 8);
  const bitsAt = (at: number): Bits => new Map(file.subarray(at, at + size).entries());
  if (file.length === HEADER_BYTES + size) return filterOf(parameters, [bitsAt(HEADER_BYTES)], undefined, isText);
  if (file.length === HEADER_BYTES + 8 * Math.ceil(parameters.m / 16))
    return decodeCounting(parameters, file.subarray(HEADER_BYTES));
  // Only a retouched filter has bytes for each bit after its bits.
  if (file.length >= HEADER_BYTES + size + 16 * parameters.m) return filterOf(parameters, [bitsAt(HEADER_BYTES)]);
  const rows = { keys: head.getInt32(13), inLast: head.getInt32(17) };
  const all = Array.from({ length: head.getInt32(21) }, (_, i) =>
    bitsAt(25 + HEADER_BYTES + i * (HEADER_BYTES + size)),
  );
  return filterOf(parameters, all, rows, isText);
}

const vessel =
  (hash: number, k: number, m: number, keys: number, isText = false) =>
  () => ({ filter: filterOf({ k, hash, m }, [new Map()], undefined, isText), keys });

const dynamic =
  (hash: number, k: number, m: number, each: number, keys: number, isText = false) =>
  () => ({ filter: filterOf({ k, hash, m }, [new Map()], { keys: each, inLast: 0 }, isText), keys });

export const hadoop: System = {
  decode: (file) => decode(file),
  vessels: {
    Murmur: vessel(MURMUR, 7, 1917, 200),
    'rows of Jenkins': dynamic(JENKINS, 5, 66_003, 3000, 8000),
    Jenkins: vessel(JENKINS, 5, 80_007, 8000),
    'rows of Murmur, as text': dynamic(MURMUR, 7, 1917, 200, 500, true),
    'one row': dynamic(MURMUR, 7, 1917, 200, 100),
    'as text': vessel(JENKINS, 3, 65_535, 9000, true),
    'few bits': vessel(MURMUR, 1, 13, 4),
    counters: () => ({ filter: counting({ k: 5, hash: JENKINS, m: 66_003 }, []), keys: 5000 }),
    'few counters': () => ({ filter: counting({ k: 4, hash: MURMUR, m: 1001 }, []), keys: 100 }),
    'lists for each bit': () => retouched({ k: 4, hash: MURMUR, m: 1001 }, 100),
    'k = 300': vessel(MURMUR, 300, 100_001, 200),
  },
  makes: {
    // The size follows Hudi's `BloomFilterUtils`.
    hadoop(items, fpr) {
      const m = Math.ceil(items * (-Math.log(fpr) / Math.LN2 ** 2));
      return filterOf({ k: Math.ceil((Math.LN2 * m) / items), hash: 1, m }, [new Map()]);
    },
    hudi(items, fpr) {
      const m = Math.ceil(items * (-Math.log(fpr) / Math.LN2 ** 2));
      return filterOf({ k: Math.ceil((Math.LN2 * m) / items), hash: 1, m }, [new Map()], undefined, true);
    },
  },
  spoils: {
    'k = 0': (file) => file.setInt32(4, 0),
    'k = -1': (file) => file.setInt32(4, -1),
    'k = 1025': (file) => file.setInt32(4, 1025),
    'a hash that nobody knows': (file) => file.setUint8(8, 2),
    'm = 0': (file) => file.setInt32(9, 0),
    'm = -1': (file) => file.setInt32(9, -1),
    'a byte more': (file) => file.setInt32(9, file.getInt32(9) + 8),
    'a byte less': (file) => file.setInt32(9, file.getInt32(9) - 8),
    'm = 2^31 - 1': (file) => file.setInt32(9, 2 ** 31 - 1),
    'another version': (file) => file.setInt32(0, -2),
  },
  mayHaveMore: false,
};
