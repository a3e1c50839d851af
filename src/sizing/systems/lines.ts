import { steppedRate } from '../stepped.ts';
import type { Steps } from '../steps.ts';

/** The sum ends at a term below this share of it. */
const NEGLIGIBLE = 1e-17;

/** Above this number of keys per line, almost surely all bits of the line are set. */
const FULL_LOAD = 2000;

/**
 * The expected rate of n keys in lines of `bits` bits. A key has its k bits in one line (Putze, Sanders & Singler
 * 2007). The rate is the sum over i of P(a line has i keys) (1 - (1 - 1/bits)^(k i))^k. The number of keys in a line is
 * binomial with n and 1/lines. If the positions are steps, `steppedRate` gives the rate of i keys.
 */
export function lineRate(items: number, lines: number, bits: number, k: number, steps?: Steps): number {
  const rateOf = (keys: number) =>
    steps === undefined ? (-Math.expm1(k * keys * Math.log1p(-1 / bits))) ** k : steppedRate(keys, bits, k, steps);
  const load = items / lines;
  if (lines <= 1 || load > FULL_LOAD) return rateOf(load);
  let chance = Math.exp(items * Math.log1p(-1 / lines));
  let sum = 0;
  for (let keys = 0; keys <= items; keys++) {
    const term = chance * rateOf(keys);
    sum += term;
    if (keys > load && term < NEGLIGIBLE * sum) break;
    chance *= (items - keys) / (keys + 1) / (lines - 1);
  }
  return Math.min(1, sum);
}
