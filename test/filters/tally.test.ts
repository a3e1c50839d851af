// Kinds that count what they add know the fill of their segments without reading them.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FilterKind, Shape } from '../../src/filters/kind.ts';
import { KINDS } from '../../src/filters/registry.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { filterOf } from '../engine/alone.ts';
import { openedFilter } from '../formats/bloomery/opened.ts';
import { fileOf } from '../reference/bloom-file.ts';
import { oracleOf } from '../reference/kinds.ts';
import { partsOf } from '../reference/places.ts';
import { digestsOf, headerOf, keysNamed, linesOf, openVessel, packedFills } from './filling.ts';

const KEYS = keysNamed('key', 400);
const FEW = 100;

/** The cases have the values of k that the kernel treats differently. */
const CASES = KINDS.filter(({ tallyBytes }) => tallyBytes !== undefined).flatMap((kind) =>
  [10, 15, 16, 17, 32].map((k): [string, FilterKind, Shape] => {
    const segmentBits = 512 * Math.ceil((1000 * k) / 512);
    return [`${kind.name}, k = ${k}`, kind, { segments: 3, segmentBits, bits: 3 * segmentBits, k }];
  }),
);

let folder = '';
let digests: BigUint64Array = new BigUint64Array();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bloom-tally-'));
  digests = await digestsOf(linesOf(KEYS));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(CASES)('%s', (_, kind, shape) => {
  const fillsOf = (payload: Uint8Array) =>
    partsOf(payload, shape).map((segment) => Number(oracleOf(kind.id).fillOf(segment, shape)));
  const added = () => {
    const vessel = openVessel(shape, filterOf(shape, undefined, 1, undefined, kind));
    vessel.add(digests);
    // Adds some digests twice, and some so often that they are not added again.
    for (let times = 0; times < 4; times++) vessel.add(digests.slice(0, FEW));
    vessel.add(digests.slice(FEW, 2 * FEW));
    return vessel;
  };

  test('keys that are added, also again, are counted', () => {
    const vessel = added();
    const fills = fillsOf(vessel.payload());
    expect(packedFills(kind, vessel.segments)).toEqual(fills);
    // The fill is the count: it stays the same if the segments change.
    for (let segment = 0; segment < shape.segments; segment++) {
      const { kernel, address } = vessel.segments.find(segment);
      kernel.exports.clear(address, shape.segmentBits / 8);
    }
    expect(packedFills(kind, vessel.segments)).toEqual(fills);
  });

  test('a filter without keys is empty', () => {
    const vessel = openVessel(shape, filterOf(shape, undefined, 1, undefined, kind));
    expect(packedFills(kind, vessel.segments)).toEqual([0, 0, 0]);
  });

  test('removed keys, and keys added later, are counted', () => {
    const vessel = added();
    vessel.remove(digests.slice(FEW / 2, 3 * FEW));
    expect(packedFills(kind, vessel.segments)).toEqual(fillsOf(vessel.payload()));
    vessel.add(digests.slice(0, FEW));
    expect(packedFills(kind, vessel.segments)).toEqual(fillsOf(vessel.payload()));
  });

  test('the keys of a file and the added keys are counted', async () => {
    const file = join(folder, 'filter.bloom');
    writeFileSync(file, fileOf({ ...headerOf(shape, KEYS.length, kind.id), payload: added().payload() }));
    const loaded = await openedFilter(loadKernel(), file);
    const vessel = openVessel(shape, loaded.store);
    vessel.add(digests.slice(0, 2 * FEW));
    expect(packedFills(kind, vessel.segments)).toEqual(fillsOf(vessel.payload()));
    loaded.close();
  });

  test('a segment that refused keys counts its own keys', () => {
    const vessel = openVessel(shape, filterOf(shape, undefined, 1, undefined, kind));
    const many = BigUint64Array.from({ length: 4000 }, (_, i) => (digests[i % 400] ?? 0n) * BigInt(2 * i + 1));
    expect(() => vessel.add(many)).toThrow(expect.objectContaining({ code: 'capacity' }));
    expect(packedFills(kind, vessel.segments)).toEqual(fillsOf(vessel.payload()));
  });
});
