// The segments of a filter in memories that threads share. No bit is lost, in any of the memories.

import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { VISIT_LIMIT } from '../../../src/engine/input/digests.ts';
import { createPayload, requireMemory } from '../../../src/engine/store/payload.ts';
import { createSegments } from '../../../src/engine/store/segments.ts';
import {
  createFilter,
  openSegments,
  type SharedSegments,
  sharedSegments,
} from '../../../src/engine/store/shared-segments.ts';
import { NOTHING, plus, type Tally } from '../../../src/engine/tasks/tally.ts';
import { type AddSpec, oneFilter, type TestSpec } from '../../../src/engine/tasks/task.ts';
import { runPass } from '../../../src/engine/threads/pass.ts';
import { bloom } from '../../../src/filters/bloom.ts';
import type { Shape } from '../../../src/filters/kind.ts';
import { CALL_BYTES } from '../../../src/filters/parameters.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { packedFills } from '../../filters/filling.ts';
import { HEADER, oracleFile, placed } from '../../formats/bloomery/files.ts';
import { openedFilter } from '../../formats/bloomery/opened.ts';
import { PLAIN_RULES, WHOLE } from '../../kernel/scanning.ts';
import { inLongRuns } from '../../long.ts';
import { bitsOfKey, hasAll, payloadOf } from '../../reference/bloom-bits.ts';
import { onesIn } from '../../reference/kinds.ts';
import { bitsOf, filterOf, strict } from '../alone.ts';
import { eager, withPoolOf } from '../threads/worker-pools.ts';
import { waitAsync } from '../waiting.ts';

const SHAPE: Shape = { segments: 7, segmentBits: 8192, bits: 7 * 8192, k: 3 };
const KEYS = Array.from({ length: 5000 }, (_, i) => `key ${i}`);
const bytesOf = (key: string) => new Uint8Array(Buffer.from(key));
const RECORDS = bytesOf(KEYS.map((key) => `${key}\n`).join(''));
const PAYLOAD = payloadOf(KEYS.map(bytesOf), { ...PLAIN_RULES, ...SHAPE });

/** Not enough for three segments, and enough for two, in addition to each memory's data for four threads. */
const TIGHT = 65_536 + 4 * (9 * VISIT_LIMIT + CALL_BYTES + 64) + 3 * (SHAPE.segmentBits / 8) - 1;

const spec = { selection: WHOLE, rules: PLAIN_RULES };
const context = () => ({ kernel: loadKernel(), threadIndex: 0 });

describe('a filter that is divided among memories', () => {
  test('has as many as it needs', () => {
    expect(createPayload(SHAPE, 4, TIGHT)).toMatchObject({ piecesEach: 2, memories: { length: 4 } });
    expect(createPayload(SHAPE, 4, TIGHT + 1)).toMatchObject({ piecesEach: 3, memories: { length: 3 } });
    expect(createPayload(SHAPE, 4)).toMatchObject({ piecesEach: 7, memories: { length: 1 } });
  });

  test('is refused if it is too large for all memories', () => {
    const huge = { ...SHAPE, segments: 600, bits: 600 * SHAPE.segmentBits };
    expect(() => createPayload(huge, 4, TIGHT)).toThrow(expect.objectContaining({ code: 'memory' }));
  });

  test.each([
    ['with segments larger than a memory', { ...SHAPE, segmentBits: 2 ** 20, bits: 7 * 2 ** 20 }],
    ['with segments without number', { ...SHAPE, segments: 2 ** 21 + 1, segmentBits: 512, bits: 512 * (2 ** 21 + 1) }],
  ])('%s is refused', (_, shape) => {
    expect(() => createPayload(shape, 4, TIGHT)).toThrow(expect.objectContaining({ code: 'memory' }));
  });

  test('with drafts larger than a memory is refused', () => {
    const drafts = { capacity: () => 1, bytes: () => 8, sealBytes: () => 2 ** 33 };
    expect(() => createPayload(SHAPE, 4, undefined, { drafts })).toThrow(expect.objectContaining({ code: 'memory' }));
  });

  test.each([1, 3])('has the bits of the oracle with %d threads', async (threads) => {
    await withPoolOf(threads, eager(1000), async (pool) => {
      const filter = filterOf(SHAPE, undefined, 4, TIGHT);
      const fill: AddSpec = { type: 'add', ...spec, filter, replay: false };
      const inputs = [{ records: RECORDS }];
      const shares = await runPass({ context: context(), pool, spec: fill, inputs, observer: strict });
      expect(shares.reduce(plus, { records: 0, keys: 0, positives: 0, elsewhere: 0 }).keys).toBe(KEYS.length);
      const segments = openSegments(filter, loadKernel(), 0);
      expect(Buffer.compare(bitsOf(segments, SHAPE), PAYLOAD)).toBe(0);
      const ones = Number(onesIn(PAYLOAD));
      expect(packedFills(bloom, segments).reduce((sum, fill) => sum + fill, 0)).toBe(ones);
    });
  });

  test.each([1, 3])('is read from its file with %d threads', async (threads) => {
    const header = { ...HEADER, ...SHAPE, ...PLAIN_RULES };
    const members = KEYS.slice(0, 600);
    const asked = [...KEYS, ...KEYS.map((key) => `no ${key}`)];
    const payload = payloadOf(members.map(bytesOf), header);
    const expected = asked.filter((key) => hasAll(payload, bitsOfKey(bytesOf(key), header))).length;
    expect(expected).toBeGreaterThanOrEqual(members.length);
    const {
      store: { stored },
      close,
    } = await openedFilter(loadKernel(), placed(oracleFile(header, members)));
    const filter: SharedSegments = sharedSegments(bloom.id, createPayload(SHAPE, 4, TIGHT), stored);
    const ask: TestSpec = {
      type: 'test',
      selection: WHOLE,
      ...oneFilter(filter, PLAIN_RULES),
      print: undefined,
      lineBuffered: false,
      bySource: false,
      stopAt: undefined,
    };
    const records = bytesOf(asked.map((key) => `${key}\n`).join(''));
    await withPoolOf(threads, eager(1000), async (pool) => {
      const shares = await runPass({ context: context(), pool, spec: ask, inputs: [{ records }], observer: strict });
      expect(shares.reduce<Tally>(plus, NOTHING)).toMatchObject({ records: asked.length, positives: expected });
    });
    close();
  });
});

