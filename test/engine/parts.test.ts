// Parts of a filter have its bits, for any threads and inputs, and so do all parts together, built in passes.

import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { buildInPasses } from '../../src/engine/build-passes.ts';
import { createWorkerPool, type WorkerPool } from '../../src/engine/threads/worker-pool.ts';
import { bloom } from '../../src/filters/bloom.ts';
import { fuse } from '../../src/filters/fuse.ts';
import type { FilterKind, Shape } from '../../src/filters/kind.ts';
import { KINDS } from '../../src/filters/registry.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { partOf } from '../../src/sizing/share.ts';
import { PLAIN_RULES, WHOLE } from '../kernel/scanning.ts';
import { inLongRuns, sampled } from '../long.ts';
import { payloadOf } from '../reference/bloom-bits.ts';
import { partOfKey, segmentsOfPart } from '../reference/parts.ts';
import { alone, bitsOf, strict } from './alone.ts';
import { type BuildRequest, buildSized, buildWithShape } from './building.ts';
import { eager, withPipes, withPoolOf } from './threads/worker-pools.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-parts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [first, second] = [join(folder, 'first'), join(folder, 'second')];

const SHAPE: Shape = { segments: 7, segmentBits: 2 ** 14, bits: 7 * 2 ** 14, k: 4 };
const KEYS = Array.from({ length: 12_000 }, (_, i) => `key ${i * i}`);
const BYTES = KEYS.map((key) => new Uint8Array(Buffer.from(key)));
const PAYLOAD = payloadOf(BYTES, { ...PLAIN_RULES, ...SHAPE });
const PARTS = 3;
const THREADS = [1, ...inLongRuns([2, 8], [2])];

beforeEach(() => {
  writeFileSync(first, KEYS.slice(0, 5000).join('\n'));
  writeFileSync(second, KEYS.slice(5000).join('\n'));
});

/** Builds in passes. */
function inPasses(request: BuildRequest, shape: Shape, passes: number) {
  return buildInPasses(request, shape, passes, request, request);
}

function requestOf(pool: WorkerPool, inputs: readonly string[], kind: FilterKind = bloom): BuildRequest {
  const context = { kernel: loadKernel(), threadIndex: 0 };
  return { context, pool, kind, inputs, selection: WHOLE, rules: PLAIN_RULES, observer: strict };
}

describe.each(THREADS)('with %d threads', (threads) => {
  test.each(inLongRuns([1, 2, 3], [2]))('part %d of 3 has its segments and its keys', async (part) => {
    const shape = partOf(SHAPE, part, PARTS);
    const [from, to] = segmentsOfPart(SHAPE.segments, [part, PARTS]).map((segment) => segment * 2 ** 11);
    const own = BYTES.filter((key) => partOfKey(key, PLAIN_RULES, SHAPE.segments, PARTS) === part).length;
    const expected = { inserted: own, elsewhere: KEYS.length - own, skipped: 0, distinct: own };
    await withPipes([second], ([pipe = '']) =>
      withPoolOf(threads, eager(2000), async (pool) => {
        const built = await buildWithShape(requestOf(pool, [first, pipe]), shape);
        expect(built).toMatchObject(expected);
        expect(Buffer.compare(bitsOf(built.segments, shape), PAYLOAD.subarray(from, to))).toBe(0);
        const sized = await buildSized(requestOf(pool, [first, second]), () => shape);
        expect(sized).toMatchObject(expected);
        expect(Buffer.compare(bitsOf(sized.segments, shape), PAYLOAD.subarray(from, to))).toBe(0);
      }),
    );
  });

  test.each(inLongRuns([1, 2, 3, 7], [3]))('%d passes make the filter', async (passes) => {
    // Each pass has a pool like it.
    const pool = createWorkerPool(threads, eager(2000));
    const built = await inPasses(requestOf(pool, [first, second]), SHAPE, passes);
    expect(built).toMatchObject({ inserted: KEYS.length, skipped: 0 });
    expect(Buffer.compare(await drained(built, SHAPE), PAYLOAD)).toBe(0);
    expect(built.distinct()).toBe(KEYS.length);
  });
});

