// Queries write only into memory that is reserved for it, however much longer keys become.

import { expect, test } from 'vitest';
import type { KeySelection } from '../../src/engine/input/key-selection.ts';
import { type RecordKeys, textSeparator } from '../../src/engine/input/record-keys.ts';
import { createScanner } from '../../src/engine/input/scanner.ts';
import type { ScannerOptions } from '../../src/engine/input/scanning.ts';
import { loadFilter } from '../../src/engine/store/load.ts';
import { createWorkerPool } from '../../src/engine/threads/worker-pool.ts';
import type { KeyRules } from '../../src/formats/description.ts';
import { openFilterFile } from '../../src/formats/open.ts';
import type { Opening } from '../../src/formats/opening.ts';
import { formatNamed } from '../../src/formats/registry.ts';
import { ENCODINGS, type EncodingName } from '../../src/hashes/encodings.ts';
import { KEY_HASHES, type KeyHashName } from '../../src/hashes/key-hashes.ts';
import { HASHES } from '../../src/hashes/registry.ts';
import { memorySource } from '../../src/io/source.ts';
import { type Kernel, loadKernel } from '../../src/kernel/kernel.ts';
import { positivesOf } from '../formats/asking.ts';
import { placed } from '../formats/bloomery/files.ts';
import { SYSTEMS } from '../reference/formats/systems.ts';
import { PLAIN_RULES, WHOLE } from './scanning.ts';

/** Bytes after reserved memory that must not change, and what they are. */
const GUARD = 4096;
const GUARDING = 0xa7;

/** A kernel whose reserved memory ends with guarded bytes, and the number of guards that were overwritten. */
function guardedKernel(): { readonly kernel: Kernel; readonly broken: () => number } {
  const own = loadKernel();
  const guards: number[] = [];
  const guarded =
    (reserve: Kernel['reserve']): Kernel['reserve'] =>
    (bytes) => {
      const address = reserve(bytes + GUARD);
      own.bytes(address + bytes, GUARD).fill(GUARDING);
      guards.push(address + bytes);
      return address;
    };
  const expected = Buffer.alloc(GUARD, GUARDING);
  return {
    kernel: { ...own, reserve: guarded(own.reserve), reserveAny: guarded(own.reserveAny) },
    broken: () => guards.filter((at) => !expected.equals(own.bytes(at, GUARD))).length,
  };
}

/** The guards that a scan of these lines overwrites. */
async function brokenBy(
  lines: readonly string[],
  rules: KeyRules,
  more: Partial<KeySelection> = {},
  others: Partial<ScannerOptions> = {},
) {
  const { kernel, broken } = guardedKernel();
  const options = {
    selection: { ...WHOLE, ...more },
    rules: [rules],
    ...others,
  };
  let digests = 0;
  const keys = ({ count }: { readonly count: number }) => {
    digests += count;
  };
  const scanner = createScanner(kernel, options, { keys, lastKeys: keys });
  await scanner.scan(memorySource('lines', new Uint8Array(Buffer.from(`${lines.join('\n')}\n`))));
  scanner.endBatch();
  expect(digests).toBeGreaterThan(0);
  return broken();
}

/** As many records as fill several batches. */
const many = (line: string) => Array.from({ length: 40_000 }, () => line);

/** Records that nearly fill the memory for records, which is 512 KiB and doubles for longer ones. */
const long = (part: string) =>
  [2 ** 19, 2 ** 20].flatMap((bytes) => [part.repeat(Math.floor((bytes - 9) / Buffer.byteLength(part))), part]);

/** Texts for each loop of the kernel: a short value, and a part of a long one. */
const TEXTS: Readonly<Record<string, readonly [string, string]>> = {
  encodeIntegers: ['1', '0'],
  encodeFloats: ['1', '0'],
  encodeDecimals: ['1', '0'],
  encodeDecimalTexts: ['1', '1'],
  encodeDates: ['2026-01-01', '0'],
  encodeTimestamps: ['2026-01-01', '0'],
  encodeBooleans: ['true', 'true'],
  encodeHex: ['ab', 'ab'],
  encodeUuids: ['00112233-4455-6677-8899-aabbccddeeff', '0'],
  encodeUtf16: ['x', 'x'],
  encodePadded: ['x', 'x'],
  encodeCells: ['r\tq', 'r\tq'],
  encodeNames: ['a.b', 'a.'],
  encodeNetworks: ['::1', '1:'],
};

/** One encoding for each loop and size of its results. */
const OF_EACH_SIZE = [
  ...new Map(
    Object.entries(ENCODINGS).map(([name, { entry, scratch }]) => [
      `${entry} ${scratch.key} ${scratch.byte}`,
      name as EncodingName,
    ]),
  ).values(),
];

test.each(OF_EACH_SIZE)('keys of type %s', async (encoding) => {
  const rules = { ...PLAIN_RULES, encoding };
  const [short, part] = TEXTS[ENCODINGS[encoding].entry] ?? ['', ''];
  expect(await brokenBy(many(short), rules)).toBe(0);
  expect(await brokenBy([short, ...long(part)], rules)).toBe(0);
});

