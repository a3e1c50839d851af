// The first trial to make a segment can fail. Further trials follow, and no key is lost.

import { expect, test } from 'vitest';
import type { Shape } from '../../src/filters/kind.ts';
import { KINDS } from '../../src/filters/registry.ts';
import { greatestThat } from '../../src/sizing/search.ts';
import { filterOf } from '../engine/alone.ts';
import { createRandom, randomDigests } from '../reference/random.ts';
import { trialOf } from '../reference/static.ts';
import { openVessel } from './filling.ts';

const TRIED = KINDS.filter(({ isSegment }) => isSegment !== undefined);

/** Keys whose highest 40 bits, which this segment keeps, become equal when they are mixed. */
const TWINS = [0x8c472fd78a000000n, 0xeae503f008000000n];

test.each(TRIED)('a $name filter with the most possible keys has all of them, after any number of trials', (kind) => {
  const segmentBits = 2 ** 18;
  const shape: Shape = { segments: 1, segmentBits, bits: segmentBits, k: 2 };
  const most = greatestThat((items) => kind.predictedRate(items, shape) < 1);
  const random = createRandom(7);
  let trials = 0;
  for (let round = 0; round < 30 && trials === 0; round++) {
    const digests = new BigUint64Array([...TWINS, ...randomDigests(random, most - TWINS.length)]);
    const vessel = openVessel(shape, filterOf(shape, undefined, 1, undefined, kind));
    vessel.add(digests);
    expect(vessel.count(digests)).toBe(most);
    ({ trials } = trialOf(vessel.payload()));
  }
  expect(trials).toBeGreaterThan(0);
});
