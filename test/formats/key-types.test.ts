// Filters with keys that are not text. Other systems wrote the files, and their answers are recorded.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { createWorkerPool } from '../../src/engine/threads/worker-pool.ts';
import { KEY_TYPE_NAMES, type KeyType } from '../../src/formats/key-types.ts';
import { KNOWN_FORMATS } from '../../src/formats/registry.ts';
import { ENCODINGS } from '../../src/hashes/encodings.ts';
import { eager } from '../engine/threads/worker-pools.ts';
import { encoded } from '../reference/encodings.ts';
import { SYSTEMS } from '../reference/formats/systems.ts';
import { positivesIn } from './asking.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures/typed', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bloom-typed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The encodings of the bytes that systems hash, by system and key type. */
const HASHED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  cassandra: { int32: 'int32be' },
  datasketches: { int64: 'int64le', double: 'float64le' },
  hbase: { cell: 'hbase-cell' },
  guava: { int32: 'int32le', int64: 'int64le', utf16: 'utf16le' },
  spark: { int64: 'int64le' },
};

/** The files of typed keys. A name begins with the type, and ends with the variant of the format if it must be stated. */
const FILES = Object.keys(HASHED).flatMap((system) =>
  readdirSync(join(FIXTURES, system))
    .filter((file) => !file.endsWith('.answers'))
    .map((file) => ({ system, file, type: file.split(/[-.]/)[0] as KeyType })),
);

/** The keys and the answers of the system. Each line has an answer, a tab and a key. */
function answersOf(system: string, file: string): { readonly keys: string[]; readonly answer: string }[] {
  const text = readFileSync(join(FIXTURES, system, `${file.split('.')[0]}.answers`), 'utf8');
  const lines = text.split('\n').slice(0, -1);
  return ['1', '0'].map((answer) => ({
    answer,
    keys: lines.filter((line) => line.startsWith(answer)).map((line) => line.slice(2)),
  }));
}

const alone = createWorkerPool(1);
const together = createWorkerPool(3, eager(199));
afterAll(() => together.close());

test('there are files of each system with key types of its own', () => {
  expect(FILES.length).toBe(12);
  for (const { system, type } of FILES) expect(HASHED[system]).toHaveProperty(type);
});

describe.each(FILES)('$system/$file', ({ system, file, type }) => {
  const path = join(FIXTURES, system, file);
  const variant = KNOWN_FORMATS.flatMap(({ variants = [] }) => variants).find(({ name }) => file.endsWith(`.${name}`));
  const answers = answersOf(system, file);

  test('has the answers of its system by the oracle', () => {
    const { has } = SYSTEMS[system]?.decode(new Uint8Array(readFileSync(path)), variant?.name) ?? {};
    for (const { keys, answer } of answers)
      for (const key of keys) {
        const bytes = encoded(HASHED[system]?.[type] ?? '', Buffer.from(key));
        expect(has?.(bytes ?? new Uint8Array(0)), key).toBe(answer === '1');
      }
  });

  test('has them in the program, with one thread and three', async () => {
    const inputs = answers.map(({ keys, answer }) => {
      writeFileSync(join(folder, answer), keys.map((key) => `${key}\n`).join(''));
      return join(folder, answer);
    });
    const expected = answers.map(({ keys, answer }) => (answer === '1' ? keys.length : 0));
    for (const pool of [alone, together])
      expect(await positivesIn(path, inputs, pool, { format: variant?.name, keyType: type })).toEqual(expected);
    // A serialized Java object tells the type of its keys.
    if (file.endsWith('.ser')) expect(await positivesIn(path, inputs, alone)).toEqual(expected);
  });
});

describe('of every format', () => {
  test.each(KNOWN_FORMATS.map((format) => [format.name, format] as const))(
    '%s: keys may be text',
    (_, { keyTypes }) => {
      expect(keyTypes).toHaveProperty('text');
      expect(keyTypes.text?.encoding).toBeUndefined();
      for (const [type, { encoding }] of Object.entries(keyTypes)) {
        expect(KEY_TYPE_NAMES).toContain(type);
        if (encoding !== undefined) expect(ENCODINGS).toHaveProperty([encoding]);
      }
    },
  );
});
