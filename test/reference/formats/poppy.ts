// poppy, version 2, after poppy/src/bloom/v2.rs, and hash/wyhash.rs there: https://github.com/hashlookup/poppy; and the first
// version of wyhash after wyhash-rs 0.5.0, functions.rs.

import { bitAt, setBit } from '../places.ts';
import type { ForeignFilter, System } from './system.ts';

const WORD = 2n ** 64n;
const P = [
  0xa0761d6478bd642fn,
  0xe7037ed1a0b428dbn,
  0x8ebc6af09c88c6e3n,
  0x589965cc75374cc3n,
  0x1d8e4e27c47d124fn,
  0xeb44accab455d165n,
] as const;
const SEED = 0x706f707079533d42n;

const BUCKET_BYTES = 4096;
const BUCKET_BITS = 8 * BUCKET_BYTES;

function mum(a: bigint, b: bigint): bigint {
  const product = a * b;
  return (product % WORD) ^ (product / WORD);
}

/** A little-endian number. */
function little(bytes: Uint8Array): bigint {
  return bytes.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

/** `read64_swapped`. */
function swapped(bytes: Uint8Array): bigint {
  return (little(bytes.subarray(0, 4)) << 32n) | little(bytes.subarray(4, 8));
}

/** `read_rest`, for 1 to 8 bytes. */
function rest(bytes: Uint8Array): bigint {
  const part = (from: number, to: number) => little(bytes.subarray(from, to));
  const cases = [
    () => 0n,
    () => part(0, 1),
    () => part(0, 2),
    () => (part(0, 2) << 8n) | part(2, 3),
    () => part(0, 4),
    () => (part(0, 4) << 8n) | part(4, 5),
    () => (part(0, 4) << 16n) | part(4, 6),
    () => (part(0, 4) << 24n) | (part(4, 6) << 8n) | part(6, 7),
    () => swapped(bytes),
  ];
  return cases[bytes.length]?.() ?? 0n;
}

export function wyhash(bytes: Uint8Array, start: bigint): bigint {
  const length = bytes.length;
  let seed = start;
  let at = 0;
  const word = (offset: number) => little(bytes.subarray(at + offset, at + offset + 8));
  for (; at + 32 <= length; at += 32)
    seed = mum(seed ^ P[0], mum(word(0) ^ P[1], word(8) ^ P[2]) ^ mum(word(16) ^ P[3], word(24) ^ P[4]));
  seed ^= P[0];
  const tail = bytes.subarray(at);
  const last = (from: number) => rest(tail.subarray(from));
  const swap = (from: number) => swapped(tail.subarray(from));
  if (tail.length > 24) seed = mum(swap(0) ^ seed, swap(8) ^ P[2]) ^ mum(swap(16) ^ seed, last(24) ^ P[4]);
  else if (tail.length > 16) seed = mum(swap(0) ^ seed, swap(8) ^ P[2]) ^ mum(seed, last(16) ^ P[3]);
  else if (tail.length > 8) seed = mum(swap(0) ^ seed, last(8) ^ P[2]);
  else if (tail.length > 0) seed = mum(seed, last(0) ^ P[1]);
  return mum(seed, BigInt(length) ^ P[5]);
}

/** The number that represents a key. */
const numberOf = (key: Uint8Array) => (key.length > 8 ? wyhash(key, SEED) : little(key));

function bigEndian(number: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, number);
  return bytes;
}

/** `xorshift`, with shifts in the wrong directions, as in poppy. */
function scattered(number: bigint): bigint {
  let x = number;
  x ^= (x << 12n) % WORD;
  x ^= x >> 25n;
  x ^= (x << 27n) % WORD;
  return (x * 2685821657736338717n) % WORD;
}

/** Positions of a key in its bucket, from the number of the key and the number's hash `second`. */
function inBucket(number: bigint, second: bigint, k: number): number[] {
  let h1 = number;
  let h2 = second;
  return Array.from({ length: k }, (_, i) => {
    if (i > 0) {
      h1 = (h1 + h2) % WORD;
      h2 = (h2 + BigInt(i)) % WORD;
    }
    return Number(h1 % BigInt(BUCKET_BITS));
  });
}

