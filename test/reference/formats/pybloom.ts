// BloomFilter and ScalableBloomFilter of pybloom_live, after its pybloom.py: https://github.com/joseph-fox/python-bloomfilter.

import { createHash } from 'node:crypto';
import { hasPosition, onesOf, setPosition } from '../bit-array-bits.ts';
import { xxh128 } from '../xxh128.ts';
import type { ForeignFilter, System } from './system.ts';

const BYTES = { bits: 0, k: 0, order: 'bytes' } as const;
const HEADER_BYTES = 40;
const SCALABLE_BYTES = 32;

/** A filter with its bits. */
interface Sliced {
  readonly fpr: number;
  readonly k: number;
  readonly sliceBits: number;
  readonly capacity: number;
  count: number;
  readonly bits: Map<number, number>;
}

type Hash = (bytes: Uint8Array) => Uint8Array;

const hashOf =
  (name: string): Hash =>
  (bytes) =>
    createHash(name).update(bytes).digest();

/** The hash of the four NULs of the first salt, computed by Python's xxhash 3.5. */
const XXH128_OF_NULS = Buffer.from('2a33816ed7e0c373dbe563c737220b65', 'hex');

/** `make_hashfuncs`: the numbers of a key, one for each slice. */
function* numbersOf(
  key: Uint8Array,
  { k, sliceBits }: Pick<Sliced, 'k' | 'sliceBits'>,
  variant?: string,
): Generator<number> {
  const size = sliceBits >= 2 ** 31 ? 8 : sliceBits >= 2 ** 15 ? 4 : 2;
  const total = 8 * k * size;
  const few = variant === 'pybloom-4' ? xxh128 : hashOf('md5');
  const [hash] = [
    ...(total > 384 ? [hashOf('sha512')] : []),
    ...(total > 256 ? [hashOf('sha384')] : []),
    ...(total > 160 ? [hashOf('sha256')] : []),
    ...(total > 128 ? [hashOf('sha1')] : []),
    few,
  ];
  for (let slice = 0, index = 0; slice < k; index++) {
    const salt = hash === xxh128 ? XXH128_OF_NULS : hash(new Uint8Array(Uint32Array.of(index).buffer));
    const digest = hash(Buffer.concat([salt, key]));
    for (let at = 0; at + size <= digest.length && slice < k; at += size, slice++) {
      const number = digest.subarray(at, at + size).reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
      yield Number(number % BigInt(sliceBits));
    }
  }
}

/** The position of a key in each slice. */
export const slicePositions = (key: Uint8Array, filter: Pick<Sliced, 'k' | 'sliceBits'>, variant?: string) =>
  [...numbersOf(key, filter, variant)].map((number, slice) => slice * filter.sliceBits + number);

function emptyFilter(capacity: number, fpr: number): Sliced {
  const k = Math.ceil(Math.log(1 / fpr) / Math.log(2));
  const sliceBits = Math.ceil((capacity * Math.abs(Math.log(fpr))) / (k * Math.log(2) ** 2));
  return { fpr, k, sliceBits, capacity, count: 0, bits: new Map() };
}

function encodeOne({ fpr, k, sliceBits, capacity, count, bits }: Sliced): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + Math.ceil((k * sliceBits) / 8));
  const head = new DataView(bytes.buffer);
  head.setFloat64(0, fpr, true);
  for (const [i, value] of [k, sliceBits, capacity, count].entries()) head.setBigUint64(8 + 8 * i, BigInt(value), true);
  for (const [byte, value] of bits) bytes[HEADER_BYTES + byte] = value;
  return bytes;
}

function decodeOne(file: Uint8Array): Sliced {
  const head = new DataView(file.buffer, file.byteOffset);
  const word = (i: number) => Number(head.getBigUint64(8 * i, true));
  return {
    fpr: head.getFloat64(0, true),
    k: word(1),
    sliceBits: word(2),
    capacity: word(3),
    count: word(4),
    bits: new Map(file.subarray(HEADER_BYTES).entries()),
  };
}

/** The growth of a scalable filter. */
interface Scaling {
  readonly scale: number;
  readonly capacity: number;
  readonly fpr: number;
}

const RATIO = 0.9;

function encodeAll(filters: readonly Sliced[], { scale, capacity, fpr }: Scaling): Uint8Array {
  const parts = filters.map(encodeOne);
  const head = new DataView(new ArrayBuffer(SCALABLE_BYTES + 8 * parts.length));
  head.setInt32(0, scale, true);
  head.setFloat64(4, RATIO, true);
  head.setBigUint64(12, BigInt(capacity), true);
  head.setFloat64(20, fpr, true);
  head.setInt32(28, parts.length, true);
  for (const [i, { length }] of parts.entries()) head.setBigUint64(SCALABLE_BYTES + 8 * i, BigInt(length), true);
  return new Uint8Array(Buffer.concat([new Uint8Array(head.buffer), ...parts]));
}

