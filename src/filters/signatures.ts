// Signatures: one small Bloom filter per row. Database indexes use them to find the rows that may have a value.

import { bloom } from './bloom.ts';
import type { Structure } from './kind.ts';

/** Signatures of rows. Threads pass this to each other as a message, and share its memory. */
export interface Signatures {
  /** Bits per signature, L: whole 16-bit words. */
  readonly bits: number;
  /** The words of all signatures, one signature after the other. */
  readonly words: Uint16Array;
  /** Per row, its block in the table and its number in the block. */
  readonly blocks: Uint32Array;
  readonly numbers: Uint16Array;
  /** The column that is queried, from 0, and the number of bits that a value of the column sets. */
  readonly column: number;
  readonly k: number;
}

/** The number of signatures for each number of ones, from 0. */
interface OnesOfRows {
  readonly rows: Float64Array;
}

/** A non-member is a false positive if it is one in any of the rows. */
export const signatures: Structure<OnesOfRows> = {
  name: bloom.name,
  units: bloom.units,
  refuses: bloom.refuses,
  findsRows: true,
  itemsToPlan: bloom.itemsToPlan,
  abilities: [],
  fillRatio: ([fill], { segmentBits }) => {
    const all = overRows(fill, (_, rows) => rows);
    return all === 0 ? 0 : overRows(fill, (ones, rows) => ones * rows) / (all * segmentBits);
  },
  details: () => [],
  rateFromFill: ([fill], { segmentBits, k }) =>
    -Math.expm1(overRows(fill, (ones, rows) => (ones === 0 ? 0 : rows * Math.log1p(-((ones / segmentBits) ** k))))),
  itemsFromFill: ([fill]) => ({ count: overRows(fill, (_, rows) => rows), error: 0 }),
};

/** The expected number of rows in which a non-member is a false positive. */
export function falseRows({ rows }: OnesOfRows, bits: number, k: number): number {
  return overRows({ rows }, (ones, count) => count * (ones / bits) ** k);
}

/** The sum over rows; rows with the same number of ones are computed together. */
function overRows(fill: OnesOfRows | undefined, of: (ones: number, rows: number) => number): number {
  return fill?.rows.reduce((sum, rows, ones) => (rows === 0 ? sum : sum + of(ones, rows)), 0) ?? 0;
}

/** Counts the signatures for each number of ones. */
export function onesOfRows({ words, bits }: Signatures): OnesOfRows {
  const rows = new Float64Array(bits + 1);
  const wordsEach = bits / 16;
  for (let at = 0; at < words.length; at += wordsEach) {
    let ones = 0;
    for (let i = at; i < at + wordsEach; i++) for (let rest = words[i] ?? 0; rest > 0; rest &= rest - 1) ones++;
    rows[ones] = (rows[ones] ?? 0) + 1;
  }
  return { rows };
}

/** The rows whose signatures have all bits of a value, given by its hash. */
export function* rowsWith(of: Signatures, hash: number): Generator<number> {
  const { words, bits, blocks } = of;
  const wordsEach = bits / 16;
  const wanted = new Map<number, number>();
  for (const bit of positionsOf(of, hash)) wanted.set(bit >> 4, (wanted.get(bit >> 4) ?? 0) | (1 << (bit & 15)));
  const indices = Uint32Array.from(wanted.keys());
  const masks = Uint16Array.from(wanted.values());
  for (let row = 0; row < blocks.length; row++) {
    const at = row * wordsEach;
    let i = 0;
    while (i < masks.length && isIn(words[at + (indices[i] ?? 0)], masks[i])) i++;
    if (i === masks.length) yield row;
  }
}

function isIn(word = 0, mask = 0): boolean {
  return (word & mask) === mask;
}

/** `BLOOM_RAND_MAX`, and the modulus that makes a seed of any number (blutils.c of PostgreSQL's contrib/bloom). */
const LARGEST = 0x7fffffff;
const SEEDS = 0x7ffffffe;

/** Park and Miller's random numbers by Schrage's method. Division rounds towards zero, as in C. */
function randomOf(seed: number): () => number {
  let state = ((seed | 0) % SEEDS) + 1;
  return () => {
    const high = Math.trunc(state / 127_773);
    state = 16_807 * (state % 127_773) - 2836 * high;
    if (state < 0) state += LARGEST;
    return state - 1;
  };
}

/** The bits that a value sets. The seed combines its hash with a random number that the column's number seeds. */
function positionsOf({ column, k, bits }: Signatures, hash: number): number[] {
  const random = randomOf(hash ^ randomOf(column)());
  return Array.from({ length: k }, () => random() % bits).filter((bit) => bit >= 0);
}