/** The bytes of all segments. Each is copied when the next one is requested. */
async function drained({ supply }: Awaited<ReturnType<typeof buildInPasses>>, shape: Shape): Promise<Uint8Array> {
  const bytes = shape.segmentBits / 8;
  const payload = new Uint8Array(shape.segments * bytes);
  let before: (() => void) | undefined;
  for (let i = 0; i < shape.segments; i++) {
    const { kernel, address } = await supply(i);
    before?.();
    before = () => payload.set(kernel.bytes(address, bytes), i * bytes);
  }
  before?.();
  return payload;
}

describe('in the memory of the part before', () => {
  const kinds = KINDS.filter(({ growing }) => growing === undefined);
  test.each(sampled(kinds).map((kind) => [kind.name, kind] as const))(
    'a %s filter is the same in the memory of another part and in its own',
    async (_, kind) => {
      const plan = kind.plan({ items: 1_200_000, fpr: 0.001 });
      if (plan === undefined) throw new Error('there is no plan');
      const shape = { ...kind.geometry(plan.bits, plan.k), k: plan.k };
      expect(shape.segments).toBeGreaterThan(2);
      const whole = await buildWithShape({ ...requestOf(alone().pool, [first, second], kind) }, shape);
      const fills = whole.contents.fills().map((fill) => kind.packFill(fill));
      const built = await inPasses(requestOf(alone().pool, [first, second], kind), shape, 3);
      const supplied: number[] = [];
      const supply: typeof built.supply = async (index) => {
        const segment = await built.supply(index);
        supplied.push(kind.packFill(segment.fill));
        return segment;
      };
      expect(Buffer.compare(await drained({ ...built, supply }, shape), bitsOf(whole.segments, shape))).toBe(0);
      expect(supplied).toEqual(fills);
    },
  );
});

describe('a file that changes between passes is refused:', () => {
  test.each([
    [
      'it gets keys',
      () => appendFileSync(second, '\nmore\n'),
      'had 7,000 keys when it was read first, and 7,001 later',
    ],
    ['it loses keys', () => writeFileSync(second, 'one\n'), 'had 7,000 keys when it was read first, and 1 later'],
    [
      'it is replaced',
      () => {
        renameSync(second, `${second}.old`);
        writeFileSync(second, KEYS.slice(5000).join('\n'));
      },
      'second was replaced or removed while it was read',
    ],
  ])('%s', async (_, change, message) => {
    const built = await inPasses(requestOf(alone().pool, [first, second]), SHAPE, 2);
    change();
    await expect(drained(built, SHAPE)).rejects.toMatchObject({
      code: 'changed',
      message: expect.stringContaining(message),
    });
  });
});

test('an unreadable input is reported once', async () => {
  const missing: string[] = [];
  const observer = { onUnreadable: (error: Error) => void missing.push(error.message) };
  const inputs = [first, join(folder, 'missing'), second];
  const built = await inPasses({ ...requestOf(alone().pool, inputs), observer }, SHAPE, 3);
  expect(Buffer.compare(await drained(built, SHAPE), PAYLOAD)).toBe(0);
  expect(missing).toHaveLength(1);
});

test('a full part states the number of keys to build the whole filter for', async () => {
  const plan = fuse.plan({ items: 1200, fpr: 0.01 });
  if (plan === undefined) throw new Error('there is no plan');
  const shape = { segments: 4, segmentBits: 2 ** 12, bits: 2 ** 14, k: plan.k };
  const error = await buildWithShape(requestOf(alone().pool, [first, second], fuse), partOf(shape, 1, 2)).catch(
    (refusal: unknown) => refusal,
  );
  expect(error).toMatchObject({ code: 'capacity' });
  // About half of the keys belong to the full part.
  const [, hint = ''] = /-n ([\d,]+)/.exec(String((error as { hint: string }).hint)) ?? [];
  expect(Number(hint.replace(/,/g, ''))).toBeGreaterThanOrEqual(11_000);
  expect(Number(hint.replace(/,/g, ''))).toBeLessThanOrEqual(13_000);
});
