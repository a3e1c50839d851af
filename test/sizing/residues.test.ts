// Positions x 3^i modulo m = 2^v q, as DCSO has them, against a simulation of residues modulo 2^v, each with q cells.

import { expect, test } from 'vitest';
import { cellsOf, residueCollisions } from '../../src/sizing/residues.ts';
import { inLongRuns } from '../long.ts';
import { below, createRandom, type Random } from '../reference/random.ts';

/** The k positions of a key that begins at a residue: its residues, each with a random cell. */
function positionsFrom(begin: number, random: Random, k: number, powers: number, cells: number): number[] {
  let residue = begin;
  return Array.from({ length: k }, () => {
    residue = (3 * residue) % 2 ** powers;
    return residue * cells + below(random, cells);
  });
}

/** The standard errors by which a share may differ: one of 10^8 does by chance. */
const DEVIATIONS = 6;

const TRIALS = inLongRuns(500_000, 20_000);

function expectShare(found: number, trials: number, expected: number): void {
  const error = DEVIATIONS * Math.sqrt((Math.max(expected, 1 / trials) * (1 - expected)) / trials);
  expect(found / trials).toBeGreaterThan(expected - error);
  expect(found / trials).toBeLessThan(expected + error);
}

test.each([
  [1, 1],
  [3, 3],
  [48, 3],
  [2 ** 20 * 5, 5],
  [2 ** 40, 1],
])('%d positions have %d cells per residue', (bits, cells) => expect(cellsOf(bits)).toBe(cells));

// Cycles of 1, 1, 1, 2, 2 and more residues: of 8 residues two cycles of 2, of 16 two of 4, of 32 two of 8.
// With few cells it matters that a position of a member cannot be in two of them.
test.each([
  [3, 3, 3],
  [4, 3, 6],
  [3, 101, 3],
  [4, 101, 3],
  [4, 101, 6],
  [5, 101, 5],
])(
  'of 2^%d times %d positions, %d each, keys have the distinct and common ones of the simulation',
  (powers, cells, k) => {
    const collisions = residueCollisions(2 ** powers * cells, k);
    const random = createRandom(powers * 100 + k);
    const begin = () => below(random, 2 ** powers);

    expect(collisions.exact).toEqual([]);
    const distinct = new Map<number, number>();
    const common = new Map<number, number>();
    const count = (of: Map<number, number>, entry: number) => of.set(entry, (of.get(entry) ?? 0) + 1);
    for (let trial = 0; trial < TRIALS; trial++) {
      const own = new Set(positionsFrom(begin(), random, k, powers, cells));
      const members = new Set(positionsFrom(begin(), random, k, powers, cells));
      count(distinct, own.size);
      let shared = 0;
      for (const position of own) if (members.has(position)) shared++;
      if (shared > 0) count(common, own.size * (k + 1) + shared);
    }
    for (let d = 0; d <= k; d++) {
      expectShare(distinct.get(d) ?? 0, TRIALS, collisions.distinct[d] ?? 0);
      for (let c = 1; c <= k; c++) {
        const entry = d * (k + 1) + c;
        expectShare(common.get(entry) ?? 0, TRIALS, collisions.common[entry] ?? 0);
      }
    }
  },
);

/** The chance of `hits` among `count` that each happen with a chance of 1 in `cells`. */
function binomial(count: number, hits: number, cells: number): number {
  if (hits > count) return 0;
  let chance = (1 - 1 / cells) ** (count - hits) / cells ** hits;
  for (let i = 0; i < hits; i++) chance *= (count - i) / (i + 1);
  return chance;
}

// All residues of a key differ in a cycle of 2^18. A member that begins s residues before or after has k - s of them, each
// with the same cell in 1 of 3 cases. Half of all keys are in the longest cycles, a quarter in shorter ones, and so on.
test.each([25, 30])('in long cycles, members have some of %d positions from both sides', (k) => {
  const { common } = residueCollisions(2 ** 20 * 3, k);
  let weight = 0;
  for (let u = 0; u <= 20; u++) weight += 2 ** -(u + 21);
  for (const shared of [1, 2, 3, 10]) {
    let expected = binomial(k, shared, 3);
    for (let shift = 1; shift < k; shift++) expected += 2 * binomial(k - shift, shared, 3);
    expect((common[k * (k + 1) + shared] ?? 0) / (weight * expected)).toBeCloseTo(1, 3);
  }
});

/** A number with a Poisson distribution. */
function poisson(mean: number, random: Random): number {
  let count = 0;
  for (let product = Math.exp(-mean), left = random() / 2 ** 32; left > product; count++) left *= random() / 2 ** 32;
  return count;
}

test.each([
  [6, 1, 4, 12],
  [5, 1, 10, 6],
  [6, 3, 4, 40],
  [7, 5, 5, 60],
])('in long cycles of 2^%d times %d positions, the rate of %d each and %d keys is exact', (powers, cells, k, items) => {
  const { exact = [] } = residueCollisions(2 ** powers * cells, k);
  expect(exact.length).toBeGreaterThan(0);
  const random = createRandom(powers);
  const trials = TRIALS / 20;
  for (const [u, { chance, rate, distinct }] of exact.entries()) {
    // The residues of this cycle are 2^u times an odd number; the last cycle is that of 0.
    expect(chance).toBe(u === powers ? 2 ** -u : 2 ** (-u - 1));
    let found = 0;
    let residues = new Set<number>();
    for (let trial = 0; trial < trials; trial++) {
      const set = new Set<number>();
      const members = cells === 1 ? items : poisson(items, random);
      for (let member = 0; member < members; member++)
        for (const position of positionsFrom(below(random, 2 ** powers), random, k, powers, cells)) set.add(position);
      const first = u === powers ? 0 : 2 ** u * (1 + 2 * below(random, 2 ** (powers - u - 1)));
      const own = positionsFrom(first, random, k, powers, cells);
      residues = new Set(own.map((position) => Math.floor(position / cells)));
      if (own.every((position) => set.has(position))) found++;
    }
    expect(residues.size).toBe(distinct);
    expectShare(found, trials, rate(items));
  }
});
