// Adds only new digests, in order, against an oracle that queries and adds one digest at a time.

import { describe, expect, test } from 'vitest';
import { createFilterInPlace, openSegments } from '../../src/engine/store/shared-segments.ts';
import type { FilterKind, Shape } from '../../src/filters/kind.ts';
import { KINDS } from '../../src/filters/registry.ts';
import { bitsOf, filterOf } from '../engine/alone.ts';
import { usedKernel } from '../kernel/kernels.ts';
import { inLongRuns } from '../long.ts';
import { below, createRandom, randomDigests } from '../reference/random.ts';
import { openVessel } from './filling.ts';

/** The kinds that add single keys to a segment. Scalable filters have separate tests. */
const SUBJECTS = KINDS.filter(({ abilities, growing }) => abilities.includes('add') && growing === undefined);

const COUNT = inLongRuns(6000, 600);

/** Digests of one segment of a filter, most of them repeated. */
function digestsIn(segment: number, segments: number): BigUint64Array {
  const random = createRandom(segments);
  const distinct = randomDigests(random, COUNT / 2).map((digest) => {
    const high = Math.ceil((segment * 2 ** 32) / segments) + below(random, Math.floor(2 ** 32 / segments) - 1);
    return (BigInt(high) << 32n) | (digest & 0xffffffffn);
  });
  return BigUint64Array.from({ length: COUNT }, () => distinct[below(random, distinct.length)] ?? 0n);
}

/** The shape of a filter for `items` keys, at a rate at which many non-members are false positives. */
function shapeFor(kind: FilterKind, items: number, segments: number): Shape {
  const plan = kind.plan({ items, fpr: 0.3 });
  if (plan === undefined) throw new Error('there is no such filter');
  const { segmentBits } = kind.geometry(plan.bits, plan.k);
  return { segments, segmentBits, bits: segments * segmentBits, k: plan.k };
}

/** Adds the digests that are new and not known to a segment of an empty filter; returns which digests are known then. */
function addNew(kind: FilterKind, shape: Shape, segment: number, digests: BigUint64Array, known: Uint8Array) {
  const kernel = usedKernel();
  const segments = openSegments(createFilterInPlace(kind, shape, 1), kernel, 0);
  const [address, knownAt] = [kernel.reserve(8 * digests.length), kernel.reserve(digests.length)];
  new BigUint64Array(kernel.memory.buffer, address, digests.length).set(digests);
  kernel.bytes(knownAt, known.length).set(known);
  const part = { address, count: digests.length, owners: 0, firstOwner: 0 };
  const { handled: taken, added } = segments.addNew(segment, part, knownAt);
  return { taken, added, known: kernel.bytes(knownAt, known.length).slice(), segments };
}

describe.each(SUBJECTS.map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
  test.each([1, 3])('in one of %i segments', (count) => {
    const segment = count - 1;
    const shape = shapeFor(kind, kind.refuses ? COUNT / 2 : COUNT / 4, count);
    const digests = digestsIn(segment, count);
    const found = addNew(kind, shape, segment, digests, new Uint8Array(digests.length));

    const vessel = openVessel(shape, filterOf(shape, undefined, 1, undefined, kind));
    const expected = digests.map((digest) => {
      const isKnown = vessel.count(BigUint64Array.of(digest));
      if (isKnown === 0) vessel.add(BigUint64Array.of(digest));
      return BigInt(isKnown);
    });
    expect([...found.known]).toEqual([...expected].map(Number));
    const news = expected.filter((isKnown) => isKnown === 0n).length;
    expect(found).toMatchObject({ taken: digests.length, added: news });
    expect(new Set(digests).size - news).toBeGreaterThan(0);
    expect(Buffer.compare(bitsOf(found.segments, shape), vessel.payload())).toBe(0);
    expect(kind.itemsFromFill(found.segments.fills(), shape)).toEqual(
      kind.itemsFromFill(vessel.segments.fills(), shape),
    );
  });

  test('known digests are skipped', () => {
    const shape = shapeFor(kind, COUNT, 1);
    const digests = digestsIn(0, 1);
    const known = Uint8Array.from(digests, (digest) => Number(digest % 2n));
    const found = addNew(kind, shape, 0, digests, known);
    const odd = new Set(digests.filter((digest) => digest % 2n === 1n));
    expect(found.known.every((byte, i) => known[i] === 0 || byte === 1)).toBe(true);
    const rest = digests.filter((digest) => !odd.has(digest));
    expect(addNew(kind, shape, 0, rest, new Uint8Array(rest.length))).toMatchObject({ added: found.added });
  });
});

describe.each(SUBJECTS.filter(({ refuses }) => refuses).map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
  test('ends before the first digest without a slot', () => {
    const shape = shapeFor(kind, 100, 1);
    const digests = randomDigests(createRandom(1), 5000);
    const { taken, added, known } = addNew(kind, shape, 0, digests, new Uint8Array(digests.length));
    expect(taken).toBeLessThan(digests.length);
    expect(added).toBeGreaterThan(100);
    expect(known[taken]).toBe(0);
    expect(added).toBe(known.subarray(0, taken).filter((byte) => byte === 0).length);
  });
});
