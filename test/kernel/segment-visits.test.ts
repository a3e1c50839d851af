// Digests wait in buckets until a visit of their segment. Each digest must be in exactly one visit, with its owner.

import { describe, expect, test } from 'vitest';
import { type Digests, VISIT_LIMIT } from '../../src/engine/input/digests.ts';
import { createSegmentVisits } from '../../src/engine/store/segment-visits.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { allOf } from '../../src/sizing/share.ts';
import { inLongRuns } from '../long.ts';
import { probesOfDigest } from '../reference/bloom-bits.ts';
import { below, createRandom, type Random, randomDigests } from '../reference/random.ts';

const SHAPE = { segmentBits: 512, k: 1 };

interface Owned {
  readonly digest: bigint;
  readonly owner: number;
}

/** Digests in batches. Their owners are separate numbers, or the indices of the digests. */
interface Handover {
  readonly batches: readonly BigUint64Array[];
  readonly ownNumbers: boolean;
}

/** Separate owner numbers are neither unique nor in order. */
function ownerOf(place: number, { ownNumbers }: Handover): number {
  return ownNumbers ? (place * 7919) % 1000 : place;
}

/** All digests of the batches with their owners. */
function handedOver(handover: Handover): Owned[] {
  return handover.batches
    .flatMap((batch) => [...batch])
    .map((digest, place) => ({ digest, owner: ownerOf(place, handover) }));
}

/** The digests and owners of each visit, after all batches; the last batch is taken as the last. */
function visitsOf(handover: Handover, segments: number, limit?: number): Owned[][] {
  const { batches, ownNumbers } = handover;
  const kernel = loadKernel();
  const digestsAt = kernel.reserve(8 * VISIT_LIMIT);
  const ownersAt = kernel.reserve(4 * VISIT_LIMIT);
  const visited: Owned[][] = [];
  const visit = (segment: number, { address, count, owners, firstOwner }: Digests) => {
    const numbers = new Uint32Array(kernel.memory.buffer, owners, count);
    const values = new BigUint64Array(kernel.memory.buffer, address, count);
    const homes = new Set(Array.from(values, (digest) => probesOfDigest(digest, { ...SHAPE, segments }).segment));
    if (homes.size !== 1 || !homes.has(segment)) throw new Error(`segment ${segment} was visited for ${[...homes]}`);
    visited.push(
      Array.from(values, (digest, i) => ({ digest, owner: owners === 0 ? firstOwner + i : (numbers[i] ?? -1) })),
    );
  };
  const visits = createSegmentVisits(kernel, allOf(segments), true, visit, { limit });
  let place = 0;
  for (const batch of batches) {
    const first = place;
    new BigUint64Array(kernel.memory.buffer, digestsAt, batch.length).set(batch);
    new Uint32Array(kernel.memory.buffer, ownersAt, batch.length).set(
      Uint32Array.from(batch, (_, i) => ownerOf(first + i, handover)),
    );
    const take = batch === batches.at(-1) ? visits.takeLast : visits.take;
    take({ address: digestsAt, count: batch.length, owners: ownNumbers ? ownersAt : 0, firstOwner: first });
    place += batch.length;
  }
  return visited;
}

function randomBatches(random: Random): BigUint64Array[] {
  const extremes = BigUint64Array.of(0n, 2n ** 64n - 1n, 2n ** 32n - 1n, 2n ** 63n);
  const sizes = Array.from({ length: inLongRuns(6, 1) }, () => below(random, VISIT_LIMIT));
  return [extremes, ...sizes.map((size) => randomDigests(random, size))];
}

const sorted = (list: readonly Owned[]) =>
  list
    .map(({ digest, owner }) => `${digest} of ${owner}`)
    .sort()
    .join();

describe.each(inLongRuns([1, 2, 3, 7, 600, 20_000], [1, 3, 600, 20_000]))('%d segments', (segments) => {
  test.each([true, false])('each digest is visited once, with its owner (numbers of their own: %s)', (ownNumbers) => {
    const handover = { batches: randomBatches(createRandom(segments)), ownNumbers };
    expect(sorted(visitsOf(handover, segments).flat())).toBe(sorted(handedOver(handover)));
  });

  test('a single digest does not wait for ever', () => {
    const handover = { batches: [BigUint64Array.of(2n ** 64n - 1n)], ownNumbers: false };
    expect(visitsOf(handover, segments).flat()).toEqual([{ digest: 2n ** 64n - 1n, owner: 0 }]);
  });
});

test('if no digest may wait, each is visited at once', () => {
  const handover = { batches: [randomDigests(createRandom(1), 1000)], ownNumbers: false };
  const visited = visitsOf(handover, 3, 0);
  expect(visited.map(({ length }) => length)).toEqual(Array(1000).fill(1));
  expect(sorted(visited.flat())).toBe(sorted(handedOver(handover)));
});

test('a visit never has more digests than its limit, however many wait', () => {
  const random = createRandom(3);
  const batches = Array.from({ length: inLongRuns(4, 2) }, () => randomDigests(random, VISIT_LIMIT));
  const visited = visitsOf({ batches, ownNumbers: false }, 2, 2 ** 20);
  expect(Math.max(...visited.map(({ length }) => length))).toBeLessThanOrEqual(VISIT_LIMIT);
});
