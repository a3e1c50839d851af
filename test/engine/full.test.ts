// A full filter states the number of keys and the capacity to build it for. The test builds that filter.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createWorkerPool, type WorkerPool } from '../../src/engine/threads/worker-pool.ts';
import { BloomError } from '../../src/errors.ts';
import type { FilterKind, Shape } from '../../src/filters/kind.ts';
import { KINDS } from '../../src/filters/registry.ts';
import { digestsOf, keysNamed, linesOf, openVessel } from '../filters/filling.ts';
import { usedKernel } from '../kernel/kernels.ts';
import { PLAIN_RULES, WHOLE } from '../kernel/scanning.ts';
import { IS_LONG, inLongRuns } from '../long.ts';
import { writeNewFile } from '../new-file.ts';
import { strict } from './alone.ts';
import { type BuildRequest, type BuiltSegments, buildWithShape } from './building.ts';
import { eager, withPoolOf } from './threads/worker-pools.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-full-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const input = join(folder, 'keys');

/** Kinds with a fixed size. */
const STEADY = KINDS.filter(({ growing }) => growing === undefined);
const REFUSING = KINDS.filter(({ refuses }) => refuses);
const CAPACITY = 1000;

/** Writes lines with this many distinct keys, and repeats them all `copies` times. */
function place(distinct: number, copies: number): void {
  const lines = Array.from({ length: distinct }, (_, i) => `key ${i}\n`).join('');
  writeNewFile(input, lines.repeat(copies));
}

function shapeFor(kind: FilterKind, items: number): Shape {
  const plan = kind.plan({ items, fpr: 0.01 });
  if (plan === undefined) throw new Error('n and p suffice');
  return { ...kind.geometry(plan.bits, plan.k), k: plan.k };
}

function requestFor(kind: FilterKind, pool: WorkerPool = createWorkerPool(1)): BuildRequest {
  const context = { kernel: usedKernel(), threadIndex: 0 };
  return { context, pool, kind, inputs: [input], selection: WHOLE, rules: PLAIN_RULES, observer: strict };
}

function build(kind: FilterKind, items: number, pool?: WorkerPool): Promise<BuiltSegments> {
  return buildWithShape(requestFor(kind, pool), shapeFor(kind, items));
}

/** The numbers in the error of a build whose filter is too small. */
async function refusal(
  kind: FilterKind,
  pool?: WorkerPool,
): Promise<{ keys: number; distinct: number; advised: number }> {
  const error = await build(kind, CAPACITY, pool).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof BloomError)) throw new Error(`${kind.name}: ${error}`);
  expect(error.code).toBe('capacity');
  const numbers = /capacity for ([\d,]+) keys \((?:about )?([\d,]+) distinct\); .* with -n ([\d,]+)$/.exec(
    `${error.message}; ${error.hint}`,
  );
  const [keys = 0, distinct = 0, advised = 0] = numbers?.slice(1).map((text) => Number(text.replaceAll(',', ''))) ?? [];
  return { keys, distinct, advised };
}

test.each(STEADY.map((kind) => [kind.name, kind] as const))(
  'a full %s filter refuses keys if its kind states so',
  async (_, kind) => {
    place(20 * CAPACITY, 1);
    const refused = await build(kind, CAPACITY).then(
      () => false,
      (error: unknown) => error instanceof BloomError && error.code === 'capacity',
    );
    expect(refused).toBe(kind.refuses);
  },
);

describe.each(REFUSING.map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
  const some: readonly (readonly [number, number])[] = [
    [3_000, 1],
    [3_000, 10],
    // More keys than are counted: by default for one kind.
    ...(IS_LONG || kind.name === 'quotient' ? [[150_000, 2] as const] : []),
  ];
  const more: typeof some = [
    [30_000, 1],
    [3_000, 2],
    [12_345, 3],
    [150_000, 1],
  ];
  test.each([...some, ...inLongRuns(more, [])])('%d keys, each %d times', async (distinct, copies) => {
    place(distinct, copies);
    const told = await refusal(kind);
    expect(told.keys).toBe(distinct * copies);
    // Up to about 130 thousand keys are counted; larger numbers are estimated.
    if (distinct < 130_000) expect(told.distinct).toBe(distinct);
    else {
      expect(Math.abs(told.distinct / distinct - 1)).toBeLessThan(0.02);
      // An estimate is rounded to the digits that it can promise.
      expect(told.distinct % 1000).toBe(0);
    }
    // No key needs more than one slot per copy, and copies need hardly more capacity than keys.
    expect(told.advised).toBeGreaterThanOrEqual(distinct);
    expect(told.advised).toBeLessThanOrEqual(1.1 * 1.6 * distinct * copies);
    const { inserted } = await build(kind, told.advised);
    expect(inserted).toBe(distinct * copies);
  });

  test.runIf(IS_LONG)('threads count together', async () => {
    place(5_000, 3);
    expect(await withPoolOf(3, eager(2 ** 14), (pool) => refusal(kind, pool))).toEqual(await refusal(kind));
  });

  // One of several segments is full first. The segments that are visited after it have free slots.
  test.each(inLongRuns([1, 4], [4]))(
    'with %d segments loses none of the accepted keys, and refuses the next one',
    async (segments) => {
      const { segmentBits, k } = shapeFor(kind, CAPACITY);
      const shape = { segments, segmentBits, bits: segments * segmentBits, k };
      const digests = await digestsOf(linesOf(keysNamed('key', 4 * segments * CAPACITY)), PLAIN_RULES);
      const taken = async (keys: number) => {
        place(keys, 1);
        const building = buildWithShape(requestFor(kind), shape);
        const filter = await building.then(
          (built) => built.filter,
          (error: unknown) => void expect(error).toMatchObject({ code: 'capacity' }),
        );
        if (filter === undefined) return false;
        expect(openVessel(shape, filter).count(digests.subarray(0, keys))).toBe(keys);
        return true;
      };
      let [most, least] = [1, digests.length];
      expect(await taken(most)).toBe(true);
      expect(await taken(least)).toBe(false);
      while (least - most > 1) {
        const middle = Math.floor((most + least) / 2);
        if (await taken(middle)) most = middle;
        else least = middle;
      }
      expect(most).toBeGreaterThanOrEqual((segments * CAPACITY) / 2);
    },
  );
});
