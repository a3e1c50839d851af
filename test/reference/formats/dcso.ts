// DCSO bloom, version 1, after its bloom.go and io.go: https://github.com/DCSO/bloom.

import { bitArrayFilter } from './bit-array-filter.ts';
import type { ForeignFilter, System } from './system.ts';

const WORD = 2n ** 64n;
const P = WORD - 59n;
const G = 18446744073709550147n;
const HEADER_BYTES = 48;

/** FNV-1: draft-eastlake-fnv, section 2. */
export function fnv1(key: Uint8Array): bigint {
  let hash = 14695981039346656037n;
  for (const byte of key) hash = ((hash * 1099511628211n) % WORD) ^ BigInt(byte);
  return hash;
}

/**
 * Positions of a digest. If m is a multiple of 2^i, the lowest i bits of each position depend only on the lowest bits of the
 * digest. More non-members are then maybe present than the fill predicts, so the tests use prime m.
 */
export function dcsoPositions(digest: bigint, bits: bigint, k: number): bigint[] {
  let x = digest % P;
  return Array.from({ length: k }, () => {
    x = ((x * G) % WORD) % P;
    return x % bits;
  });
}

interface Parameters {
  readonly capacity: number;
  readonly rate: number;
  readonly k: number;
  readonly bits: number;
}

function filterOf({ capacity, rate, k, bits }: Parameters, words?: Uint8Array): ForeignFilter {
  const encode = (all: Uint8Array, added: number) => {
    const file = new Uint8Array(HEADER_BYTES + all.length);
    const head = new DataView(file.buffer);
    head.setUint8(0, 1);
    for (const [i, value] of [capacity, 0, k, bits, added].entries()) head.setBigUint64(8 + 8 * i, BigInt(value), true);
    head.setFloat64(16, rate, true);
    file.set(all, HEADER_BYTES);
    return file;
  };
  const positions = (key: Uint8Array) => dcsoPositions(fnv1(key), BigInt(bits), k).map(Number);
  return bitArrayFilter({ bits, k, order: 'bytes', positions, encode }, words);
}

/** `Initialize`, which rounds a negative number up. */
function sized(capacity: number, rate: number): Parameters {
  const bits = Math.abs(Math.ceil((capacity * Math.log(rate)) / Math.LN2 ** 2));
  return { capacity, rate, bits, k: Math.ceil((Math.LN2 * bits) / capacity) };
}

const withWord = (at: number, value: bigint) => (file: DataView) => file.setBigUint64(at, value, true);

export const dcso: System = {
  decode(file) {
    const head = new DataView(file.buffer, file.byteOffset);
    const word = (at: number) => Number(head.getBigUint64(at, true));
    const [bits, end] = [word(32), HEADER_BYTES + 8 * Math.ceil(word(32) / 64)];
    const rate = head.getFloat64(16, true);
    return filterOf({ capacity: word(8), rate, k: word(24), bits }, file.subarray(HEADER_BYTES, end));
  },
  vessels: {
    'few bits': () => ({ filter: filterOf(sized(40, 0.1)), keys: 40 }),
    'many bits': () => ({ filter: filterOf(sized(8000, 0.01)), keys: 8000 }),
    'one bit': () => ({ filter: filterOf({ capacity: 1, rate: 0.5, bits: 1, k: 1 }), keys: 0 }),
    'k = 1': () => ({ filter: filterOf({ capacity: 7000, rate: 0.1, bits: 70_001, k: 1 }), keys: 7000 }),
    'k = 200': () => ({ filter: filterOf({ capacity: 300, rate: 1e-60, bits: 131_101, k: 200 }), keys: 300 }),
    'too many keys': () => ({ filter: filterOf({ capacity: 500, rate: 0.01, bits: 4793, k: 7 }), keys: 1500 }),
  },
  makes: { dcso: (items, fpr) => filterOf(sized(items, fpr)) },
  spoils: {
    'm = 0': withWord(32, 0n),
    'k = 0': withWord(24, 0n),
    'k = 2^15 + 1': withWord(24, 2n ** 15n + 1n),
    'k = 2^63': withWord(24, 2n ** 63n),
    'k = 2^64 - 1': withWord(24, 2n ** 64n - 1n),
    'a word more': (file) => file.setBigUint64(32, file.getBigUint64(32, true) + 64n, true),
    'm = 2^40': withWord(32, 2n ** 40n),
    'm = 2^63': withWord(32, 2n ** 63n),
    'm = 2^64 - 1': withWord(32, 2n ** 64n - 1n),
  },
  mayHaveMore: true,
};
