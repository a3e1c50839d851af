// The positions of bits-and-blooms as numbers: position i is (a + i b mod 2^64) mod m. a is the first word of a digest
// for even i, and the second for odd i. b is the fourth word if i + 1 is 2 or 3 modulo 4, else the third.
//
// Positions whose numbers are equal modulo 4 have equal words a and b, and the step between them is 4 b. If 4 divides
// m, all of these positions lie in one of four classes of the bits.

import { modulo, type Next, solve } from './congruences.ts';
import { overflowOf, type Stepping } from './steps.ts';

const SUM_BITS = 64;

/** The indices of the words of position i: `beginOf` gives a, `stepOf` gives b. */
const beginOf = (i: number) => i & 1;
const stepOf = (i: number) => 2 + (((i + 1) & 2) >> 1);

/** The four words of a digest, either as remainders modulo m or as fractions of 2^64. */
const WORDS = 4;
const wordAt = (words: Float64Array, i: number) => words[i] ?? 0;

/** The stepping of k positions in m bits. */
export function alternatingSteps(bits: number, k: number): Stepping {
  const overflow = overflowOf(SUM_BITS, bits);
  const words = new Float64Array(WORDS);
  const fractions = new Float64Array(WORDS);
  const drawWords = (next: Next) => {
    for (let i = 0; i < WORDS; i++) {
      words[i] = Math.floor(next() * bits);
      fractions[i] = next();
    }
  };
  /** The loss of sum i to overflows. */
  const missing = (i: number) =>
    Math.floor(wordAt(fractions, beginOf(i)) + i * wordAt(fractions, stepOf(i))) * overflow;
  const write = (positions: Float64Array) => {
    for (let i = 0; i < k; i++)
      positions[i] = modulo(wordAt(words, beginOf(i)) + i * wordAt(words, stepOf(i)) - missing(i), bits);
  };

  /**
   * Sets b so that position `to` lies `distance` after position `from`, which has the same a. Returns the number of
   * such b.
   */
  const turn = (from: number, to: number, distance: number, next: Next): number => {
    const isSame = stepOf(from) === stepOf(to);
    const [unknown, factor, rest] = isSame
      ? [to, to - from, distance]
      : to === 0
        ? [from, -from, distance]
        : [to, to, distance + from * wordAt(words, stepOf(from))];
    const solved = solve(factor, modulo(rest, bits), bits, next);
    if (solved !== undefined) words[stepOf(unknown)] = solved.x;
    return solved?.count ?? 0;
  };

  return {
    bits,
    k,
    coordinates: 9,
    draw(next, positions) {
      drawWords(next);
      write(positions);
    },
    through(from, first, to, second, next, positions) {
      drawWords(next);
      const [sum, other] = [first + missing(from), second + missing(to)];
      const hasOne = beginOf(from) === beginOf(to);
      const count = hasOne ? turn(from, to, other - sum, next) : 1;
      words[beginOf(from)] = modulo(sum - from * wordAt(words, stepOf(from)), bits);
      if (!hasOne) words[beginOf(to)] = modulo(other - to * wordAt(words, stepOf(to)), bits);
      if (count > 0) write(positions);
      return count / bits ** 2;
    },
  };
}
