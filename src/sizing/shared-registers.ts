// The errors of HyperLogLog estimates of sets that share keys.
//
// A key raises one of m registers to its rank, which is above k with the chance 2^-k. If the number of keys per register is
// Poisson with the mean x, a register is at most k with the chance e^(-x 2^-k). So the estimate of Ertl 2017 has nearly the error
// of maximum likelihood: it differs from the number of keys by the mean of the scores of the registers, relative to their Fisher
// information. Two sets with the loads x and y, of which s is that of their common keys, have registers of at most k and l with
// the chance e^(-(x - s) 2^-k - (y - s) 2^-l - s 2^-min(k, l)), which gives the covariance of their scores. The variance of the
// common keys themselves, which are not random, is subtracted.

import type { Covariances } from './overlap.ts';

/** A rank that is this much above the usual ones occurs in one of 2^24 registers, and all above it count as one. */
const RANKS_ABOVE = 24;

/** Per rank: the derivative of the logarithm of its chance by the load. */
interface Scores {
  readonly scores: Float64Array;
  readonly information: number;
}

function scoresOf(load: number): Scores {
  const scores = new Float64Array(Math.ceil(Math.log2(load + 1)) + RANKS_ABOVE);
  let information = 0;
  let [chanceBelow, slopeBelow] = [0, 0];
  for (let rank = 0; rank < scores.length; rank++) {
    const power = 2 ** -rank;
    const chance = Math.exp(-load * power);
    const slope = -power * chance;
    if (chance > chanceBelow) {
      const score = (slope - slopeBelow) / (chance - chanceBelow);
      scores[rank] = score;
      information += (slope - slopeBelow) * score;
    }
    [chanceBelow, slopeBelow] = [chance, slope];
  }
  return { scores, information };
}

/**
 * The expected product of the scores of two sets of loads `x` and `y` with common keys of load `common`. Summed by parts, it
 * is the sum of F(k, l) times the steps of both scores, where F(k, l) is the chance of registers up to k and l. It falls
 * into factors of k, of l and of the lower of both.
 */
function productOfScores(x: number, ofX: Scores, y: number, ofY: Scores, common: number): number {
  let [sum, aboveX, aboveY] = [0, 0, 0];
  for (let rank = Math.max(ofX.scores.length, ofY.scores.length) - 1; rank >= 0; rank--) {
    const power = 2 ** -rank;
    const ownX = Math.exp(-(x - common) * power) * stepAt(ofX, rank);
    const ownY = Math.exp(-(y - common) * power) * stepAt(ofY, rank);
    sum += Math.exp(-common * power) * (ownX * (ownY + aboveY) + ownY * aboveX);
    aboveX += ownX;
    aboveY += ownY;
  }
  return sum;
}

function stepAt({ scores }: Scores, rank: number): number {
  return (scores[rank] ?? 0) - (scores[rank + 1] ?? 0);
}

/** The covariances of estimates from so many registers. */
export function covariancesOfRegisters(registers: number) {
  const variance = (load: number, { information }: Scores) => registers * Math.max(0, 1 / information - load);
  const covariance = (x: number, ofX: Scores, y: number, ofY: Scores, common: number) => {
    const product = productOfScores(x, ofX, y, ofY, common);
    return registers * (product / (ofX.information * ofY.information) - common);
  };
  return (keysOfA: number, keysOfB: number, keysInBoth: number): Covariances => {
    const [a = 0, b = 0, both = 0] = [keysOfA, keysOfB, keysInBoth].map((keys) => keys / registers);
    if (a === 0 || b === 0) {
      const error = variance(a + b, scoresOf(a + b));
      return { a: a && error, b: b && error, union: error, ab: 0, aUnion: a && error, bUnion: b && error };
    }
    const union = a + b - both;
    const [ofA, ofB, ofUnion] = [scoresOf(a), scoresOf(b), scoresOf(union)];
    return {
      a: variance(a, ofA),
      b: variance(b, ofB),
      union: variance(union, ofUnion),
      ab: covariance(a, ofA, b, ofB, both),
      aUnion: covariance(a, ofA, union, ofUnion, a),
      bUnion: covariance(b, ofB, union, ofUnion, b),
    };
  };
}
