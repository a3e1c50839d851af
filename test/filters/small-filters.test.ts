// Filters of few keys, many of each kind together: what one of them errs by chance, or by a flaw, adds up.

import { expect, test } from 'vitest';
import type { FilterKind } from '../../src/filters/kind.ts';
import { KINDS } from '../../src/filters/registry.ts';
import { filterOf } from '../engine/alone.ts';
import { inLongRuns } from '../long.ts';
import { createRandom, randomDigests } from '../reference/random.ts';
import { openVessel } from './filling.ts';

/** Non-members of each filter, and false positives that are expected of all filters of a size together. */
const NON_MEMBERS = inLongRuns(20_000, 5000);
const EXPECTED = inLongRuns(4000, 400);
const MOST = inLongRuns(1_000_000, 100_000);
const SIZES = inLongRuns([2, 10, 30, 100, 300, 1000, 10_000], [10, 300]);
const RATES = inLongRuns([0.1, 0.01, 0.001], [0.01]);

/** Filters of a size at the least: their spread is estimated from them. */
const FILTERS = 20;

/** Standard errors that what is measured is never away by chance, in some hundred comparisons. */
const FAR = 4.5;

/** The largest share by which the prediction is wrong before a key is in, besides the luck of the filters that were made. */
const APPROXIMATION = 0.02;

/** A filter for some keys at a rate, with these keys in it. */
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
