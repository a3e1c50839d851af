// A ribbon filter after FORMAT.md: equations as numbers of 128 bits, solved one unknown at a time.

import { type DigestRules, digestOf } from './digests.ts';
import type { Oracle, Rules } from './kinds.ts';
import { areFew, bitAt, partsOf, setBit, within } from './places.ts';
import { createRandom } from './random.ts';
import { wrap } from './xxh64.ts';

const BLOCK = 64;
const HEAD = 64;
const WINDOW = 128;

function blocksOf({ segmentBits, k }: Rules): number {
  return Math.floor((segmentBits - HEAD) / (BLOCK * k));
}

function mix(value: bigint): bigint {
  let x = wrap((value ^ (value >> 33n)) * 0xff51afd7ed558ccdn);
  x = wrap((x ^ (x >> 33n)) * 0xc4ceb9fe1a85ec53n);
  return x ^ (x >> 33n);
}

/** Segment of a key, and its fraction there. */
function locate(key: Uint8Array, rules: Rules & DigestRules): { segment: number; fraction: bigint } {
  const digest = digestOf(key, rules);
  const segments = BigInt(rules.segments);
  return { segment: Number(((digest >> 32n) * segments) >> 32n), fraction: BigInt.asUintN(64, digest * segments) };
}

/** Where the window of a key begins and its coefficients, the first lowest, after so many mixes. */
function equationOf(fraction: bigint, mixes: number, rules: Rules): { start: number; coefficients: bigint } {
  let f = fraction;
  for (let i = 0; i < mixes; i++) f = mix(f);
  const start = Number((f * BigInt(BLOCK * blocksOf(rules) - WINDOW)) >> 64n);
  return { start, coefficients: mix(f) | 1n | (mix(f ^ 0xffffffffffffffffn) << 64n) };
}

/** The bit of an unknown in a column. */
function placeOf(unknown: number, column: number, { k }: Rules): number {
  return HEAD + BLOCK * (Math.floor(unknown / BLOCK) * k + column) + (unknown % BLOCK);
}

function numberAt(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);
}

/** The equations in echelon form, by their first unknown; undefined if one follows from others. */
function echelon(fractions: Iterable<bigint>, mixes: number, rules: Rules): Map<number, bigint> | undefined {
  const rows = new Map<number, bigint>();
  for (const fraction of fractions) {
    let { start, coefficients } = equationOf(fraction, mixes, rules);
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
  let mixes = 0;
  let rows = echelon(fractions, mixes, rules);
  while (rows === undefined) rows = echelon(fractions, ++mixes, rules);
  const view = new DataView(segment.buffer, segment.byteOffset);
  view.setUint32(0, fractions.size, true);
  view.setUint32(4, mixes, true);
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

export const ribbon: Oracle = {
  payloadOf(keys, rules) {
    const payload = new Uint8Array((rules.segments * rules.segmentBits) / 8);
    const sets = Array.from({ length: rules.segments }, () => new Set<bigint>());
    for (const key of keys) {
      const { segment, fraction } = locate(key, rules);
      sets[segment]?.add(fraction);
    }
    partsOf(payload, rules).forEach((segment, i) => {
      solve(segment, sets[i] ?? new Set(), rules);
    });
    return payload;
  },
  mayContain(payload, key, rules) {
    const { segment, fraction } = locate(key, rules);
    const bytes = partsOf(payload, rules)[segment] ?? new Uint8Array();
    const { start, coefficients } = equationOf(fraction, numberAt(bytes, 4), rules);
    const unknowns = Array.from({ length: WINDOW }, (_, i) => start + i);
    const chosen = unknowns.filter((_, i) => (coefficients >> BigInt(i)) % 2n === 1n);
    return Array.from({ length: rules.k }, (_, column) => column).every(
      (column) => chosen.filter((unknown) => bitAt(bytes, placeOf(unknown, column, rules))).length % 2 === 0,
    );
  },
  fillOf: (segment) => BigInt(numberAt(segment, 0)),
  isLegal: (rules) => within(rules.k, 1, 32) && blocksOf(rules) >= 3 && areFew(rules),
  bitsPerKey: 7.3,
  impliedRate: (_, { k }) => 2 ** -k,
  // A system has many solutions.
  contentOf: (payload, rules) => partsOf(payload, rules).map((segment) => numberAt(segment, 0)),
};
