// Signatures: a Bloom filter of a few bits for each of many rows, as indexes have them that say in which rows a value may be.

import { bloom } from './bloom.ts';
import type { Structure } from './kind.ts';

/** Signatures of rows. Threads hand them to each other as a message, and share what they are made of. */
export interface Signatures {
  /** Bits of each, L: whole words of 16. */
  readonly bits: number;
  /** The words of all of them, one signature after the other. */
  readonly words: Uint16Array;
  /** Of each row the block of the table in which it is, and its number there. */
  readonly blocks: Uint32Array;
  readonly numbers: Uint16Array;
  /** The column that is asked, from 0 on, and how many bits a value of it sets. */
  readonly column: number;
  readonly k: number;
}

/** How many signatures have so many ones, from 0 on. */
interface OnesOfRows {
  readonly rows: Float64Array;
}

/** A stranger is a false positive if it is one in any of the rows. */
export const signatures: Structure<OnesOfRows> = {
  name: bloom.name,
  places: bloom.places,
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

/** Rows in which a stranger is expected to be found by chance. */
export function falseRows({ rows }: OnesOfRows, bits: number, k: number): number {
  return overRows({ rows }, (ones, count) => count * (ones / bits) ** k);
}

/** A sum over rows of the same number of ones. */
function overRows(fill: OnesOfRows | undefined, of: (ones: number, rows: number) => number): number {
  return fill?.rows.reduce((sum, rows, ones) => (rows === 0 ? sum : sum + of(ones, rows)), 0) ?? 0;
}

/** How many signatures have how many ones. */
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

/** The rows whose signatures have all bits of a value, by its hash. */
export function* rowsWith(of: Signatures, hash: number): Generator<number> {
  const { words, bits, blocks } = of;
  const wordsEach = bits / 16;
  const wanted = new Map<number, number>();
  for (const bit of positionsOf(of, hash)) wanted.set(bit >> 4, (wanted.get(bit >> 4) ?? 0) | (1 << (bit & 15)));
  const places = Uint32Array.from(wanted.keys());
  const masks = Uint16Array.from(wanted.values());
  for (let row = 0; row < blocks.length; row++) {
    const at = row * wordsEach;
    let i = 0;
    while (i < masks.length && isIn(words[at + (places[i] ?? 0)], masks[i])) i++;
    if (i === masks.length) yield row;
  }
}

function isIn(word = 0, mask = 0): boolean {
  return (word & mask) === mask;
}

/** `BLOOM_RAND_MAX` and what makes a seed of any number; see blutils.c of PostgreSQL's contrib/bloom. */
const LARGEST = 0x7fffffff;
const SEEDS = 0x7ffffffe;

/** Park and Miller's random numbers by Schrage's method, as C divides numbers with a sign. */
function randomOf(seed: number): () => number {
  let state = ((seed | 0) % SEEDS) + 1;
  return () => {
    const high = Math.trunc(state / 127_773);
    state = 16_807 * (state % 127_773) - 2836 * high;
    if (state < 0) state += LARGEST;
    return state - 1;
  };
}

/** The bits that a value sets: the seed is its hash, and what the number of its column makes. */
function positionsOf({ column, k, bits }: Signatures, hash: number): number[] {
  const random = randomOf(hash ^ randomOf(column)());
  return Array.from({ length: k }, () => random() % bits).filter((bit) => bit >= 0);
}
