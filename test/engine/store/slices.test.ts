// Filters that grow, whose slices lie in several memories or mostly still in their file.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WHOLE_RECORD } from '../../../src/engine/input/record-keys.ts';
import { columnsOf } from '../../../src/engine/store/columns.ts';
import { STATE } from '../../../src/engine/store/paged-memory.ts';
import { createPayload } from '../../../src/engine/store/payload.ts';
import type { SharedSegments } from '../../../src/engine/store/shared-segments.ts';
import type { FilterKind, Shape } from '../../../src/filters/kind.ts';
import { scalable as kindThatGrows } from '../../../src/filters/scalable.ts';
import { descriptionOf } from '../../../src/formats/bloomery/bloomery.ts';
import { writeFilter } from '../../../src/formats/write.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { digestsOf, headerOf, keysNamed, linesOf, openVessel, packedFills, RULES } from '../../filters/filling.ts';
import { writeNewFile } from '../../new-file.ts';
import { alone, bitsOf, filterOf, strict } from '../alone.ts';
import { buildWithShape, suppliedBy } from '../building.ts';
import { loadFilter } from '../loading.ts';

const scalable: FilterKind = kindThatGrows;
const SEGMENT_BITS = 2 ** 16;
const KEYS = keysNamed('member', 60_000);

const SLICES = [1, 2, 4, 8].map((segments, i) => ({ segments, k: 9 + i }));
const FIRST: Shape = {
  ...{ segments: 1, segmentBits: SEGMENT_BITS, bits: SEGMENT_BITS, k: 9 },
  chain: { fpr: 0.01, growth: 2, tightening: 0.85, slices: SLICES.slice(0, 1) },
};

let folder = '';
let members: BigUint64Array = new BigUint64Array();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bloom-slices-'));
  members = await digestsOf(linesOf(KEYS));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A limit for memories that hold this many segments besides the data of a thread. */
function limitFor(segments: number): number {
  for (let limit = 2 ** 17; ; limit += SEGMENT_BITS / 8) {
    try {
      const shape = { ...FIRST, segments: 64, bits: 64 * SEGMENT_BITS };
      if (createPayload(shape, 1, limit).piecesEach === segments) return limit;
    } catch {}
  }
}

async function grown(existing?: SharedSegments) {
  const input = join(folder, 'keys');
  writeNewFile(input, linesOf(KEYS));
  const selection = { nullTerminated: false, keys: WHOLE_RECORD };
  const request = { ...alone(), kind: scalable, inputs: [input], selection, rules: RULES, observer: strict };
  return buildWithShape(request, existing?.payload.shape ?? FIRST, existing);
}

test('slices in several memories give the same answers as in one', async () => {
  const { shape, segments } = await grown();
  const nonMembers = await digestsOf(linesOf(keysNamed('stranger', 100_000)));
  const whole = openVessel(shape, filterOf(shape, bitsOf(segments, shape), 1, undefined, scalable));
  const filter = filterOf(shape, bitsOf(segments, shape), 1, limitFor(4), scalable);
  expect(filter.payload.memories.length).toBe(Math.ceil(shape.segments / 4));
  const divided = openVessel(shape, filter);
  expect(divided.count(members)).toBe(members.length);
  expect(whole.count(members)).toBe(members.length);
  expect(divided.count(nonMembers)).toBe(whole.count(nonMembers));
});

test('a filter in several memories grows by more of them', async () => {
  const shape: Shape = {
    ...{ segments: 3, segmentBits: SEGMENT_BITS, bits: 3 * SEGMENT_BITS, k: 9 },
    chain: { fpr: 0.01, growth: 2, tightening: 0.85, slices: SLICES.slice(0, 2) },
  };
  const begun = filterOf(shape, undefined, 1, limitFor(2), scalable);
  expect(begun.payload.memories.length).toBe(2);
  const { filter, shape: longer, segments } = await grown(begun);
  expect(longer.chain?.slices.length).toBeGreaterThan(2);
  expect(filter.payload.memories.length).toBe(Math.ceil(longer.segments / 2));
  expect(openVessel(longer, filter).count(members)).toBe(members.length);
  expect(scalable.rateFromFill(segments.fills(), longer)).toBeLessThan(0.01);
  // The first slice is empty; keys are added only to the last slice.
  expect(packedFills(scalable, segments).map((ones) => ones > 0)).toEqual([
    false,
    ...Array.from({ length: longer.segments - 1 }, () => true),
  ]);
});

test('a query of one key reads one segment of each slice from a file, and a query of many keys reads all', async () => {
  const { shape, segments } = await grown();
  const name = join(folder, 'grown.bloom');
  const header = { ...headerOf(shape, KEYS.length, scalable.id), targetFpr: 0.01 };
  const supply = suppliedBy(segments, segments.fills());
  await writeFilter({ name, replace: true }, loadKernel(), descriptionOf(header, name), supply);
  const loaded = await loadFilter(loadKernel(), name, 1, 'query');
  const { payload } = loaded.store;
  expect(columnsOf(payload)).toBeLessThan(shape.chain?.slices.at(-1)?.segments ?? 0);
  const read = () => payload.states.filter((state) => state === STATE.present).length;
  expect(openVessel(shape, loaded.store).count(members.subarray(0, 1))).toBe(1);
  expect(read()).toBe(shape.chain?.slices.length);
  expect(openVessel(shape, loaded.store).count(members)).toBe(members.length);
  expect(read()).toBe(shape.segments);
  loaded.close();
});
