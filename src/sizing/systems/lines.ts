import { steppedRate } from '../stepped.ts';
import type { Steps } from '../steps.ts';

/** A load beyond which nothing is left of a term. */
const NEGLIGIBLE = 1e-17;

/** With more keys a line than this its bits are all ones but for a chance that does not matter. */
const FULL_LOAD = 2000;

/**
 * The expected rate of n keys in filters of some bits each, in one of which a key has its k bits (Putze, Sanders & Singler 2007):
 * the sum over i of P(one has i keys) (1 - (1 - 1/bits)^(k i))^k, the keys of one being binomial with n and 1/lines. If the positions
 * are steps, the rate of i keys is that of `steppedRate`.
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
