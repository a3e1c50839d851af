// Filters that every version must read and write alike. golden/tiny.bloom is the output of
//   printf 'Alpha\nbeta\r\n gamma \n\nalpha\nno newline' | bloom build -n 10 -p 1% --seed 42 -i --trim -o tiny.bloom
// and the files beside it are the same with --hash or --kind.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { WHOLE_RECORD } from '../../../src/engine/input/record-keys.ts';
import { openSegments } from '../../../src/engine/store/shared-segments.ts';
import { bloom } from '../../../src/filters/bloom.ts';
import { KINDS } from '../../../src/filters/registry.ts';
import { descriptionOf, headerOf } from '../../../src/formats/bloomery/bloomery.ts';
import type { Header } from '../../../src/formats/bloomery/header.ts';
import { writeFilter } from '../../../src/formats/write.ts';
import { HASH_NAMES } from '../../../src/hashes/registry.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { buildFilter, openFilter } from '../../../src/library/index.ts';
import { alone, bitsOf, strict } from '../../engine/alone.ts';
import { buildWithShape, suppliedBy } from '../../engine/building.ts';
import { loadFilter } from '../../engine/loading.ts';
import { payloadOf } from '../../reference/bloom-bits.ts';
import { fileOf, mayContain, parseFile } from '../../reference/bloom-file.ts';
import { onesIn } from '../../reference/kinds.ts';
import { placed } from './files.ts';

const FILES = [
  ['tiny.bloom', 'xxh64', '67735b63a788e705f58c2b3f6412dfa96713967cf75a8ec5918bc7add2b1a3dd'],
  ['tiny-xxh3.bloom', 'xxh3', '91f247072980f46418b45e08437395e9203a9edaada205b788601f48e773b7bb'],
  ['tiny-murmur3.bloom', 'murmur3', 'da29600fab3afd62842c4c09499e3612e3a921e0824967066828128065cd6d35'],
  ['tiny-farm64.bloom', 'farm64', '530e682f4df96147d42b74ef503e37f5f6244e827d513ee6c380054c631d295a'],
] as const;
const INPUT = 'Alpha\nbeta\r\n gamma \n\nalpha\nno newline';
const KEYS = ['alpha', 'beta', 'gamma', '', 'no newline'].map((key) => new Uint8Array(Buffer.from(key)));
const HEADER: Omit<Header, 'hash'> = {
  kind: 1,
  seed: 42n,
  ignoreCase: true,
  trim: true,
  k: 7,
  bits: 512,
  segments: 1,
  segmentBits: 512,
  capacity: 10,
  targetFpr: 0.01,
  inserted: 6,
};

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('every hash is among them', () => {
  expect(FILES.map(([, hash]) => hash)).toEqual(HASH_NAMES);
});

describe.each(FILES)('%s', (name, hash, pinned) => {
  const golden = fileURLToPath(new URL(`golden/${name}`, import.meta.url));
  const header: Header = { ...HEADER, hash };

  test('its bytes are pinned', () => {
    expect(sha256(readFileSync(golden))).toBe(pinned);
  });

  test('it is read', async () => {
    const kernel = loadKernel();
    const loaded = await loadFilter(kernel, golden, 1, 'query');
    const { fills, close } = loaded;
    expect(fills()).toEqual([{ ones: Number(onesIn(payloadOf(KEYS, header))) }]);
    expect(headerOf(loaded.description)).toEqual(header);
    expect(bitsOf(openSegments(loaded.store, kernel, 0), header)).toEqual(payloadOf(KEYS, header));
    close();
  });

  test('the oracle reads and writes it too', () => {
    const file = parseFile(readFileSync(golden));
    for (const key of KEYS) expect(mayContain(file, key)).toBe(true);
    expect(mayContain(file, new Uint8Array(Buffer.from(' \tALPHA ')))).toBe(true);
    expect(mayContain(file, new Uint8Array(Buffer.from('delta')))).toBe(false);
    expect(sha256(fileOf({ ...header, payload: payloadOf(KEYS, header) }))).toBe(pinned);
  });

  test('it is written with the same bytes today', async () => {
    const kernel = loadKernel();
    const inputs = [placed(Buffer.from(INPUT), 'input')];
    const selection = { nullTerminated: false, keys: WHOLE_RECORD };
    const { segments, inserted } = await buildWithShape(
      { ...alone(kernel), kind: bloom, inputs, selection, rules: header, observer: strict },
      header,
    );
    const file = placed(new Uint8Array(), 'written.bloom');
    await writeFilter(
      { name: file, replace: true },
      kernel,
      descriptionOf({ ...header, inserted }, name),
      suppliedBy(segments, segments.fills()),
    );
    expect(sha256(readFileSync(file))).toBe(pinned);
  });
});