function filterOf(filters: Sliced[], variant?: string, scaling?: Scaling): ForeignFilter {
  const has = (key: Uint8Array) =>
    filters.some((one) =>
      slicePositions(key, one, variant).every((position) => hasPosition(one.bits, position, BYTES)),
    );
  const fillOf = (one: Sliced) => onesOf(one.bits) / (one.k * one.sliceBits);
  const sumOf = (of: (one: Sliced) => number) => filters.reduce((sum, one) => sum + of(one), 0);
  return {
    add(key) {
      if (has(key)) return;
      const last = filters.at(-1);
      if (scaling !== undefined && last === undefined) filters.push(emptyFilter(scaling.capacity, scaling.fpr * RATIO));
      else if (scaling !== undefined && last !== undefined && last.count >= last.capacity)
        filters.push(emptyFilter(last.capacity * scaling.scale, last.fpr * RATIO));
      const one = filters.at(-1);
      if (one === undefined) throw new Error('there is no filter');
      for (const position of slicePositions(key, one, variant)) setPosition(one.bits, position, BYTES);
      one.count++;
    },
    has,
    fill: () => (filters.length === 0 ? 0 : sumOf(({ bits }) => onesOf(bits)) / sumOf((one) => one.k * one.sliceBits)),
    rate: () => 1 - filters.reduce((missed, one) => missed * (1 - fillOf(one) ** one.k), 1),
    encode: () => {
      const [only = emptyFilter(1, 0.5)] = filters;
      return scaling === undefined ? encodeOne(only) : encodeAll(filters, scaling);
    },
  };
}

function decodeAll(file: Uint8Array, variant?: string): ForeignFilter {
  const head = new DataView(file.buffer, file.byteOffset);
  const count = head.getInt32(28, true);
  let at = SCALABLE_BYTES + 8 * count;
  const filters = Array.from({ length: count }, (_, i) => {
    const length = Number(head.getBigUint64(SCALABLE_BYTES + 8 * i, true));
    at += length;
    return decodeOne(file.subarray(at - length, at));
  });
  const capacity = Number(head.getBigUint64(12, true));
  return filterOf(filters, variant, { scale: head.getInt32(0, true), capacity, fpr: head.getFloat64(20, true) });
}

const vessel =
  (capacity: number, fpr: number, keys: number, variant = 'pybloom-4') =>
  () => ({ filter: filterOf([emptyFilter(capacity, fpr)], variant), keys, variant });

const scalable =
  (scale: number, capacity: number, fpr: number, keys: number, variant = 'pybloom-4') =>
  () => ({ filter: filterOf([], variant, { scale, capacity, fpr }), keys, variant });

const make = (variant: string) => (items: number, fpr: number) => filterOf([emptyFilter(items, fpr)], variant);

export const pybloom: System = {
  decode(file, variant) {
    const head = new DataView(file.buffer, file.byteOffset);
    return head.getInt32(0, true) <= 64 && head.getFloat64(4, true) === RATIO
      ? decodeAll(file, variant)
      : filterOf([decodeOne(file)], variant);
  },
  vessels: {
    XXH3: vessel(250, 0.01, 200),
    'that has grown': scalable(2, 100, 0.01, 1500),
    MD5: vessel(30_000, 0.1, 15_000, 'pybloom-3'),
    'SHA-1': vessel(1000, 0.001, 1000),
    'SHA-256': vessel(200, 1e-4, 200),
    'SHA-384': vessel(30_000, 0.001, 3000),
    'SHA-512': vessel(300, 1e-9, 300),
    'many hashes': vessel(300, 1e-20, 300),
    'that has grown, before 4.0': scalable(4, 30, 0.1, 500, 'pybloom-3'),
    'that has not begun': scalable(4, 100, 0.001, 0),
    'a slice of few bits': vessel(3, 0.4, 30),
  },
  makes: { 'pybloom-3': make('pybloom-3'), 'pybloom-4': make('pybloom-4') },
  spoils: {
    'k = 0': (file) => file.setBigUint64(8, 0n, true),
    'k + 1': (file) => file.setBigUint64(8, file.getBigUint64(8, true) + 1n, true),
    'no bits': (file) => file.setBigUint64(16, 0n, true),
    'a bit more in a slice': (file) => file.setBigUint64(16, file.getBigUint64(16, true) + 8n, true),
    'a bit less in a slice': (file) => file.setBigUint64(16, file.getBigUint64(16, true) - 8n, true),
    '2^64 - 1 bits in a slice': (file) => file.setBigUint64(16, 2n ** 64n - 1n, true),
    '2^39 bits in a slice': (file) => file.setBigUint64(16, 2n ** 39n, true),
    'a rate of 1': (file) => file.setFloat64(0, 1, true),
    'a rate that is no number': (file) => file.setFloat64(0, Number.NaN, true),
  },
  mayHaveMore: false,
};
