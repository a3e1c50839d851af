// Every kind of filter in the kernel, against the oracle that follows FORMAT.md in plain TypeScript.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WHOLE_RECORD } from '../../src/engine/input/record-keys.ts';
import { mergeSegments } from '../../src/engine/store/merge-segments.ts';
import type { FilterKind, Shape } from '../../src/filters/kind.ts';
import { canBeUsed, KINDS } from '../../src/filters/registry.ts';
import { descriptionOf } from '../../src/formats/bloomery/bloomery.ts';
import { writeFilter } from '../../src/formats/write.ts';
import { HASH_NAMES, type OwnHashName } from '../../src/hashes/registry.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { type Geometry, segmented } from '../../src/sizing/geometry.ts';
import { alone, filterOf, strict } from '../engine/alone.ts';
import { buildWithShape, suppliedBy } from '../engine/building.ts';
import { openedFile, openedFilter } from '../formats/bloomery/opened.ts';
import { IS_LONG, inLongRuns } from '../long.ts';
import { writeNewFile } from '../new-file.ts';
import { fileOf, mayContain, parseFile } from '../reference/bloom-file.ts';
import { contentOf, oracleOf } from '../reference/kinds.ts';
import { createRandom, shuffled } from '../reference/random.ts';
import { digestsOf, headerOf, keysNamed, linesOf, openVessel, RULES, type Vessel } from './filling.ts';

const COUNT = inLongRuns(420, 120);
const KEYS = [...keysNamed('member', COUNT), '', ' ', 'ß', 'x'.repeat(300)];
/** One third and two thirds of the keys. */
const SOME = COUNT / 3;
const MOST = 2 * SOME;
const KEY_BYTES = KEYS.map((key) => new Uint8Array(Buffer.from(key)));

function evenly(segments: number, segmentBits: number): Geometry {
  return { segments, segmentBits, bits: segments * segmentBits };
}

/** Geometries for kinds that set bits or counters. */
const GEOMETRIES = [
  ['the smallest', segmented(1)],
  ['one segment', segmented(100_003)],
  ['two segments', inLongRuns(segmented(2 ** 22 + 1), evenly(2, 2 ** 17))],
  ...inLongRuns(
    [
      ['the largest of one segment', segmented(2 ** 22)],
      ['three segments, for 1,000,003 keys', segmented(9_585_088)],
    ] as const,
    [],
  ),
  ['many segments', evenly(inLongRuns(977, 97), 1536)],
] as const;

/** The values of k, if a kind allows them. The first one is tested with every geometry, the others with small geometries. */
const LENGTHS = inLongRuns([7, 8, 1, 10, 15, 16, 2, 13, 17, 32, 64], [7, 8, 1, 10, 16, 64]);

const LARGE_GEOMETRIES = [...GEOMETRIES.slice(2).map(([name]) => name), '1 segments', '13 segments'];

const SEGMENTS = [1, 2, 13];

/** The geometries for every k; long runs also have large ones. */
const SMALL_GEOMETRIES = ['one segment', '2 segments', ...inLongRuns(['the smallest', ...LARGE_GEOMETRIES], [])];

function lengthsOf(kind: FilterKind): number[] {
  // Too many short fingerprints are equal to remove single keys.
  const least = kind.refuses && kind.abilities.includes('remove') ? 10 : 1;
  return LENGTHS.filter((k) => k >= least && kind.isShape({ ...kind.geometry(2 ** 20, k), k }));
}

function shapesOf(kind: FilterKind): [string, Shape][] {
  return lengthsOf(kind).flatMap((k, i) => {
    // Kinds with a slot for every key need enough slots.
    const geometries = kind.refuses
      ? SEGMENTS.map((segments): [string, Geometry] => [`${segments} segments`, roomy(kind, k, segments)])
      : GEOMETRIES;
    return geometries
      .filter(([name]) => i === 0 || SMALL_GEOMETRIES.includes(name))
      .map(([name, geometry]): [string, Shape] => [name, { ...geometry, k }]);
  });
}

/** Segments with capacity for all keys, some of them twice, and some reserve. */
function roomy(kind: FilterKind, k: number, segments: number): Geometry {
  const plan = kind.plan({ items: Math.ceil((2 * KEYS.length) / segments), fpr: 0.5, k });
  const { segmentBits } = kind.geometry(plan?.bits ?? 0, k);
  return evenly(segments, segmentBits);
}