/** Positions in an array in which the cache follows the buckets. */
export function poppyPositions(
  number: bigint,
  second: bigint,
  { count, cacheBits }: { readonly count: number; readonly cacheBits: number },
  k: number,
): bigint[] {
  const x = scattered(number);
  const first = BigInt(count * BUCKET_BITS) + (x & BigInt(Math.max(0, cacheBits - 1)));
  const own = inBucket(number, second, k).map((bit) => (x % BigInt(count)) * BigInt(BUCKET_BITS) + BigInt(bit));
  return cacheBits === 0 ? own : [first, ...own].slice(0, k);
}

interface Parameters {
  readonly option: number;
  readonly buckets: number;
  readonly cacheBytes: number;
  readonly k: number;
  readonly capacity?: number;
  readonly fpr?: number;
}

interface Bits {
  readonly cache: Uint8Array;
  readonly buckets: readonly Uint8Array[];
}

const ones = (bytes: Uint8Array) => {
  let count = 0;
  for (let bit = 0; bit < 8 * bytes.length; bit++) if (bitAt(bytes, bit)) count++;
  return count;
};

function emptyBits({ cacheBytes, buckets }: Parameters): Bits {
  return {
    cache: new Uint8Array(cacheBytes),
    buckets: Array.from({ length: buckets }, () => new Uint8Array(BUCKET_BYTES)),
  };
}

function filterOf(parameters: Parameters, bits: Bits = emptyBits(parameters)): ForeignFilter {
  const { option, k, capacity = 1000, fpr = 0.01 } = parameters;
  const { cache, buckets } = bits;
  let added = 0;
  /** The bits of a key: their bytes and their positions in them. */
  const cellsOf = (key: Uint8Array): [Uint8Array, number][] => {
    const number = numberOf(key);
    const x = scattered(number);
    const bucket = buckets[Number(x % BigInt(buckets.length))] ?? new Uint8Array();
    const own = inBucket(number, wyhash(bigEndian(number), SEED), k).map((bit): [Uint8Array, number] => [bucket, bit]);
    return cache.length === 0 ? own : [[cache, Number(x & BigInt(8 * cache.length - 1))], ...own];
  };
  const cacheFill = () => (cache.length === 0 ? 1 : ones(cache) / 8 / cache.length);
  return {
    add(key) {
      const places = cellsOf(key);
      // The count ignores the bit in the cache.
      if (!places.every(([bytes, bit]) => bytes === cache || bitAt(bytes, bit))) added++;
      for (const [bytes, bit] of places) setBit(bytes, bit);
    },
    has: (key) => cellsOf(key).every(([bytes, bit]) => bitAt(bytes, bit)),
    rate: () =>
      (cacheFill() * buckets.reduce((sum, bucket) => sum + (ones(bucket) / BUCKET_BITS) ** k, 0)) / buckets.length,
    fill: () =>
      [cache, ...buckets].reduce((sum, bytes) => sum + ones(bytes), 0) /
      8 /
      (cache.length + BUCKET_BYTES * buckets.length),
    encode() {
      const head = new DataView(new ArrayBuffer(48));
      head.setUint8(0, 2);
      head.setUint8(1, option);
      for (const [i, value] of [capacity, 0, k, added, 8 * cache.length].entries())
        head.setBigUint64(8 + 8 * i, BigInt(value), true);
      head.setFloat64(16, fpr, true);
      const count = bigEndian(BigInt(buckets.length)).reverse();
      return new Uint8Array(Buffer.concat([new Uint8Array(head.buffer), cache, count, ...buckets]));
    },
  };
}

const powerOfTwo = (least: number) => 2 ** Math.ceil(Math.log2(least));

