// Filters with sizes around powers of two and around another segment.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parametersFor } from '../../src/engine/filter-parameters.ts';
import { NO_DIGESTS, VISIT_LIMIT } from '../../src/engine/input/digests.ts';
import { createGrowth } from '../../src/engine/store/growth.ts';
import { openSegments, type SharedSegments } from '../../src/engine/store/shared-segments.ts';
import type { FilterKind } from '../../src/filters/kind.ts';
import { KINDS } from '../../src/filters/registry.ts';
import { descriptionOf } from '../../src/formats/bloomery/bloomery.ts';
import { writeFilter } from '../../src/formats/write.ts';
import { GROWTHS } from '../../src/sizing/chain.ts';
import { leastThat } from '../../src/sizing/search.ts';
import { filterOf } from '../engine/alone.ts';
import { suppliedBy } from '../engine/building.ts';
import { loadFilter } from '../engine/loading.ts';
import { usedKernel } from '../kernel/kernels.ts';
import { inLongRuns } from '../long.ts';
import { below, createRandom, type Random, randomDigests } from '../reference/random.ts';
import { headerOf, openVessel } from './filling.ts';

const NON_MEMBERS = inLongRuns(100_000, 20_000);
const MOST = inLongRuns(200_000, 10_000);
const CASES = inLongRuns(60, 3);
const RATES = [0.01, 0.5, 1e-6];

/** No measurement is this many standard errors away by chance, in thousands of cases. */
const FAR = 5;

/**
 * The relative standard error of one filter's own rate, times the square root of its number of keys. In a cuckoo filter with
 * B buckets, a key has one bucket instead of two with a chance of 1/B. At these rates B is at least 28, which gives
 * sqrt(1/B (1 - 1/B)) / (2 - 1/B) = 0.094.
 */
const OWN_ERRORS: Readonly<Record<string, number>> = { cuckoo: 0.1 };

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bloom-boundaries-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A number of keys at which a filter of the kind gets one more segment. */
function boundary(random: Random, kind: FilterKind, fpr: number): number {
  const segments = 2 + below(random, 12);
  return leastThat((items) => (kind.plan({ items, fpr })?.bits ?? 0) > (segments - 1) * 2 ** 22);
}

/** A number of keys around a power of two or around another segment. */
function itemsOf(random: Random, kind: FilterKind, fpr: number): number {
  const power = 2 ** below(random, Math.floor(Math.log2(MOST)) + 1);
  const near = random() % 2 === 0 ? power : Math.min(MOST, boundary(random, kind, fpr));
  return Math.max(1, near + below(random, 5) - 2);
}

/** A filter with these keys. A scalable filter gets them as `build` adds them. */
function filled(
  kind: FilterKind,
  keys: BigUint64Array,
  constraints: { items: number; fpr: number; growth?: number | undefined },
) {
  const plan = kind.plan(constraints);
  if (plan === undefined) throw new Error('n and p suffice');
  const { shape } = parametersFor(kind, plan, constraints);
  const begun = filterOf(shape, undefined, 1, undefined, kind);
  const filter = kind.growing === undefined ? begun : grown(begun, keys);
  const vessel = openVessel(filter.payload.shape, filter);
  if (kind.growing === undefined) vessel.add(keys);
  return { vessel, filter, shape: filter.payload.shape };
}

function grown(begun: SharedSegments, keys: BigUint64Array): SharedSegments {
  const kernel = usedKernel();
  const growth = createGrowth(kernel, begun, {});
  const address = kernel.reserve(8 * VISIT_LIMIT);
  for (let start = 0; start < keys.length; start += VISIT_LIMIT) {
    const part = keys.subarray(start, start + VISIT_LIMIT);
    new BigUint64Array(kernel.memory.buffer, address, part.length).set(part);
    growth.take({ ...NO_DIGESTS, address, count: part.length });
  }
  growth.takeLast(NO_DIGESTS);
  return growth.filter();
}

test.each(KINDS)(
  '$name filters around powers of two and numbers of segments have their keys and their rate',
  async (kind) => {
    const random = createRandom(kind.id);
    for (let i = 0; i < CASES; i++) {
      const fpr = RATES[i % RATES.length] ?? 0.01;
      const items = itemsOf(random, kind, fpr);
      const growth = kind.growing === undefined ? {} : { growth: GROWTHS[i % GROWTHS.length] };
      // A scalable filter gets more keys than its size is for.
      const keys = randomDigests(random, kind.growing === undefined ? items : Math.ceil(items * (1 + (i % 4) / 2)));
      const { vessel, filter, shape } = filled(kind, keys, { items, fpr, ...growth });
      expect(vessel.count(keys)).toBe(keys.length);

      const name = join(folder, 'filter');
      const header = { ...headerOf(shape, keys.length, kind.id), targetFpr: fpr };
      const supply = suppliedBy(vessel.segments, vessel.segments.fills());
      await writeFilter({ name, replace: true }, usedKernel(), descriptionOf(header, name), supply);
      const loaded = await loadFilter(usedKernel(), name, 1, 'query');
      expect(openVessel(shape, loaded.store).count(keys)).toBe(keys.length);
      loaded.close();

      const rate = kind.rateFromFill(openSegments(filter, usedKernel(), 0).fills(), shape);
      const found = vessel.count(randomDigests(random, NON_MEMBERS));
      const ownError = (OWN_ERRORS[kind.name] ?? 0) * NON_MEMBERS * (rate / Math.sqrt(items));
      const error = Math.hypot(Math.sqrt(NON_MEMBERS * rate * (1 - rate)), ownError);
      expect(Math.abs(found - NON_MEMBERS * rate)).toBeLessThan(FAR * error + 3);
      if (kind.growing !== undefined) expect(rate).toBeLessThan(fpr);
    }
  },
);