const OTHER_KINDS = [
  ['blocked', 'ec801d3fb8c527471e4970bb6bbdeaf5aa4e51b2dbb3d90f66b0d06d68e7e228'],
  ['counting', '7531cc0a8f315b2f405eb4f95b6af6b3feac17367233eec3f18132981992279a'],
  ['scalable', '90838c2a2d1140a803c510bcade9861fd451fede9888677f18f6f9848d33a8ea'],
  ['cuckoo', 'f2e93075504a4d74ee37c4a8551990204bfe8e55517dd9116ce1dd4a5e001fa1'],
  ['quotient', '24008b3b3b8947d4e7e0ce64f75c8760ad1fb86c16228b4ab72cc84ef39a58a9'],
  ['ribbon', '9d7abb43bebf7467f46372926caf3bc29f289a9c4c010695edb3032ce1054bb5'],
  ['fuse', '7496db63f13a2f1e2d89ba586c1982c678ed215f13740d778d1126e7c1de1c94'],
] as const;

test('every kind is among them', () => {
  expect(['bloom', ...OTHER_KINDS.map(([kind]) => kind)]).toEqual(KINDS.map(({ name }) => name));
});

describe.each(OTHER_KINDS)('tiny-%s.bloom', (kind, pinned) => {
  const golden = readFileSync(new URL(`golden/tiny-${kind}.bloom`, import.meta.url));

  test('the oracle reads it', () => {
    expect(sha256(golden)).toBe(pinned);
    const file = parseFile(golden);
    for (const key of KEYS) expect(mayContain(file, key)).toBe(true);
  });

  test('it is written with the same bytes today, and read', async () => {
    const size = { items: 10, fpr: 0.01 };
    const built = await buildFilter(Readable.from([Buffer.from(INPUT)]), {
      kind,
      ...size,
      seed: 42,
      ignoreCase: true,
      trim: true,
      lines: true,
    });
    expect(sha256(await built.toBytes())).toBe(pinned);
    expect((await openFilter(golden)).hasMany(KEYS)).toEqual(KEYS.map(() => true));
  });
});

test('tiny-unicode.bloom, which ignores the case of all letters, is read and written', async () => {
  const golden = readFileSync(new URL('golden/tiny-unicode.bloom', import.meta.url));
  expect(sha256(golden)).toBe('eae3bcce69a935ab4c3624a4fbc87940b102fc47306326c2e0cc8a2193935d73');
  const cut = Buffer.from([0xff, 0xc3]);
  const keys = ['ÜBER', 'ΣΊΣΥΦΟΣ', 'ⱥ', cut].map((key) => Buffer.from(key));
  const options = { items: 10, fpr: 0.01, seed: 42, ignoreCase: 'unicode' } as const;
  expect(sha256(await (await buildFilter(keys, options)).toBytes())).toBe(sha256(golden));
  expect((await openFilter(golden)).hasMany(['über', 'σίσυφος', 'Ⱥ', cut, 'uber'])).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
  const file = parseFile(golden);
  for (const key of keys) expect(mayContain(file, key)).toBe(true);
});

const FORMER = [
  [
    'ribbon-whole',
    'all of a key, of which less is kept now',
    '9635c6f862eff64883b9f4261da426bbd4de6f286e8f735cc6dd5f341d7dd183',
  ],
  [
    'fuse-former',
    'kind 9, whose fingerprints are others',
    '1297c5cc57356fe7f167e80010a5878650e264868d57bee4b3d28a07de3af53f',
  ],
] as const;

test.each(FORMER)('tiny-%s.bloom, which has %s, is read', async (name, _, pinned) => {
  const golden = readFileSync(new URL(`golden/tiny-${name}.bloom`, import.meta.url));
  expect(sha256(golden)).toBe(pinned);
  const file = parseFile(golden);
  for (const key of KEYS) expect(mayContain(file, key)).toBe(true);
  expect((await openFilter(golden)).hasMany(KEYS)).toEqual(KEYS.map(() => true));
});
