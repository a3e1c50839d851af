// Builds and counts do not depend on the number of threads, and match the oracles.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KeySelection } from '../../../src/engine/input/key-selection.ts';
import { allFieldKeys, fieldKeys, textSeparator, WHOLE_RECORD } from '../../../src/engine/input/record-keys.ts';
import { NOTHING, plus, type Tally } from '../../../src/engine/tasks/tally.ts';
import { oneFilter, type TestSpec } from '../../../src/engine/tasks/task.ts';
import { runPass } from '../../../src/engine/threads/pass.ts';
import { bloom } from '../../../src/filters/bloom.ts';
import type { Shape } from '../../../src/filters/kind.ts';
import type { OwnRules } from '../../../src/formats/bloomery/header.ts';
import type { KeyRules } from '../../../src/formats/description.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { segmented } from '../../../src/sizing/geometry.ts';
import { packedFills } from '../../filters/filling.ts';
import { PLAIN_RULES, WHOLE } from '../../kernel/scanning.ts';
import { IS_LONG, inLongRuns, sampled } from '../../long.ts';
import { writeNewFile } from '../../new-file.ts';
import { bitsOfKey, hasAll, payloadOf, probesOfDigest } from '../../reference/bloom-bits.ts';
import { below, createRandom } from '../../reference/random.ts';
import { keysOf, splitRaw, withoutTerminator } from '../../reference/records.ts';
import { xxh64 } from '../../reference/xxh64.ts';
import { bitsOf, filterOf, strict } from '../alone.ts';
import { type BuildRequest, type BuiltSegments, buildSized, buildWithShape } from '../building.ts';
import { eager, withPipes, withPoolOf } from './worker-pools.ts';

const COMMA = textSeparator(',');

