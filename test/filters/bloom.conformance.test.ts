// The Bloom filter of the kernel against the one that follows FORMAT.md in plain TypeScript.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { suppliedBy } from '../../src/commands/outputs.ts';
import { buildWithShape } from '../../src/engine/build.ts';
import { loadFilter } from '../../src/engine/filter-file.ts';
import { mergeFilters } from '../../src/engine/merge.ts';
import { bloom } from '../../src/filters/bloom.ts';
import type { Shape } from '../../src/filters/kind.ts';
import { portableChecksum } from '../../src/format/checksum.ts';
import { openFilter } from '../../src/format/reader.ts';
import { writeFilter } from '../../src/format/writer.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { alone, filterOf, strict } from '../engine/alone.ts';
import { payloadOf } from '../reference/bloom-bits.ts';
import { fileOf, mayContain, parseFile } from '../reference/bloom-file.ts';
import { createRandom, shuffled } from '../reference/random.ts';
import { digestsOf, headerOf, keysNamed, linesOf, openVessel, RULES, type Vessel } from './filling.ts';

const KEYS = [...keysNamed('member', 3000), '', ' ', 'ß', 'x'.repeat(300)];
const bytesOf = (keys: readonly string[]) => keys.map((key) => new Uint8Array(Buffer.from(key)));

const GEOMETRIES = [
  ['the smallest', bloom.geometry(1)],
  ['one segment', bloom.geometry(100_003)],
  ['the largest of one segment', bloom.geometry(2 ** 22)],
  ['two segments', bloom.geometry(2 ** 22 + 1)],
  ['three segments, for 1,000,003 keys', bloom.geometry(9_585_088)],
  ['977 segments', { segments: 977, segmentBits: 1536, bits: 977 * 1536 }],
] as const;

const CASES = GEOMETRIES.flatMap(([name, geometry]) =>
  [1, 2, 7, 17, 64].map((hashes): [string, Shape] => [`${name}, k = ${hashes}`, { ...geometry, hashes }]),
);

let folder = '';
let digests: BigUint64Array = new BigUint64Array();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bloom-conformance-'));
  digests = await digestsOf(linesOf(KEYS));
});
afterAll(() => rmSync(folder, { recursive: true }));

function rulesOf(shape: Shape) {
  return { ...shape, ...RULES };
}

/** Builds a filter from a file with these keys, as the program does. */
async function built(keys: readonly string[], shape: Shape): Promise<Vessel> {
  const input = join(folder, 'keys');
  writeFileSync(input, linesOf(keys));
  const selection = { nullTerminated: false, anyToken: false };
  const request = { ...alone(), kind: bloom, inputs: [input], selection, rules: RULES, observer: strict };
  const filter = filterOf(shape);
  const { inserted } = await buildWithShape(request, shape, filter);
  expect(inserted).toBe(keys.length);
  return openVessel(shape, filter);
}

async function written({ segments }: Vessel, shape: Shape, name: string): Promise<string> {
  const file = join(folder, name);
  const header = headerOf(shape, KEYS.length);
  await writeFilter({ name: file, replace: true }, loadKernel(), header, suppliedBy(segments, segments.fills()));
  return file;
}

describe.each(CASES)('%s', (_, shape) => {
  test('has the bits, the file and the answers of the oracle', async () => {
    const payload = payloadOf(bytesOf(KEYS), rulesOf(shape));
    const filter = await built(KEYS, shape);
    expect(Buffer.compare(filter.payload(), payload)).toBe(0);
    expect(filter.count(digests)).toBe(KEYS.length);

    const file = await written(filter, shape, 'filter.bloom');
    const expected = fileOf({ ...headerOf(shape, KEYS.length), payload });
    expect(Buffer.compare(readFileSync(file), expected)).toBe(0);

    const loaded = await loadFilter(loadKernel(), file, 1);
    const vessel = openVessel(shape, loaded);
    expect(vessel.count(digests)).toBe(KEYS.length);
    expect(Buffer.compare(vessel.payload(), payload)).toBe(0);
    loaded.close();
  });

  test('is the same whatever the order of the keys, and however often they come', async () => {
    const random = createRandom(shape.hashes);
    const first = await built(KEYS, shape);
    const second = await built(shuffled(random, [...KEYS, ...KEYS.slice(0, 1000)]), shape);
    const third = openVessel(shape);
    third.add(digests.toReversed());
    expect(Buffer.compare(second.payload(), first.payload())).toBe(0);
    expect(Buffer.compare(third.payload(), first.payload())).toBe(0);
  });

  test('united with another is the filter of all their keys', async () => {
    const [one, other] = [KEYS.slice(0, 2000), KEYS.slice(1500)];
    const union = payloadOf(bytesOf(KEYS), rulesOf(shape));
    const [a, b] = [await built(one, shape), await built(other, shape)];
    const files = [await written(a, shape, 'a.bloom'), await written(b, shape, 'b.bloom')];
    const readers = await Promise.all(files.map((file) => openFilter(file, portableChecksum)));
    const merged = join(folder, 'merged.bloom');
    const header = headerOf(shape, one.length + other.length);
    const fill = await mergeFilters(loadKernel(), bloom, readers, header, { name: merged, replace: true });
    for (const reader of readers) reader.close();
    const read = parseFile(readFileSync(merged));
    expect(Buffer.compare(read.payload, union)).toBe(0);
    expect(bytesOf(KEYS).every((key) => mayContain(read, key))).toBe(true);
    const ones = union.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);
    expect(fill.reduce((sum, part) => sum + part, 0)).toBe(ones);
  });
});
