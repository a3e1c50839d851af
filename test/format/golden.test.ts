// A filter that a released format must read, and write, for ever: golden/tiny.bloom is the output of
//   printf 'Alpha\nbeta\r\n gamma \n\nalpha\nno newline' | bloom build -n 10 -p 1% --seed 42 -i --trim -o tiny.bloom

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { suppliedBy } from '../../src/commands/outputs.ts';
import { buildWithShape } from '../../src/engine/build.ts';
import { loadFilter, openSegments } from '../../src/engine/filter-file.ts';
import { bloom } from '../../src/filters/bloom.ts';
import type { Header } from '../../src/format/header.ts';
import { writeFilter } from '../../src/format/writer.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { alone, bitsOf, strict } from '../engine/alone.ts';
import { payloadOf } from '../reference/bloom-bits.ts';
import { fileOf, mayContain, parseFile } from '../reference/bloom-file.ts';
import { onesIn } from '../reference/kinds.ts';
import { placed } from './files.ts';

const GOLDEN = fileURLToPath(new URL('golden/tiny.bloom', import.meta.url));
const SHA256 = 'b25607dcc489288ba672c7d02cbfd7e6778905f405d174074ecbe01f69abf9e9';
const INPUT = 'Alpha\nbeta\r\n gamma \n\nalpha\nno newline';
const KEYS = ['alpha', 'beta', 'gamma', '', 'no newline'].map((key) => new Uint8Array(Buffer.from(key)));
const HEADER: Header = {
  kind: 1,
  hash: 'xxh64',
  seed: 42n,
  ignoreCase: true,
  trim: true,
  hashes: 7,
  bits: 512,
  segments: 1,
  segmentBits: 512,
  capacity: 10,
  targetFpr: 0.01,
  inserted: 6,
};

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('its bytes are pinned', () => {
  expect(sha256(readFileSync(GOLDEN))).toBe(SHA256);
});

test('it is read', async () => {
  const kernel = loadKernel();
  const loaded = await loadFilter(kernel, GOLDEN, 1);
  const { header, fill, close } = loaded;
  expect(fill).toEqual([Number(onesIn(payloadOf(KEYS, HEADER)))]);
  expect(header).toEqual(HEADER);
  expect(bitsOf(openSegments(loaded, kernel, 0), header)).toEqual(payloadOf(KEYS, HEADER));
  close();
});

test('the oracle reads and writes it too', () => {
  const file = parseFile(readFileSync(GOLDEN));
  for (const key of KEYS) expect(mayContain(file, key)).toBe(true);
  expect(mayContain(file, new Uint8Array(Buffer.from(' \tALPHA ')))).toBe(true);
  expect(mayContain(file, new Uint8Array(Buffer.from('delta')))).toBe(false);
  expect(sha256(fileOf({ ...HEADER, payload: payloadOf(KEYS, HEADER) }))).toBe(SHA256);
});

test('it is written today as it was then', async () => {
  const kernel = loadKernel();
  const inputs = [placed(Buffer.from(INPUT), 'input')];
  const selection = { nullTerminated: false, anyToken: false };
  const { segments, inserted } = await buildWithShape(
    { ...alone(kernel), kind: bloom, inputs, selection, rules: HEADER, observer: strict },
    HEADER,
  );
  const file = placed(new Uint8Array(), 'written.bloom');
  await writeFilter(
    { name: file, replace: true },
    kernel,
    { ...HEADER, inserted },
    suppliedBy(segments, segments.fills()),
  );
  expect(sha256(readFileSync(file))).toBe(SHA256);
});
