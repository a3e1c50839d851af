// Many filters with few keys, of each kind. Together they show errors that one filter alone cannot show.

import { expect, test } from 'vitest';
import type { FilterKind } from '../../src/filters/kind.ts';
import { KINDS } from '../../src/filters/registry.ts';
import { filterOf } from '../engine/alone.ts';
import { inLongRuns } from '../long.ts';
import { createRandom, randomDigests } from '../reference/random.ts';
import { openVessel } from './filling.ts';

/** The non-members for each filter, and the expected false positives of all filters of one size. */
const NON_MEMBERS = inLongRuns(20_000, 5000);
const EXPECTED = inLongRuns(4000, 400);
const MOST = inLongRuns(1_000_000, 100_000);
const SIZES = inLongRuns([2, 10, 30, 100, 300, 1000, 10_000], [10, 300]);
const RATES = inLongRuns([0.1, 0.01, 0.001], [0.01]);

/** The least number of filters of one size. Their spread is estimated from them. */
const FILTERS = 20;

/** No measurement is this many standard errors away by chance, in about a hundred comparisons. */
const FAR = 4.5;

/** The largest relative error of a prediction, apart from the chance in the filters of the test. */
const APPROXIMATION = 0.02;

/** A filter that is sized for these keys, and contains them. */
function filled(kind: FilterKind, fpr: number, keys: BigUint64Array) {
  const plan = kind.plan({ items: keys.length, fpr });
  if (plan === undefined) throw new Error('n and p suffice');
  const shape = { ...kind.geometry(plan.bits, plan.k), k: plan.k };
  const vessel = openVessel(shape, filterOf(shape, undefined, 1, undefined, kind));
  vessel.add(keys);
  return { vessel, shape };
}

const CASES = KINDS.filter((kind) => kind.growing === undefined).flatMap((kind) =>
  RATES.flatMap((fpr) => SIZES.map((items) => [kind.name, fpr, items, kind] as const)),
);

test.each(CASES)('%s filters at %d, of %d keys each, err as often as predicted', (_, fpr, items, kind) => {
  const random = createRandom(items);
  let [positives, implied, predicted, variance] = [0, 0, 0, 0];
  const rates: number[] = [];
  for (let asked = 0; rates.length < FILTERS || (asked < MOST && implied < EXPECTED); asked += NON_MEMBERS) {
    const keys = randomDigests(random, items);
    const { vessel, shape } = filled(kind, fpr, keys);
    expect(vessel.count(keys)).toBe(items);
    const rate = kind.rateFromFill(vessel.segments.fills(), shape);
    rates.push(rate);
    positives += vessel.count(randomDigests(random, NON_MEMBERS));
    implied += NON_MEMBERS * rate;
    predicted += NON_MEMBERS * kind.predictedRate(items, shape);
    variance += NON_MEMBERS * rate * (1 - rate);
  }
  expect(Math.abs(positives - implied)).toBeLessThan(FAR * Math.sqrt(variance) + 3);
  const mean = implied / NON_MEMBERS / rates.length;
  const spread = Math.sqrt(rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0)) / rates.length;
  expect(Math.abs(predicted / implied - 1)).toBeLessThan(APPROXIMATION + (FAR * spread) / mean);
});