/** Geometries and k for the other hashes. The source of the digests makes no other difference. */
const FEW_GEOMETRIES = inLongRuns(
  ['many segments', '13 segments', 'one segment', '1 segments'],
  ['one segment', '13 segments'],
);

interface Subject extends Shape {
  readonly hash: OwnHashName;
}

/** The kinds that are not scalable. The bits of a scalable filter depend on the order of its keys, so it has separate tests. */
const STEADY = KINDS.filter(({ growing }) => growing === undefined);

const CASES = STEADY.flatMap((kind) =>
  shapesOf(kind).flatMap(([geometry, shape]) =>
    HASH_NAMES.filter(
      (hash) => hash === 'xxh64' || (FEW_GEOMETRIES.includes(geometry) && shape.k === lengthsOf(kind)[0]),
    ).map((hash): [string, FilterKind, Subject] => [
      `${kind.name}, ${hash}, ${geometry}, k = ${shape.k}`,
      kind,
      { ...shape, hash },
    ]),
  ),
);

test('every kind is among them, with every hash', () => {
  const pairs = new Set(CASES.map(([, { name }, { hash }]) => `${name}, ${hash}`));
  expect(pairs.size).toBe(STEADY.length * HASH_NAMES.length);
});

let folder = '';
let digests: BigUint64Array = new BigUint64Array();
let nonMemberDigests: BigUint64Array = new BigUint64Array();
const digestsBy = new Map<OwnHashName, readonly [BigUint64Array, BigUint64Array]>();
const NON_MEMBERS = keysNamed('stranger', MOST);
const nonMembers = NON_MEMBERS.map((key) => new Uint8Array(Buffer.from(key)));
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bloom-conformance-'));
  for (const hash of HASH_NAMES) {
    const rules = { ...RULES, hash };
    digestsBy.set(hash, [await digestsOf(linesOf(KEYS), rules), await digestsOf(linesOf(NON_MEMBERS), rules)]);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

function rulesOf(shape: Subject) {
  return { ...RULES, ...shape };
}

/** Builds a filter from a file with these keys, as the program does. */
async function built(keys: readonly string[], kind: FilterKind, shape: Subject): Promise<Vessel> {
  const input = join(folder, 'keys');
  writeNewFile(input, linesOf(keys));
  const selection = { nullTerminated: false, keys: WHOLE_RECORD };
  const request = { ...alone(), kind, inputs: [input], selection, rules: rulesOf(shape), observer: strict };
  const filter = emptyFilter(kind, shape);
  const { inserted } = await buildWithShape(request, shape, filter);
  expect(inserted).toBe(keys.length);
  return openVessel(shape, filter);
}

async function written({ segments }: Vessel, kind: FilterKind, shape: Subject, name: string): Promise<string> {
  const file = join(folder, name);
  const description = descriptionOf(headerOf(shape, KEYS.length, kind.id), name);
  const supply = suppliedBy(segments, segments.fills());
  await writeFilter({ name: file, replace: true }, loadKernel(), description, supply);
  return file;
}

function emptyFilter(kind: FilterKind, shape: Shape) {
  return filterOf(shape, undefined, 1, undefined, kind);
}

describe.each(CASES)('%s', (_, kind, shape) => {
  beforeAll(() => {
    [digests, nonMemberDigests] = digestsBy.get(shape.hash) ?? [digests, nonMemberDigests];
  });
  const rules = rulesOf(shape);
  const payloadOf = (keys: readonly Uint8Array[]) => oracleOf(kind.id).payloadOf(keys, rules);
  let ofAll: Uint8Array | undefined;
  const payloadOfAll = () => {
    ofAll ??= payloadOf(KEY_BYTES);
    return ofAll;
  };
  const content = (payload: Uint8Array) => contentOf(kind.id, payload, shape);
  const falsePositives = (payload: Uint8Array) =>
    nonMembers.filter((key) => oracleOf(kind.id).mayContain(payload, key, rules)).length;

  test('has the payload, the file and the answers of the oracle', async () => {
    const filter = await built(KEYS, kind, shape);
    const payload = filter.payload();
    expect(content(payload)).toEqual(content(payloadOfAll()));
    expect(filter.count(digests)).toBe(KEYS.length);
    expect(KEY_BYTES.every((key) => oracleOf(kind.id).mayContain(payload, key, rules))).toBe(true);
    expect(filter.count(nonMemberDigests)).toBe(falsePositives(payload));

    const file = await written(filter, kind, shape, 'filter.bloom');
    const expected = fileOf({ ...headerOf(shape, KEYS.length, kind.id), payload });
    expect(Buffer.compare(readFileSync(file), expected)).toBe(0);

    const loaded = await openedFilter(loadKernel(), file);
    const vessel = openVessel(shape, loaded.store);
    expect(vessel.count(digests)).toBe(KEYS.length);
    expect(Buffer.compare(vessel.payload(), payload)).toBe(0);
    loaded.close();
  });

  // The following tests do not depend on the hash.
  if (!IS_LONG && shape.hash !== 'xxh64') return;
  test('is read from the file that the oracle writes', async () => {
    const payload = payloadOfAll();
    const file = join(folder, 'oracle.bloom');
    writeNewFile(file, fileOf({ ...headerOf(shape, KEYS.length, kind.id), payload }));
    const loaded = await openedFilter(loadKernel(), file);
    const vessel = openVessel(shape, loaded.store);
    expect(vessel.count(digests)).toBe(KEYS.length);
    expect(vessel.count(nonMemberDigests)).toBe(falsePositives(payload));
    loaded.close();
  });

  // The default run has one k.
  if (!IS_LONG && shape.k !== lengthsOf(kind)[0]) return;
  test('is the same whatever the order of the keys', async () => {
    const random = createRandom(shape.k);
    const [twice, mixed] = [[...KEYS, ...KEYS.slice(0, SOME)], openVessel(shape, emptyFilter(kind, shape))];
    const first = await built(twice, kind, shape);
    const second = await built(shuffled(random, twice), kind, shape);
    mixed.add(digests.slice(0, SOME));
    mixed.add(digests.toReversed());
    const expected = content(payloadOf([...KEY_BYTES, ...KEY_BYTES.slice(0, SOME)]));
    for (const vessel of [first, second, mixed]) expect(content(vessel.payload())).toEqual(expected);
    // In a cuckoo filter, the bucket of a key depends on the order of the keys.
    if (kind.name === 'cuckoo') return;
    for (const vessel of [second, mixed]) expect(Buffer.compare(vessel.payload(), first.payload())).toBe(0);
  });

  if (canBeUsed(kind, 'merge'))
    test('united with another is the filter of all their keys', async () => {
      const [one, other] = [KEYS.slice(0, MOST), KEYS.slice(COUNT / 2)];
      const union = payloadOf([...KEY_BYTES.slice(0, MOST), ...KEY_BYTES.slice(COUNT / 2)]);
      const [a, b] = [await built(one, kind, shape), await built(other, kind, shape)];
      const files = [await written(a, kind, shape, 'a.bloom'), await written(b, kind, shape, 'b.bloom')];
      const readers = await Promise.all(files.map((file) => openedFile(file)));
      const merged = join(folder, 'merged.bloom');
      const description = descriptionOf(headerOf(shape, one.length + other.length, kind.id), merged);
      const fill = await mergeSegments(loadKernel(), readers, description, { name: merged, replace: true });
      for (const reader of readers) reader.close();
      const read = parseFile(readFileSync(merged));
      expect(content(read.payload)).toEqual(content(union));
      expect(KEY_BYTES.every((key) => mayContain(read, key))).toBe(true);
      expect(fill.map((of) => kind.packFill(of))).toEqual(
        segmentsOf(read.payload, shape).map((segment) => Number(oracleOf(kind.id).fillOf(segment, shape))),
      );
    });

  if (!kind.abilities.includes('remove')) return;
  test('removes the added keys, and keeps the others', async () => {
    const [kept, gone] = [KEY_BYTES.slice(0, MOST), digests.slice(MOST)];
    const filter = await built(KEYS, kind, shape);
    const before = filter.payload();
    expect(filter.remove(gone)).toBe(gone.length);
    expect(filter.count(digests.slice(0, MOST))).toBe(kept.length);
    const expected = oracleOf(kind.id).afterRemoval?.(before, payloadOf(kept)) ?? new Uint8Array();
    expect(content(filter.payload())).toEqual(content(expected));
    const left = filter.payload();
    const absent = nonMemberDigests.filter(
      (_, i) => !oracleOf(kind.id).mayContain(left, nonMembers[i] ?? new Uint8Array(), rules),
    );
    expect(filter.remove(absent)).toBe(0);
    expect(Buffer.compare(filter.payload(), left)).toBe(0);
  });
});

function segmentsOf(payload: Uint8Array, { segments, segmentBits }: Shape): Uint8Array[] {
  const bytes = segmentBits / 8;
  return Array.from({ length: segments }, (_, i) => payload.subarray(i * bytes, (i + 1) * bytes));
}
