// The logsBloom of Ethereum, after M3:2048 of the yellow paper (4.3.1). Keccak follows FIPS 202, except for the padding.

import { bitArrayFilter } from './bit-array-filter.ts';
import type { ForeignFilter, System } from './system.ts';

const RATE = 136;
const BYTES = 256;

const rotate = (lane: bigint, by: number) => BigInt.asUintN(64, lane << BigInt(by)) | (lane >> BigInt(64 - by));
const mod5 = (x: number) => (x + 5) % 5;
const FIVE = [0, 1, 2, 3, 4];

/** `rc(t)`, a bit of a shift register (FIPS 202, algorithm 5). */
function bitOf(t: number): bigint {
  let register = 1;
  for (let i = 0; i < t % 255; i++) register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1;
  return BigInt(register & 1);
}

const ROUNDS = 24;

/** The constant of each round. Its bit 2^j - 1 is `rc(j + 7 * round)` (FIPS 202, algorithm 6). */
const CONSTANTS = Array.from({ length: ROUNDS }, (_, round) =>
  Array.from({ length: 7 }, (_, j) => bitOf(j + 7 * round) << BigInt(2 ** j - 1)).reduce((sum, bit) => sum | bit),
);

/** Keccak-p[1600, 24] of lanes A[x, y], number 5 y + x (FIPS 202, 3.2). */
function permuted(before: readonly bigint[]): bigint[] {
  let lanes = [...before];
  const at = (x: number, y: number) => lanes[5 * mod5(y) + mod5(x)] ?? 0n;
  for (const constant of CONSTANTS) {
    const columns = FIVE.map((x) => FIVE.reduce((sum, y) => sum ^ at(x, y), 0n));
    const theta = FIVE.map((x) => (columns[mod5(x - 1)] ?? 0n) ^ rotate(columns[mod5(x + 1)] ?? 0n, 1));
    lanes = lanes.map((lane, i) => lane ^ (theta[i % 5] ?? 0n));
    const rho = [...lanes];
    for (let [t, x, y] = [0, 1, 0]; t < 24; t++) {
      rho[5 * y + x] = rotate(at(x, y), (((t + 1) * (t + 2)) / 2) % 64);
      [x, y] = [y, (2 * x + 3 * y) % 5];
    }
    lanes = rho;
    lanes = FIVE.flatMap((y) => FIVE.map((x) => at(x + 3 * y, x)));
    lanes = FIVE.flatMap((y) => FIVE.map((x) => at(x, y) ^ (BigInt.asUintN(64, ~at(x + 1, y)) & at(x + 2, y))));
    lanes[0] = at(0, 0) ^ constant;
  }
  return lanes;
}

/** Keccak-256. The padding is a bit 1, zeros and a bit 1. */
export function keccak256(message: Uint8Array): Uint8Array {
  const blocks = Math.floor(message.length / RATE) + 1;
  const padded = new Uint8Array(blocks * RATE);
  padded.set(message);
  padded[message.length] = 1;
  padded[padded.length - 1] = (padded.at(-1) ?? 0) | 0x80;
  const words = new DataView(padded.buffer);
  let lanes = Array.from({ length: 25 }, () => 0n);
  for (let block = 0; block < padded.length; block += RATE)
    lanes = permuted(lanes.map((lane, i) => (8 * i < RATE ? lane ^ words.getBigUint64(block + 8 * i, true) : lane)));
  return new Uint8Array(BigUint64Array.from(lanes.slice(0, 4)).buffer);
}

/** M3:2048, with bits numbered from the first byte. */
export function positionsOf(key: Uint8Array): number[] {
  const hash = new DataView(keccak256(key).buffer);
  return [0, 2, 4].map((pair) => {
    const bit = hash.getUint16(pair) % 2048;
    return 8 * (BYTES - 1 - Math.floor(bit / 8)) + (bit % 8);
  });
}

function filterOf(text: (digits: string) => string | Uint8Array, bits?: Uint8Array): ForeignFilter {
  const encode = (all: Uint8Array) => new Uint8Array(Buffer.from(text(Buffer.from(all).toString('hex'))));
  return bitArrayFilter({ bits: 8 * BYTES, k: 3, order: 'bytes', positions: positionsOf, encode }, bits);
}

const vessel = (keys: number, text: (digits: string) => string | Uint8Array, variant?: string) => () => ({
  filter: filterOf(text),
  keys,
  ...(variant === undefined ? {} : { variant }),
});

export const ethereum: System = {
  keyType: 'text',
  decode(file, variant) {
    if (variant === 'ethereum-raw') return filterOf((digits) => Buffer.from(digits, 'hex'), file);
    const digits = Buffer.from(file).toString('latin1').trim().replace(/^0x/, '');
    return filterOf((all) => `0x${all}\n`, new Uint8Array(Buffer.from(digits, 'hex')));
  },
  vessels: {
    '0x and a line end': vessel(200, (digits) => `0x${digits}\n`),
    'digits alone': vessel(20, (digits) => digits),
    'capitals and a line end of Windows': vessel(550, (digits) => `${digits.toUpperCase()}\r\n`),
    bytes: vessel(100, (digits) => Buffer.from(digits, 'hex'), 'ethereum-raw'),
  },
  spoils: {
    'a letter that is no digit': (file) => file.setUint8(300, 0x67),
    'a blank at its beginning': (file) => file.setUint8(0, 0x20),
    'a NUL at its end': (file) => file.setUint8(file.byteLength - 1, 0),
    'a line end within it': (file) => file.setUint8(100, 0x0a),
  },
  mayHaveMore: false,
  isToldByEnd: true,
};
