// bits-and-blooms, after its bloom.go and murmur.go, and bitset.go: https://github.com/bits-and-blooms.

import { murmur3Halves } from '../murmur3.ts';
import { bitArrayFilter } from './bit-array-filter.ts';
import type { ForeignFilter, System } from './system.ts';

const WORD = 2n ** 64n;
const HEADER_BYTES = 24;

/** The hash of a key, and the hash of the key followed by a byte 1. */
export function murmur3Twice(key: Uint8Array): bigint[] {
  return [...murmur3Halves(key, 0n), ...murmur3Halves(Uint8Array.of(...key, 1), 0n)];
}

/** `location`, from the four words of the two hashes. */
export function bitsAndBloomsPositions(h: readonly bigint[], bits: bigint, k: number): bigint[] {
  return Array.from({ length: k }, (_, i) => {
    const [start = 0n, step = 0n] = [h[i % 2], h[2 + Math.floor(((i + (i % 2)) % 4) / 2)]];
    return ((start + BigInt(i) * step) % WORD) % bits;
  });
}

interface Parameters {
  readonly bits: number;
  readonly k: number;
  /** The number of stored bits, if it differs. */
  readonly length?: number;
  /** Written after a call of bitset.LittleEndian(). */
  readonly isLittle?: boolean;
}

function filterOf({ bits, k, length = bits, isLittle = false }: Parameters, words?: Uint8Array): ForeignFilter {
  const encode = (all: Uint8Array) => {
    const file = new Uint8Array(HEADER_BYTES + 8 * Math.ceil(length / 64));
    const head = new DataView(file.buffer);
    head.setBigUint64(0, BigInt(bits));
    head.setBigUint64(8, BigInt(k));
    head.setBigUint64(16, BigInt(length), isLittle);
    file.set(all.subarray(0, file.length - HEADER_BYTES), HEADER_BYTES);
    return file;
  };
  const positions = (key: Uint8Array) => bitsAndBloomsPositions(murmur3Twice(key), BigInt(bits), k).map(Number);
  return bitArrayFilter({ bits, k, order: isLittle ? 'bytes' : 'be64', positions, encode }, words);
}

/** `EstimateParameters`. */
function sized(items: number, fpr: number): Parameters {
  const bits = Math.ceil((-items * Math.log(fpr)) / (Math.LN2 * Math.LN2));
  return { bits, k: Math.ceil((Math.LN2 * bits) / items) };
}

const withWord = (at: number, value: bigint) => (file: DataView) => file.setBigUint64(at, value);

/** The value in a stream of encoding/gob. One message describes the type, and the next has the value. */
function withoutGob(stream: Uint8Array): Uint8Array {
  const isGob = stream[0] === 9 || stream[0] === 10;
  let at = isGob ? 1 + (stream[0] ?? 0) : 0;
  // Skip the message length, the type, the mark of a value that is not a struct, and the value length.
  // Each is one byte, or a byte that is followed by more.
  for (let i = 0; isGob && i < 4; i++) {
    const first = stream[at] ?? 0;
    at += first < 128 ? 1 : 257 - first;
  }
  return stream.slice(at);
}

/** The bytes that `WriteTo` would write for a filter in JSON. There m and k are numbers, and the rest is base64. */
function withoutJson(text: Uint8Array): Uint8Array {
  const { m, k, b } = JSON.parse(Buffer.from(text).toString());
  const head = new DataView(new ArrayBuffer(16));
  head.setBigUint64(0, BigInt(m));
  head.setBigUint64(8, BigInt(k));
  return new Uint8Array(Buffer.concat([new Uint8Array(head.buffer), Buffer.from(b, 'base64url')]));
}

export const bitsAndBlooms: System = {
  decode(stream) {
    const file = stream[0] === 0x7b ? withoutJson(stream) : withoutGob(stream);
    const head = new DataView(file.buffer, file.byteOffset, file.length);
    const word = (at: number, isLittle = false) => Number(head.getBigUint64(at, isLittle));
    const fits = (length: number) => file.length === HEADER_BYTES + 8 * Math.ceil(length / 64);
    const isLittle = !fits(word(16));
    const words = file.subarray(HEADER_BYTES);
    return filterOf({ bits: word(0), k: word(8), length: word(16, isLittle), isLittle }, words);
  },
  vessels: {
    'few bits': () => ({ filter: filterOf({ bits: 500, k: 4 }), keys: 80 }),
    'many bits': () => ({ filter: filterOf({ bits: 76_681, k: 7 }), keys: 8000 }),
    'one bit': () => ({ filter: filterOf({ bits: 1, k: 3 }), keys: 0 }),
    'k = 1': () => ({ filter: filterOf({ bits: 2 ** 17, k: 1 }), keys: 9000 }),
    'k = 200': () => ({ filter: filterOf({ bits: 2 ** 17, k: 200 }), keys: 400 }),
    'little-endian bits': () => ({ filter: filterOf({ bits: 70_000, k: 5, isLittle: true }), keys: 9000 }),
    'more bits than it uses': () => ({ filter: filterOf({ bits: 1000, k: 3, length: 1024 }), keys: 300 }),
  },
  makes: { 'bits-and-blooms': (items, fpr) => filterOf(sized(items, fpr)) },
  spoils: {
    'm = 0': withWord(0, 0n),
    'k = 0': withWord(8, 0n),
    'k = 2^15 + 1': withWord(8, 2n ** 15n + 1n),
    'k = 2^32': withWord(8, 2n ** 32n),
    'k = 2^64 - 1': withWord(8, 2n ** 64n - 1n),
    'a word more': withWord(16, 564n),
    'a word less': withWord(16, 436n),
    'm = 2^40': withWord(0, 2n ** 40n),
    'm = 2^64 - 1': withWord(0, 2n ** 64n - 1n),
    '2^63 bits': withWord(16, 2n ** 63n),
    '2^64 - 1 bits': withWord(16, 2n ** 64n - 1n),
  },
  mayHaveMore: false,
};
