// The measured rates of all kinds except `bloom`. They must be within the 99.9 % interval around the rate of the payload, and
// close to the predicted rate.

import { beforeAll, describe, expect, test } from 'vitest';
import { blocked } from '../../src/filters/blocked.ts';
import { bloom } from '../../src/filters/bloom.ts';
import type { FilterKind, Shape } from '../../src/filters/kind.ts';
import { KINDS as ALL_KINDS } from '../../src/filters/registry.ts';
import { HASH_NAMES } from '../../src/hashes/registry.ts';
import { filterOf } from '../engine/alone.ts';
import { IS_LONG, inLongRuns } from '../long.ts';
import { oracleOf } from '../reference/kinds.ts';
import { digestsOf, keysNamed, linesOf, openVessel } from './filling.ts';

const NON_MEMBERS = inLongRuns(1_000_000, 40_000);
/** Enough keys for several segments. */
const MANY = inLongRuns(1_000_003, 100_003);
const Z999 = 3.29;

let members: BigUint64Array = new BigUint64Array();
let nonMembers: BigUint64Array = new BigUint64Array();
beforeAll(async () => {
  members = await digestsOf(linesOf(keysNamed('member', MANY)));
  nonMembers = await digestsOf(linesOf(keysNamed('stranger', NON_MEMBERS)));
});

/** The kinds that are not scalable. The rate of `bloom` has a separate test. */
const KINDS = ALL_KINDS.filter((kind) => kind.growing === undefined && kind !== bloom);

const impliedBy = (kind: FilterKind, payload: Uint8Array, shape: Shape, items: number) =>
  oracleOf(kind.id).impliedRate?.(payload, shape, items) ?? Number.NaN;

const CASES = KINDS.flatMap((kind) =>
  [0.1, 0.01, 0.001, 1e-5].flatMap((fpr) =>
    // Only long runs have many keys at all rates: such a case takes a second.
    [10_009, ...(IS_LONG || fpr === 0.01 ? [MANY] : [])].map((items) => [kind.name, fpr, items, kind] as const),
  ),
);

/** A filter of a kind with the first `items` members. */
function filled(kind: FilterKind, items: number, fpr: number, keys = members.subarray(0, items)) {
  const plan = kind.plan({ items, fpr });
  if (plan === undefined) throw new Error('n and p suffice');
  const shape = { ...kind.geometry(plan.bits, plan.k), k: plan.k };
  const vessel = openVessel(shape, filterOf(shape, undefined, 1, undefined, kind));
  vessel.add(keys);
  return { vessel, shape };
}

test.each([
  [40, 0.01],
  [500, 0.01],
  [500, 0.1],
])('of a blocked filter with %d keys at %d follows from its bits', (items, fpr) => {
  for (const first of inLongRuns([0, 1000, 2000, 3000], [0, 1000])) {
    const kind: FilterKind = blocked;
    const { vessel, shape } = filled(kind, items, fpr, members.subarray(first, first + items));
    const stated = kind.rateFromFill(vessel.segments.fills(), shape);
    expect(Math.abs(stated / impliedBy(kind, vessel.payload(), shape, items) - 1)).toBeLessThan(2 ** -12);
    const interval = Z999 * Math.sqrt((stated * (1 - stated)) / NON_MEMBERS);
    expect(Math.abs(vessel.count(nonMembers) / NON_MEMBERS - stated)).toBeLessThanOrEqual(interval);
  }
});

describe.each(HASH_NAMES)('with %s', (hash) => {
  // The default run has all kinds with murmur3, whose digest of the empty key would be 0, and all hashes with one kind.
  const kinds = [bloom, ...KINDS].filter((kind) => IS_LONG || hash === 'murmur3' || kind === bloom);
  test.each(kinds.map((kind) => [kind.name, kind] as const))(
    'the empty key is an ordinary non-member of a %s filter',
    async (_, kind) => {
      const rules = { hash, seed: 0n, ignoreCase: false, trim: false };
      const [empty, keys] = [
        await digestsOf(linesOf(['']), rules),
        await digestsOf(linesOf(keysNamed('x', 3_000)), rules),
      ];
      let hits = 0;
      for (let first = 0; first < keys.length; first += 50) {
        hits += filled(kind, 50, 0.01, keys.subarray(first, first + 50)).vessel.count(empty);
      }
      // There are 60 filters. 0.6 hits are expected, and more than 6 occur 3 times in 10^6.
      expect(hits).toBeLessThan(7);
      const { vessel } = filled(kind, 50, 0.01, BigUint64Array.of(...empty, ...keys.subarray(0, 49)));
      expect(vessel.count(empty)).toBe(1);
    },
  );
});

describe('of a filter with as many keys as it was sized for', () => {
  test.each(CASES)('%s at %d with %d keys', (_, fpr, items, kind) => {
    const { vessel, shape } = filled(kind, items, fpr);
    expect(vessel.count(members.subarray(0, items))).toBe(items);

    const implied = impliedBy(kind, vessel.payload(), shape, items);
    const interval = Z999 * Math.sqrt((implied * (1 - implied)) / NON_MEMBERS);
    expect(Math.abs(vessel.count(nonMembers) / NON_MEMBERS - implied)).toBeLessThanOrEqual(interval);

    // Blocks differ by chance. With ten thousand keys in about 700 blocks, the standard error of the rate is 6 % at 0.1 %.
    const luck = items === MANY ? 0.02 : 0.2;
    expect(Math.abs(kind.predictedRate(items, shape) / implied - 1)).toBeLessThan(luck);
    const fill = vessel.segments.fills();
    expect(Math.abs(kind.rateFromFill(fill, shape) / implied - 1)).toBeLessThan(luck);
    const estimate = kind.itemsFromFill(fill, shape);
    expect(Math.abs(estimate.count - items)).toBeLessThanOrEqual(4 * estimate.error);
    expect(implied).toBeLessThan((1.02 + luck) * fpr);
  });
});