const make = (option: number) => (capacity: number, fpr: number) => {
  const room = Math.trunc(Math.abs((BUCKET_BITS * Math.LN2 * Math.LN2) / Math.log(fpr)));
  const buckets = Math.ceil(capacity / room);
  const sized = { option, capacity, fpr, buckets, cacheBytes: 0, k: Math.ceil((Math.LN2 * BUCKET_BITS) / room) };
  if (option < 2) return filterOf(sized);
  const cacheBits = powerOfTwo(capacity);
  const probes = Math.ceil((Math.LN2 * cacheBits) / capacity);
  const passed = (1 - Math.exp((-probes * capacity) / cacheBits)) ** probes;
  return filterOf({
    ...sized,
    buckets: option === 2 ? powerOfTwo(buckets) : buckets,
    cacheBytes: Math.ceil(cacheBits / 8),
    k: Math.ceil(Math.LN2 * passed * Math.round(BUCKET_BITS / room)),
  });
};

const withWord = (at: number, value: bigint) => (file: DataView) => file.setBigUint64(at, value, true);

export const poppy: System = {
  decode(file) {
    const head = new DataView(file.buffer, file.byteOffset, file.length);
    const word = (at: number) => Number(head.getBigUint64(at, true));
    const cacheBytes = word(40) / 8;
    const parameters = { option: head.getUint8(1), k: word(24), cacheBytes, buckets: word(48 + cacheBytes) };
    const bucketsAt = 56 + cacheBytes;
    const bucketAt = (i: number) => file.slice(bucketsAt + i * BUCKET_BYTES, bucketsAt + (i + 1) * BUCKET_BYTES);
    return filterOf(parameters, {
      cache: file.slice(48, 48 + cacheBytes),
      buckets: Array.from({ length: parameters.buckets }, (_, i) => bucketAt(i)),
    });
  },
  vessels: {
    'buckets of any number': () => ({ filter: filterOf({ option: 1, buckets: 3, cacheBytes: 0, k: 4 }), keys: 9000 }),
    'one bucket': () => ({ filter: filterOf({ option: 0, buckets: 1, cacheBytes: 0, k: 7 }), keys: 3000 }),
    'k = 1': () => ({ filter: filterOf({ option: 0, buckets: 2, cacheBytes: 0, k: 1 }), keys: 9000 }),
    'k = 60': () => ({ filter: filterOf({ option: 0, buckets: 1, cacheBytes: 0, k: 60 }), keys: 300 }),
    'a small cache': () => ({ filter: filterOf({ option: 2, buckets: 4, cacheBytes: 1, k: 2 }), keys: 9 }),
    'a cache': () => ({ filter: filterOf({ option: 2, buckets: 4, cacheBytes: 2 ** 11, k: 2 }), keys: 9000 }),
    'a cache and k = 1': () => ({ filter: filterOf({ option: 2, buckets: 2, cacheBytes: 2 ** 10, k: 1 }), keys: 5000 }),
    'pages of buckets and a cache of many': () => ({
      filter: filterOf({ option: 3, buckets: 37, cacheBytes: 2 ** 17, k: 3 }),
      keys: 9000,
    }),
  },
  makes: { poppy: make(0), 'poppy-space': make(1), 'poppy-speed': make(2), 'poppy-best': make(3) },
  spoils: {
    'no bucket': withWord(48, 0n),
    'k = 0': withWord(24, 0n),
    'k = 2^15 + 1': withWord(24, 2n ** 15n + 1n),
    'k = 2^64 - 1': withWord(24, 2n ** 64n - 1n),
    'a bucket more': withWord(48, 4n),
    'k = 2^15 and a cache': (file) => {
      for (const [at, value] of [
        [24, 2n ** 15n],
        [40, 8n],
        [49, 1n],
      ] as const)
        withWord(at, value)(file);
    },
    '2^30 buckets': withWord(48, 2n ** 30n),
    '2^64 - 1 buckets': withWord(48, 2n ** 64n - 1n),
    'a cache': withWord(40, 64n),
    'a cache of 2^33 bits': withWord(40, 2n ** 33n),
    'a cache of 2^64 - 1 bits': withWord(40, 2n ** 64n - 1n),
  },
  mayHaveMore: true,
};
