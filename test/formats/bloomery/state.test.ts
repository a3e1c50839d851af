// State files with several filters. The oracle writes the same bytes; a reader accepts them and nothing else.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createPayload } from '../../../src/engine/store/payload.ts';
import { createSegments } from '../../../src/engine/store/segments.ts';
import { bloom } from '../../../src/filters/bloom.ts';
import { descriptionOf } from '../../../src/formats/bloomery/bloomery.ts';
import type { Description } from '../../../src/formats/description.ts';
import { openState, type StateFilter, type StateHead, writeState } from '../../../src/formats/states.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { inLongRuns } from '../../long.ts';
import { parseFile } from '../../reference/bloom-file.ts';
import { type StateFields, stateFile } from '../../reference/state-file.ts';
import { HEADER, oracleFile, outcome, placed } from './files.ts';

const STEP = inLongRuns(1, 19);
const kernel = loadKernel();
const ROOM = kernel.reserve(64);

const FIELDS: StateFields = {
  sightings: 2,
  divided: 2,
  length: 3_600_000,
  keep: 3,
  records: 0,
  numbers: [470_000, 470_003],
};
const HEAD: StateHead = {
  sightings: 2,
  windows: { of: 'milliseconds', length: 3_600_000, keep: 3, records: 0, numbers: [470_000, 470_003] },
};
const ONE = { ...HEADER, bits: 512, segments: 1 };
const FILTERS = [['a', 'b'], ['b'], ['c'], []].map((keys) => oracleFile(ONE, keys));
const FILE = stateFile(FIELDS, FILTERS);

/** The head of a file, and the segments of its filters. */
async function read(bytes: Uint8Array) {
  const { head, filters } = await openState(placed(bytes), kernel);
  const payloads: Uint8Array[] = [];
  const descriptions: Description[] = [];
  for await (const file of filters) {
    await file.readSegment(kernel, ROOM);
    await file.finish(kernel);
    payloads.push(kernel.bytes(ROOM, 64).slice());
    descriptions.push(file.description);
  }
  return { head, payloads, descriptions };
}

const reading = (bytes: Uint8Array) => outcome(read(bytes));

test('the file of the oracle is read with the content that the oracle was given', async () => {
  const { head, payloads, descriptions } = await read(FILE);
  expect(head).toEqual(HEAD);
  expect(payloads).toEqual(FILTERS.map((file) => new Uint8Array(parseFile(file).payload)));
  expect(descriptions[0]).toMatchObject({ inserted: 123, target: { capacity: 100 } });
});

function filtersInMemory(): StateFilter[] {
  return FILTERS.map((file) => {
    const description = descriptionOf(ONE, 'x');
    const segments = createSegments(createPayload(description.shape, 1), bloom, kernel, 0);
    const place = segments.find(0);
    place.kernel.bytes(place.address, 64).set(parseFile(file).payload);
    return { description, supply: () => ({ ...place, fill: segments.fills()[0] ?? {} }) };
  });
}

test('a state has the bytes that the oracle writes', async () => {
  const name = placed(new Uint8Array(), 'written');
  await writeState({ name, replace: true }, kernel, HEAD, filtersInMemory());
  expect(readFileSync(name).equals(FILE)).toBe(true);
});

test('a single filter without windows is its file', async () => {
  const name = placed(new Uint8Array(), 'written');
  const head = { sightings: 1, windows: undefined };
  await writeState({ name, replace: true }, kernel, head, filtersInMemory().slice(0, 1));
  expect(new Uint8Array(readFileSync(name))).toEqual(FILTERS[0]);
  expect((await read(readFileSync(name))).head).toEqual(head);
});

describe('refused', () => {
  test('any one byte that is changed', async () => {
    for (let at = 0; at < FILE.length; at += STEP)
      expect(await reading(FILE.map((byte, i) => (i === at ? byte ^ 0x40 : byte))), `byte ${at}`).toBe('format');
  });

  test('a filter that is damaged, which is named with its place', async () => {
    for (const [i, filter] of FILTERS.entries()) {
      const at = FILE.length - FILTERS.slice(i).reduce((sum, { length }) => sum + length, 0);
      const spoilt = Uint8Array.from(FILE);
      // In its header, behind the signature.
      spoilt[at + 20] = (filter[20] ?? 0) ^ 1;
      await expect(read(spoilt)).rejects.toThrow(new RegExp(`^filter ${i + 1} of \\S+ \\(at byte ${at}\\) is damaged`));
    }
  });

  test('any truncation, and any appended byte', async () => {
    for (let length = 0; length < FILE.length; length += STEP)
      expect(await reading(FILE.subarray(0, length)), `${length} bytes`).toBe('format');
    for (const more of [new Uint8Array(1), FILTERS[0] ?? new Uint8Array()])
      expect(await reading(Buffer.concat([FILE, more]))).toBe('format');
  });

  const possible: StateFields = { ...FIELDS, divided: 1, length: 10, records: 47, numbers: [3, 4] };
  test('impossible heads', async () => {
    expect(await reading(stateFile(possible, FILTERS))).toBe('accepted');
    for (const impossible of [
      { sightings: 0 },
      { sightings: 1 },
      { sightings: 101 },
      { divided: 3 },
      { divided: 0 },
      { length: 0 },
      { keep: 251 },
      { keep: 0 },
      { records: 39 },
      { divided: 2 },
      { numbers: [4, 3] },
      { numbers: [4, 4] },
      { numbers: [0, 4] },
      { numbers: [] },
      { records: 2 ** 63 },
    ])
      expect(await reading(stateFile({ ...possible, ...impossible }, FILTERS)), JSON.stringify(impossible)).toBe(
        'format',
      );
  });

  test('a measure of windows that it does not have', async () => {
    const plain: StateFields = { sightings: 2, divided: 0, length: 0, keep: 0, records: 0, numbers: [0] };
    const [one, two] = FILTERS;
    const filters = [one, two].filter((filter) => filter !== undefined);
    expect(await reading(stateFile(plain, filters))).toBe('accepted');
    for (const wrong of [{ length: 1 }, { keep: 1 }, { records: 1 }, { numbers: [1] }, { numbers: [0, 1] }])
      expect(await reading(stateFile({ ...plain, ...wrong }, filters)), JSON.stringify(wrong)).toBe('format');
  });
});
