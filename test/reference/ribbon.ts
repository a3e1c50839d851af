// A ribbon filter after FORMAT.md. Equations are numbers of 128 bits, or of 256, and are solved one unknown at a time.

import type { Oracle, Rules } from './kinds.ts';
import { areFewOrFine, bitAt, partsOf, setBit, within } from './places.ts';
import { createRandom } from './random.ts';
import { firstThatSucceeds, kept, locate, mix, staticOracle, type Trial, trialOf } from './static.ts';

const BLOCK = 64;
const HEAD = 64;

function blocksOf({ segmentBits, k }: Rules): number {
  return Math.floor((segmentBits - HEAD) / (BLOCK * k));
}

/** A fraction; each trial but the first mixes it. */
function mixed(fraction: bigint, trial: Trial): bigint {
  let f = kept(fraction, trial);
  for (let i = 0; i < trial.trials; i++) f = kept(mix(f), trial);
  return f;
}

/** The start of the window of a mixed key among so many blocks, and its coefficients; the lowest bit is the first one. */
export function equationOfNumber(f: bigint, blocks: number, words: number): { start: number; coefficients: bigint } {
  const start = Number((f * BigInt(BLOCK * (blocks - words))) >> 64n);
  const each = Array.from({ length: words }, (_, i) => mix(f ^ (i === 0 ? 0n : 2n ** 64n - BigInt(i))));
  return { start, coefficients: each.reduceRight((above, word) => (above << 64n) + word, 0n) | 1n };
}

function equationOf(fraction: bigint, trial: Trial, rules: Rules, words = 2): { start: number; coefficients: bigint } {
  return equationOfNumber(mixed(fraction, trial), blocksOf(rules), words);
}

/** Whether coefficients select an even number of ones. `isOne` tells the unknowns of the window. */
export function isEven(coefficients: bigint, isOne: (unknown: number) => boolean): boolean {
  const chosen = Array.from({ length: 256 }, (_, i) => i).filter((i) => (coefficients >> BigInt(i)) % 2n === 1n);
  return chosen.filter(isOne).length % 2 === 0;
}

/** The position of the bit of an unknown in a column. */
function placeOf(unknown: number, column: number, { k }: Rules): number {
  return HEAD + BLOCK * (Math.floor(unknown / BLOCK) * k + column) + (unknown % BLOCK);
}

/** The equations in echelon form, by their first unknown; undefined if one depends on others. */
function echelon(fractions: Iterable<bigint>, trial: Trial, rules: Rules): Map<number, bigint> | undefined {
  const rows = new Map<number, bigint>();
  for (const fraction of fractions) {
    let { start, coefficients } = equationOf(fraction, trial, rules);
    for (let row = rows.get(start); row !== undefined; row = rows.get(start)) {
      coefficients ^= row;
      if (coefficients === 0n) return undefined;
      for (; coefficients % 2n === 0n; coefficients >>= 1n) start++;
    }
    rows.set(start, coefficients);
  }
  return rows;
}

function parity(value: bigint): boolean {
  return value.toString(2).replaceAll('0', '').length % 2 === 1;
}

function solve(segment: Uint8Array, fractions: ReadonlySet<bigint>, rules: Rules): void {
  const rows = firstThatSucceeds(segment, fractions, rules, (trial) => echelon(fractions, trial, rules));
  const random = createRandom(fractions.size);
  for (let column = 0; column < rules.k; column++) {
    let window = 0n;
    for (let unknown = BLOCK * blocksOf(rules) - 1; unknown >= 0; unknown--) {
      window = (window << 1n) & ((1n << 128n) - 1n);
      const row = rows.get(unknown);
      const isOne = row === undefined ? random() % 2 === 1 : parity(row & window);
      if (!isOne) continue;
      window |= 1n;
      setBit(segment, placeOf(unknown, column, rules));
    }
  }
}

/** Whether a segment accepts a fraction, with windows of this many words. */
export function accepts(segment: Uint8Array, fraction: bigint, rules: Rules, words: number): boolean {
  const { start, coefficients } = equationOf(fraction, trialOf(segment), rules, words);
  return Array.from({ length: rules.k }, (_, column) => column).every((column) =>
    isEven(coefficients, (i) => bitAt(segment, placeOf(start + i, column, rules))),
  );
}

export const ribbon: Oracle = {
  ...staticOracle(solve),
  mayContain(payload, key, rules) {
    const { segment, fraction } = locate(key, rules);
    return accepts(partsOf(payload, rules)[segment] ?? new Uint8Array(), fraction, rules, 2);
  },
  isLegal: (rules) => within(rules.k, 1, 32) && blocksOf(rules) >= 3 && areFewOrFine(rules),
  bitsPerKey: 7.3,
};