const folder = mkdtempSync(join(tmpdir(), 'bloom-threads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const THREADS = inLongRuns([1, 2, 3, 5], [3]);
const SHAPE: Shape = { segments: 5, segmentBits: 4096, bits: 5 * 4096, k: 4 };
const FOLDED: OwnRules = { hash: 'xxh64', seed: 7n, ignoreCase: true, trim: true };

/** Files of records with fields, and with many repetitions. The last record of each file has no terminator. */
const FILES = Array.from({ length: 4 }, (_, file) => {
  const random = createRandom(file);
  const record = () => {
    const key = `Key ${below(random, 900)}`;
    const fields = [`${below(random, 50)}`, ` ${key} `, 'x'.repeat(below(random, 30))];
    return fields.slice(0, 1 + below(random, 3)).join(',');
  };
  return Array.from({ length: [3000, 1, 2000, 700][file] ?? 0 }, record);
});
const names = FILES.map((_, i) => join(folder, `file${i}`));
const place = (terminator: string) => {
  for (const [i, records] of FILES.entries()) writeNewFile(names[i] ?? '', records.join(terminator));
};

/** The keys of the files, and the number of records without keys, one record at a time. */
function truth(selection: KeySelection, terminator: string) {
  const keys = FILES.flatMap((records) =>
    splitRaw(Buffer.from(records.join(terminator)), selection).map((raw) =>
      keysOf(withoutTerminator(raw, selection), selection),
    ),
  );
  return { keys: keys.flat(), records: keys.length, skipped: keys.filter((ofRecord) => ofRecord.length === 0).length };
}

function requestOf(rules: KeyRules, selection: KeySelection): Omit<BuildRequest, 'pool' | 'inputs'> {
  return { context: { kernel: loadKernel(), threadIndex: 0 }, kind: bloom, selection, rules, observer: strict };
}

function expectBits({ segments, shape }: BuiltSegments, expected: Uint8Array) {
  expect(Buffer.compare(bitsOf(segments, shape), expected)).toBe(0);
}

const selections: [string, KeySelection, string][] = [
  ['lines', WHOLE, '\n'],
  ['records that end with NUL', { nullTerminated: true, keys: WHOLE_RECORD }, '\0'],
  ['fields between commas', { nullTerminated: false, keys: fieldKeys(2, COMMA) }, '\n'],
  ['fields between blanks', { nullTerminated: false, keys: fieldKeys(2) }, '\n'],
  ['some fields', { nullTerminated: false, keys: { ...fieldKeys(2, COMMA), ranges: [{ from: 2, to: 3 }] } }, '\n'],
];

describe.each(sampled(selections))('the filter of %s is that of the oracle', (_, selection, terminator) => {
  const { keys, skipped } = truth(selection, terminator);
  const payload = payloadOf(keys, { ...FOLDED, ...SHAPE });
  const folded = new Set(keys.map((key) => Buffer.from(key).toString().toLowerCase().trim()));
  beforeAll(() => place(terminator));

  test.each(THREADS)('with %d threads', async (threads) => {
    await withPoolOf(threads, eager(997), async (pool) => {
      const request = { ...requestOf(FOLDED, selection), pool };
      const built = [
        await buildWithShape({ ...request, inputs: names }, SHAPE),
        await withPipes(names, (inputs) => buildWithShape({ ...request, inputs }, SHAPE)),
      ];
      for (const result of built) {
        expect(result).toMatchObject({ inserted: keys.length, skipped, distinct: folded.size });
        expectBits(result, payload);
      }
    });
  });
});

describe('a filter that is sized from the input', () => {
  beforeAll(() => place('\n'));
  const { keys } = truth(WHOLE, '\n');
  const distinct = new Set(keys.map((key) => Buffer.from(key).toString())).size;
  const payload = payloadOf(keys, { ...PLAIN_RULES, ...SHAPE });

  test.each(THREADS)('is sized for the exact number of distinct keys with %d threads', async (threads) => {
    await withPoolOf(threads, eager(500, 1), async (pool) => {
      const request = { ...requestOf(PLAIN_RULES, WHOLE), pool };
      const estimates: number[] = [];
      const shapeFor = (items: number) => {
        estimates.push(items);
        return SHAPE;
      };
      const built = [
        await buildSized({ ...request, inputs: names }, shapeFor),
        await withPipes(names, (inputs) => buildSized({ ...request, inputs }, shapeFor)),
      ];
      expect(estimates).toEqual([distinct, distinct]);
      for (const result of built) {
        expect(result).toMatchObject({ inserted: keys.length, skipped: 0, distinct });
        expectBits(result, payload);
      }
    });
  });

  test.runIf(IS_LONG)(
    'is sized by the same estimate with any number of threads if the keys are too many to be counted',
    async () => {
      const COUNT = 140_000;
      const input = join(folder, 'many');
      writeFileSync(input, Array.from({ length: COUNT }, (_, i) => `${i}\n`).join(''));
      const shape = { ...segmented(4_300_000), k: 1 };
      expect(shape.segments).toBe(2);
      const expected = new Uint8Array(shape.bits / 8);
      for (let i = 0; i < COUNT; i++) {
        const { segment, positions } = probesOfDigest(xxh64(Buffer.from(`${i}`), 0n), shape);
        const bit = segment * shape.segmentBits + (positions[0] ?? 0);
        const byte = Math.floor(bit / 8);
        expected[byte] = (expected[byte] ?? 0) | (1 << (bit % 8));
      }
      const counts = new Set<number>();
      for (const threads of THREADS) {
        await withPoolOf(threads, eager(100_000), async (pool) => {
          const request = { ...requestOf(PLAIN_RULES, WHOLE), pool, inputs: [input] };
          const result = await buildSized(request, (items) => {
            expect(items).toBeGreaterThan(0.99 * COUNT);
            expect(items).toBeLessThanOrEqual(COUNT);
            counts.add(items);
            return shape;
          });
          expect(result).toMatchObject({ inserted: COUNT, distinct: undefined });
          expectBits(result, expected);
        });
      }
      expect(counts.size).toBe(1);
    },
  );
});

/** Digests of more keys than a thread keeps in memory: from a pipe they spill, and a regular file is read twice. */
test.runIf(IS_LONG)('keys that are not kept in memory are added by threads too', async () => {
  const COUNT = 2_200_000;
  const input = join(folder, 'spilling');
  writeFileSync(input, Array.from({ length: COUNT }, (_, i) => `${i}\n`).join(''));
  const shape = { ...segmented(8 * COUNT), k: 3 };
  await withPoolOf(2, eager(2 ** 20, 2 ** 21), async (pool) => {
    const request = { ...requestOf(PLAIN_RULES, WHOLE), pool };
    const twice = await buildSized({ ...request, inputs: [input] }, () => shape);
    const spilled = await withPipes([input], (inputs) => buildSized({ ...request, inputs }, () => shape));
    expect(twice.inserted).toBe(COUNT);
    expect(spilled.inserted).toBe(COUNT);
    const bits = bitsOf(twice.segments, shape);
    expectBits(spilled, bits);
    // A missing bit of a key would be a false negative. The fill shows that there are no other bits.
    const rules = { ...PLAIN_RULES, ...shape };
    for (let i = 0; i < COUNT; i += 997) expect(hasAll(bits, bitsOfKey(Buffer.from(`${i}`), rules))).toBe(true);
    const ones = packedFills(bloom, twice.segments).reduce((sum, fill) => sum + fill, 0);
    const expected = shape.bits * (1 - Math.exp((-3 * COUNT) / shape.bits));
    expect(Math.abs(ones - expected)).toBeLessThan(5 * Math.sqrt(shape.bits / 4));
  });
});

describe('counts of a query', () => {
  const members = ['Key 1', 'Key 7', 'Key 300', 'x', '12'].map((key) => new Uint8Array(Buffer.from(key)));
  const rules = { ...PLAIN_RULES, ...SHAPE };
  const payload = payloadOf(members, rules);
  beforeAll(() => place('\n'));

  test.each(
    sampled<[string, KeySelection]>([
      ['any of their fields', { nullTerminated: false, keys: allFieldKeys(COMMA) }],
      ['lines', WHOLE],
      ['any of their words', { nullTerminated: false, keys: allFieldKeys() }],
    ]),
  )('of %s are correct with any number of threads, in total and by file', async (_, selection: KeySelection) => {
    const isMember = (key: Uint8Array) => hasAll(payload, bitsOfKey(key, rules));
    const expected = FILES.map((records) => ({
      records: records.length,
      positives: records.filter((record) => keysOf(new Uint8Array(Buffer.from(record)), selection).some(isMember))
        .length,
    }));
    const sum = (key: 'records' | 'positives') => expected.reduce((all, counts) => all + counts[key], 0);
    for (const threads of THREADS) {
      for (const bySource of inLongRuns([false, true], [true])) {
        await withPoolOf(threads, eager(777), async (pool) => {
          const filter = filterOf(SHAPE, payload, pool.threadCount);
          const spec: TestSpec = {
            type: 'test',
            selection,
            ...oneFilter(filter, PLAIN_RULES),
            print: undefined,
            lineBuffered: false,
            bySource,
            stopAt: undefined,
          };
          const byFile = FILES.map(() => ({ records: 0, keys: 0, positives: 0, elsewhere: 0 }));
          const onTally = (index: number, tally: Parameters<typeof plus>[0]) => {
            byFile[index] = plus(byFile[index] ?? tally, tally);
            return false;
          };
          const context = { kernel: loadKernel(), threadIndex: 0 };
          const shares = await runPass({ context, pool, spec, inputs: names, observer: strict, onTally });
          expect(shares.reduce<Tally>(plus, NOTHING)).toMatchObject({
            records: sum('records'),
            positives: sum('positives'),
          });
          if (bySource) expect(byFile).toMatchObject(expected);
        });
      }
    }
  });
});
