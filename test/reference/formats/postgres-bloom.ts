// Indexes of PostgreSQL's extension bloom, after contrib/bloom/bloom.h and blutils.c, and src/common/hashfn.c:
// https://github.com/postgres/postgres.

import { finished, mixed } from '../lookup3.ts';
import type { ForeignFilter, System, Vessel } from './system.ts';

const PAGE_BYTES = 8192;
const HEADER_BYTES = 24;
const COLUMNS = 32;
const ROW_BYTES = 6;

/** `hash_bytes`. */
export function hashBytes(key: Uint8Array): number {
  const start = (0x9e3779b9 + key.length + 3_923_095) >>> 0;
  let three: [number, number, number] = [start, start, start];
  const words = (bytes: Uint8Array) => {
    const view = new DataView(new ArrayBuffer(12));
    for (const [i, byte] of bytes.entries()) view.setUint8(i, byte);
    return [0, 4, 8].map((at) => view.getUint32(at, true));
  };
  const plus = (by: readonly number[]) => {
    const [a, b, c] = three.map((word, i) => (word + (by[i] ?? 0)) >>> 0);
    three = [a ?? 0, b ?? 0, c ?? 0];
  };
  const whole = key.length - (key.length % 12);
  for (let at = 0; at < whole; at += 12) {
    plus(words(key.subarray(at, at + 12)));
    three = mixed(three);
  }
  // The lowest byte of the third word is reserved for the length.
  const left = key.subarray(whole);
  plus(words(left.length > 8 ? Uint8Array.from([...left.subarray(0, 8), 0, ...left.subarray(8)]) : left));
  return finished(three);
}

/** `myRand` with integers of any size. Division rounds towards 0. */
function* randoms(seed: bigint): Generator<bigint> {
  let state = (BigInt.asIntN(32, seed) % 0x7ffffffen) + 1n;
  for (;;) {
    state = 16807n * (state % 127773n) - 2836n * (state / 127773n);
    if (state < 0n) state += 0x7fffffffn;
    yield state - 1n;
  }
}

const first = (numbers: Generator<bigint>) => BigInt(numbers.next().value ?? 0);

/** `signValue`: the bits that a value of a column sets. */
function positions(key: Uint8Array, column: number, bits: number, k: number): number[] {
  const numbers = randoms(BigInt(hashBytes(key)) ^ first(randoms(BigInt(column))));
  return Array.from({ length: k }, () => Number(first(numbers) % BigInt(bits)));
}

/** The words of a row's signature, and the number of bits that the first column sets. */
interface Parameters {
  readonly words: number;
  readonly k: number;
}

type Row = Set<number>;

function filterOf({ words, k }: Parameters, rows: Row[], encode?: () => Uint8Array): ForeignFilter {
  const bits = 16 * words;
  const chance = (row: Row) => (row.size / bits) ** k;
  return {
    add: (key) => void rows.push(new Set(positions(key, 0, bits, k))),
    has: (key) => {
      const wanted = positions(key, 0, bits, k);
      return rows.some((row) => wanted.every((bit) => row.has(bit)));
    },
    fill: () => (rows.length === 0 ? 0 : rows.reduce((sum, row) => sum + row.size, 0) / (rows.length * bits)),
    rate: () => 1 - rows.reduce((none, row) => none * (1 - chance(row)), 1),
    encode: encode ?? (() => encoded({ words, k }, rows)),
  };
}

/** A page with the marks of the extension; `flags` is 1 for the first page, and 2 for a deleted one. */
function page(count: number, flags: number): DataView {
  const view = new DataView(new ArrayBuffer(PAGE_BYTES));
  for (const [at, value] of [24, PAGE_BYTES - 8, PAGE_BYTES - 8, PAGE_BYTES | 4].entries())
    view.setUint16(12 + 2 * at, value, true);
  view.setUint16(PAGE_BYTES - 8, count, true);
  view.setUint16(PAGE_BYTES - 6, flags, true);
  view.setUint16(PAGE_BYTES - 2, 0xff83, true);
  return view;
}

/** An index of rows. One of its pages is empty, and one is marked as deleted. */
function encoded({ words, k }: Parameters, rows: readonly Row[]): Uint8Array {
  const meta = page(0, 1);
  meta.setUint32(HEADER_BYTES, 0xdbac0ded, true);
  meta.setInt32(HEADER_BYTES + 12, words, true);
  for (let column = 0; column < COLUMNS; column++)
    meta.setInt32(HEADER_BYTES + 16 + 4 * column, column === 0 ? k : 2, true);
  const size = ROW_BYTES + 2 * words;
  const room = Math.floor((PAGE_BYTES - 8 - HEADER_BYTES) / size);
  const pages = [meta, new DataView(new ArrayBuffer(PAGE_BYTES)), page(3, 2)];
  for (let from = 0; from < rows.length; from += room) {
    const some = rows.slice(from, from + room);
    const view = page(some.length, 0);
    for (const [i, row] of some.entries()) {
      const at = HEADER_BYTES + i * size;
      view.setUint16(at + 2, from, true);
      view.setUint16(at + 4, i + 1, true);
      for (const bit of row) {
        const byte = at + ROW_BYTES + (bit >> 3);
        view.setUint8(byte, view.getUint8(byte) | (1 << (bit & 7)));
      }
    }
    pages.push(view);
  }
  return new Uint8Array(Buffer.concat(pages.map(({ buffer }) => new Uint8Array(buffer))));
}

function decode(file: Uint8Array): ForeignFilter {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const [words, k] = [view.getInt32(HEADER_BYTES + 12, true), view.getInt32(HEADER_BYTES + 16, true)];
  const rows: Row[] = [];
  for (let start = PAGE_BYTES; start < file.length; start += PAGE_BYTES) {
    if (view.getUint16(start + PAGE_BYTES - 6, true) === 2) continue;
    for (let i = 0; i < view.getUint16(start + PAGE_BYTES - 8, true); i++) {
      const at = start + HEADER_BYTES + i * (ROW_BYTES + 2 * words) + ROW_BYTES;
      const bits = Array.from({ length: 16 * words }, (_, bit) => bit);
      rows.push(new Set(bits.filter((bit) => ((file[at + (bit >> 3)] ?? 0) >> (bit & 7)) & 1)));
    }
  }
  return filterOf({ words, k }, rows, () => file);
}

const vessel = (keys: number, words: number, k: number) => (): Vessel => ({ filter: filterOf({ words, k }, []), keys });

const inMeta = (by: number, value: number) => (file: DataView) => file.setInt32(HEADER_BYTES + by, value, true);

/** The vessels for rates set one bit per row, because several bits of a row depend on each other. */
export const postgresBloom: System = {
  decode,
  vessels: {
    'one bit a row': vessel(20, 9, 1),
    'signatures of 4096 bits': vessel(60, 256, 1),
    'a row of 16 bits': vessel(1, 1, 1),
    'rows of 80 bits': vessel(300, 5, 6),
    'rows of 112 bits': vessel(700, 7, 5),
  },
  spoils: {
    'no words': inMeta(12, 0),
    '257 words': inMeta(12, 257),
    '-1 words': inMeta(12, -1),
    'k = 0': inMeta(16, 0),
    'k = 2^31 - 1': inMeta(16, 2 ** 31 - 1),
    'another sort of page': (file) => file.setUint16(PAGE_BYTES - 2, 0xff82, true),
    'more rows than there is room for': (file) => file.setUint16(2 * PAGE_BYTES - 8, 9999, true),
  },
  pageBytes: PAGE_BYTES,
  mayHaveMore: false,
};