const tellsMemory = process.availableMemory !== undefined;

describe.skipIf(!tellsMemory)(`the free memory${tellsMemory ? '' : ' (this Node tells nothing of it)'}`, () => {
  const freeIs = (bytes: number) => vi.spyOn(process, 'availableMemory').mockReturnValue(bytes);
  afterEach(() => vi.restoreAllMocks());

  test('must hold the filter', () => {
    freeIs((SHAPE.segments * SHAPE.segmentBits) / 8);
    requireMemory(SHAPE);
    freeIs((SHAPE.segments * SHAPE.segmentBits) / 8 - 1);
    expect(() => requireMemory(SHAPE)).toThrow(expect.objectContaining({ code: 'memory' }));
  });

  test('is not checked if it is unknown', () => {
    freeIs(0);
    requireMemory(SHAPE);
  });
});

describe('a segment', () => {
  const SMALL: Shape = { segments: 1, segmentBits: 8192, bits: 8192, k: 3 };
  /** The index after STATE. */
  const TAKEN = 1;

  test('that another thread works on is awaited', async () => {
    const filter = filterOf(SMALL, undefined, 3);
    const { states } = filter.payload;
    const segments = openSegments(filter, loadKernel(), 0);
    const { kernel, address } = segments.find(0);
    const [there] = states;
    Atomics.store(states, 0, TAKEN);
    await withPoolOf(2, eager(1000), async (pool) => {
      const filling = runPass({
        context: context(),
        pool,
        spec: { type: 'add', ...spec, filter, replay: false },
        inputs: [{ records: RECORDS }],
        observer: strict,
      });
      let isFilled = false;
      const filled = filling.then(() => {
        isFilled = true;
      });
      // A thread that wakes and finds the segment taken continues to wait.
      while (!isFilled && Atomics.notify(states, 0) === 0) await turn();
      expect(onesIn(kernel.bytes(address, 1024).slice())).toBe(0n);
      Atomics.store(states, 0, there ?? 0);
      Atomics.notify(states, 0);
      await filled;
    });
    const expected = payloadOf(KEYS.map(bytesOf), { ...PLAIN_RULES, ...SMALL });
    expect(Buffer.compare(bitsOf(segments, SMALL), expected)).toBe(0);
  });

  test('wakes waiting threads as soon as it is free', async () => {
    const { payload } = filterOf(SMALL);
    let woken: Promise<string> | undefined;
    const segments = createSegments(payload, bloom, loadKernel(), 0, () => {
      woken = waitAsync(payload.states, 0, TAKEN, 10_000).value;
    });
    segments.find(0);
    expect(await woken).toBe('ok');
  });

  test('that four threads add to loses no bit', async () => {
    // So many keys per segment that two threads often write the same word at the same time.
    const bits = inLongRuns(2 ** 20, 2 ** 18);
    const keys = inLongRuns(1_000_000, 150_000);
    const shape: Shape = { segments: 1, segmentBits: bits, bits, k: 1 };
    const records = bytesOf(Array.from({ length: keys }, (_, i) => `${i}\n`).join(''));
    const filled = async (threads: number) =>
      withPoolOf(threads, eager(2 ** 16), async (pool) => {
        const filter = filterOf(shape, undefined, pool.threadCount);
        await runPass({
          context: context(),
          pool,
          spec: { type: 'add', ...spec, filter, replay: false },
          inputs: [{ records }],
          observer: strict,
        });
        return bitsOf(openSegments(filter, loadKernel(), 0), shape);
      });
    const expected = await filled(1);
    for (let i = 0; i < keys; i += 4999) {
      expect(hasAll(expected, bitsOfKey(bytesOf(`${i}`), { ...PLAIN_RULES, ...shape }))).toBe(true);
    }
    for (let run = 0; run < inLongRuns(4, 1); run++) expect(Buffer.compare(await filled(4), expected)).toBe(0);
  });

  test('is loaded once, and again only after a failure', () => {
    const brought: number[] = [];
    const { payload } = createFilter(bloom, SHAPE, 1);
    const own = loadKernel();
    let fails = true;
    const segments = createSegments(payload, bloom, own, 0, (segment) => {
      brought.push(segment);
      if (fails) throw new Error('not this time');
    });
    expect(() => segments.find(3)).toThrow('not this time');
    fails = false;
    segments.find(3);
    segments.find(3);
    segments.find(5);
    expect(packedFills(bloom, segments)).toEqual(Array(SHAPE.segments).fill(0));
    expect(brought).toEqual([3, 3, 5, 0, 1, 2, 4, 6]);
  });
});