test.each<[string, Partial<KeyRules>, string]>([
  ['ASCII', { ignoreCase: true }, 'X'],
  // U+023A has two bytes, and its lower case three.
  ['Unicode', { ignoreCase: 'unicode' }, '\u023a'],
])('keys in lower case, %s', async (_, more, letter) => {
  const rules = { ...PLAIN_RULES, ...more };
  expect(await brokenBy(many(letter.repeat(10)), rules)).toBe(0);
  expect(await brokenBy(long(letter), rules)).toBe(0);
  const encoding = 'utf16le';
  expect(await brokenBy(long(letter), { ...rules, encoding })).toBe(0);
});

test.each(Object.keys(KEY_HASHES) as KeyHashName[])('keys hashed with %s', async (name) => {
  const rules = { ...PLAIN_RULES, keyHash: { name, isUpper: false } };
  expect(await brokenBy(many('x'), rules)).toBe(0);
});

test.each<[string, Partial<KeyRules>, string]>([
  ['parent domains', { encoding: 'domain', lookup: 'suffixes' }, 'A.'.repeat(120)],
  ['both cases', { lookup: 'cases' }, 'aB'.repeat(10)],
  ['both cases of long keys', { lookup: 'cases' }, 'aB'.repeat(1000)],
  ['all blocks, version 4', { encoding: 'network', lookup: 'blocks' }, '10.1.2.3'],
  ['all blocks, version 6', { encoding: 'network', lookup: 'blocks' }, '2001:db8::1'],
])('%s are looked up', async (_, more, line) => {
  expect(await brokenBy(many(line).slice(0, 10_000), { ...PLAIN_RULES, ...more }, {}, { looksUp: true })).toBe(0);
});

test.each<[string, RecordKeys, string]>([
  [
    'several fields',
    { type: 'fields', ranges: [{ from: 1, to: -1 }], areOne: true, separator: textSeparator(',') },
    'a,b,c',
  ],
  [
    'fields of CSV',
    { type: 'fields', ranges: [{ from: 2, to: 2 }], separator: { type: 'csv', delimiter: ',' } },
    '1,"a""b"',
  ],
  ['values of JSON', { type: 'value', path: ['a'] }, '{"a":"\\u00e9\\n"}'],
])('%s are decoded', async (_, keys, line) => {
  expect(await brokenBy(many(line), PLAIN_RULES, { keys })).toBe(0);
  expect(
    await brokenBy([line.replace('b', 'b'.repeat(700_000)).replace('\\n', '\\n'.repeat(300_000))], PLAIN_RULES, {
      keys,
    }),
  ).toBe(0);
});

const CSV = { type: 'csv', delimiter: ',' } as const;

test.each<[string, RecordKeys]>([
  ['whole records', WHOLE.keys],
  ['a field', { type: 'fields', ranges: [{ from: 1, to: 1 }], separator: textSeparator(',') }],
  ['several fields', { type: 'fields', ranges: [{ from: 1, to: 2 }], separator: textSeparator(',') }],
  ['all fields', { type: 'fields', ranges: [{ from: 1, to: -1 }], separator: textSeparator(',') }],
  ['a field of CSV', { type: 'fields', ranges: [{ from: 2, to: 2 }], separator: CSV }],
  ['all fields of CSV', { type: 'fields', ranges: [{ from: 1, to: -1 }], separator: CSV }],
  ['words', { type: 'words' }],
])('batches that are full of records or of keys, %s', async (_, keys) => {
  for (const recordLimit of [64, 2 ** 14])
    for (const line of ['a,b', '"a",b,c,d,e,f'])
      expect(
        await brokenBy(many(line).slice(0, 20_000), PLAIN_RULES, { keys }, { recordLimit, keepRecords: true }),
      ).toBe(0);
});

test.each(HASHES.map(({ name }) => name))('digests of %s', async (hash) => {
  expect(await brokenBy(many('x'), { ...PLAIN_RULES, hash })).toBe(0);
});

/** The smallest filter of an oracle with each hash of a system. */
async function smallest(system: string): Promise<readonly { readonly file: string; readonly opening: Opening }[]> {
  const { vessels, keyType } = SYSTEMS[system] ?? { vessels: {}, keyType: undefined };
  const found = new Map<string, { readonly file: string; readonly bytes: number; readonly opening: Opening }>();
  for (const make of Object.values(vessels)) {
    const { filter, variant } = make();
    for (let i = 0; i < 20; i++) filter.add(Buffer.from(`y${i}`));
    const bytes = filter.encode();
    const opening = { format: variant ?? formatNamed(system).name, keyType };
    const file = placed(bytes);
    const { description, close } = await openFilterFile(file, 'query', opening);
    close();
    const { hash } = description.rules;
    if (bytes.length < (found.get(hash)?.bytes ?? Number.POSITIVE_INFINITY))
      found.set(hash, { file, bytes: bytes.length, opening });
  }
  return [...found.values()];
}

test.each(Object.keys(SYSTEMS))('positions and hits in filters of %s', async (system) => {
  const lines = [...many('x').slice(0, 17_000), ...Array.from({ length: 300 }, (_, i) => 'y'.repeat(i + 1))];
  const input = placed(Buffer.from(`${lines.join('\n')}\n`), 'lines');
  for (const { file, opening } of await smallest(system)) {
    const { kernel, broken } = guardedKernel();
    const loaded = await loadFilter(kernel, file, { threadCount: 1, use: 'query', opening });
    await positivesOf(loaded, kernel, [input], createWorkerPool(1));
    loaded.close();
    expect(broken()).toBe(0);
  }
});
