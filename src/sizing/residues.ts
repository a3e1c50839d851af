// Collisions of positions x G^i mod 2^64 mod m with odd G, as in DCSO's bloom. Let m = 2^v q with odd q. Modulo 2^v the
// sequence depends on x alone: all positions of a key lie in one cycle of residues. Modulo q they are nearly
// independent.
//
// In long cycles, many members share several positions with an absent key, so pairs of keys do not suffice. There the
// rate is exact: `oneToOne` if q = 1, else `throughCycle`.

import type { Collisions, ExactRate } from './collisions.ts';

/** log2 of a number of residues above the most positions of a key. More residues change nothing. */
const MOST_POWERS = 40;

/** A cycle of residues modulo 2^v. */
interface Cycle {
  /** The chance that the residues of a key form a cycle like this. */
  readonly chance: number;
  /** The chance that two such keys have the same cycle. */
  readonly sameChance: number;
  readonly length: number;
}

/**
 * The cycles of G, which is 3 mod 8. A residue 2^u times an odd number keeps this form. Let t = v - u. The odd numbers
 * modulo 2^t form one cycle if t < 3, and two cycles of 2^(t - 2) each if t is larger.
 */
function cyclesOf(powers: number): Cycle[] {
  const chanceOf = (u: number) => (u === powers ? 2 ** -u : 2 ** (-u - 1));
  return Array.from({ length: powers + 1 }, (_, u) => {
    const t = powers - u;
    const length = t < 2 ? 1 : t === 2 ? 2 : 2 ** (t - 2);
    return { chance: chanceOf(u), sameChance: chanceOf(u) * (t < 3 ? 1 : 0.5), length };
  });
}

/** v, where 2^v is the largest power of two that divides m. */
function powersIn(bits: number): number {
  let powers = 0;
  while (powers < MOST_POWERS && bits % 2 ** (powers + 1) === 0) powers++;
  return powers;
}

/** q, the number of positions in m bits per residue modulo 2^v. */
export function cellsOf(bits: number): number {
  return bits / 2 ** powersIn(bits);
}

/**
 * The rate in a cycle if q = 1. A member that begins d positions ahead has the positions d + 1 to d + k. The positions
 * that an absent key misses follow each other: at each of them, the k positions from which members reach it are empty.
 * Let e(s) = (1 - s/m)^n be the chance that s positions are empty. Then the rate is 1 - k e(k) + (k - 1) e(k + 1). If L
 * <= k, a member has all L positions of the cycle, and the rate is 1 - e(L).
 */
function oneToOne(items: number, bits: number, k: number, length: number): number {
  const empty = (cells: number) => Math.exp(items * Math.log1p(-cells / bits));
  return length <= k ? 1 - empty(length) : 1 - k * empty(k) + (k - 1) * empty(k + 1);
}

/**
 * The rate in a cycle of at least 2 k - 1 residues: the expectation of the product over j of 1 - (1 - 1/q)^(members
 * that reach position j). The product is expanded into a sum over the sets of positions. The number of members that
 * begin at a residue has a Poisson distribution. They reach as many positions of a set as lie before or after the
 * residue. So sets are counted by their size and by the number of their positions before each residue.
 */
function throughCycle(membersEach: number, cells: number, k: number): number {
  const missed = (positions: number) => -membersEach * -Math.expm1(positions * Math.log1p(-1 / cells));
  let rate = 0;
  for (let size = 0; size <= k; size++) {
    let sets = [1];
    for (let j = 1; j <= k; j++)
      sets = Array.from({ length: Math.min(size, j) + 1 }, (_, before) => {
        const weight = (sets[before] ?? 0) + (sets[before - 1] ?? 0);
        return j === k ? weight : weight * Math.exp(missed(before) + missed(size - before));
      });
    rate += (size % 2 === 0 ? 1 : -1) * (sets[size] ?? 0) * Math.exp(missed(size));
  }
  return rate;
}

/** The most positions for which that alternating sum keeps enough digits. */
const SUMMED_POSITIONS = 24;

/** The collisions of k positions in m bits, and the exact rates of the cycles that have one. */
export function residueCollisions(bits: number, k: number): Collisions {
  const powers = powersIn(bits);
  const cells = cellsOf(bits);
  const rateIn = (length: number): ExactRate['rate'] | undefined => {
    if (cells === 1) return (items) => oneToOne(items, bits, k, length);
    const isLong = length >= 2 * k - 1 && k <= SUMMED_POSITIONS;
    return isLong ? (items) => throughCycle(items / 2 ** powers, cells, k) : undefined;
  };
  const distinct = new Float64Array(k + 1);
  const common = new Float64Array((k + 1) ** 2);
  const exact: ExactRate[] = [];
  for (const { chance, sameChance, length } of cyclesOf(powers)) {
    const rate = rateIn(length);
    if (rate !== undefined) {
      exact.push({ chance, distinct: Math.min(k, length), rate });
      continue;
    }
    const alone = overlaps(k, length, cells, undefined);
    for (let d = 0; d <= k; d++) distinct[d] = (distinct[d] ?? 0) + chance * (alone[d * (k + 1)] ?? 0);
    // A member begins anywhere in the cycle. In a long cycle it is mostly so far away that no residue is common.
    const reach = Math.min(length, 2 * k - 1);
    for (let shift = 0; shift < reach; shift++) {
      const weight = (chance * sameChance) / length;
      overlaps(k, length, cells, length > reach ? shift - k + 1 : shift).forEach((share, entry) => {
        common[entry] = (common[entry] ?? 0) + weight * share;
      });
    }
  }
  return { bits, k, distinct, common, exact };
}

/**
 * Entry `distinct (k + 1) + common`: the chance that a key has this many distinct positions and shares `common` of them
 * with a member. The member is `ahead` steps ahead in the same cycle. Each residue of the cycle is that of `cells`
 * positions. If `ahead` is undefined, there is no member.
 */
function overlaps(k: number, length: number, cells: number, ahead: number | undefined): Float64Array {
  let chances = new Float64Array((k + 1) ** 2);
  chances[0] = 1;
  const width = Math.min(k, length);
  for (let residue = 0; residue < width; residue++) {
    const own = countOf(k, length, residue);
    const others = ahead === undefined ? 0 : countOf(k, length, residue - ahead);
    const next = new Float64Array(chances.length);
    for (const [d, share] of occupied(own, cells, cells).entries()) {
      for (const [c, sharing] of occupied(others, cells, d).entries()) {
        const weight = share * sharing;
        if (weight === 0) continue;
        for (let entry = 0; entry < chances.length; entry++) {
          const chance = chances[entry] ?? 0;
          if (chance > 0) next[entry + d * (k + 1) + c] = (next[entry + d * (k + 1) + c] ?? 0) + weight * chance;
        }
      }
    }
    chances = next;
  }
  return chances;
}

/** How many of the positions 0 to k - 1 have a given residue of a cycle. In a long cycle it is at most one. */
function countOf(k: number, length: number, residue: number): number {
  const first = ((residue % length) + length) % length;
  return first < k ? Math.floor((k - 1 - first) / length) + 1 : 0;
}

/** Entry x: the chance that `balls` balls, each in one of `cells` cells, are in x of `marked` ones. */
function occupied(balls: number, cells: number, marked: number): number[] {
  let chances = [1];
  for (let ball = 0; ball < balls; ball++) {
    const before = chances;
    chances = Array.from(
      { length: before.length + 1 },
      (_, x) => ((before[x] ?? 0) * (cells - marked + x) + (before[x - 1] ?? 0) * (marked - x + 1)) / cells,
    );
  }
  return chances;
}
