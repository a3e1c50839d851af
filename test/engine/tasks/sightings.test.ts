// Which sighting of its key a record is, compared with exact lists. Keys come again in the same batch, in the next one and much later,
// in the same window or not. Reading pauses anywhere.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createUnseen } from '../../../src/engine/dedup.ts';
import { openDedup } from '../../../src/engine/tasks/dedup-keys.ts';
import type { DedupSpec } from '../../../src/engine/tasks/task.ts';
import type { Keeper } from '../../../src/engine/tasks/thread-context.ts';
import { blocked } from '../../../src/filters/blocked.ts';
import { bloom } from '../../../src/filters/bloom.ts';
import { counting } from '../../../src/filters/counting.ts';
import type { FilterKind, Shape } from '../../../src/filters/kind.ts';
import { scalable } from '../../../src/filters/scalable.ts';
import type { ByteSource } from '../../../src/io/source.ts';
import { type Windows, windowOf } from '../../../src/sizing/windows.ts';
import { usedKernel } from '../../kernel/kernels.ts';
import { piecewise } from '../../kernel/pieces.ts';
import { PLAIN_RULES, WHOLE } from '../../kernel/scanning.ts';
import { IS_LONG, inLongRuns } from '../../long.ts';
import { createRandom } from '../../reference/random.ts';
import { createLevels, createSightings, windowsOfRecords, windowsOfTimes } from '../../reference/sightings.ts';

const RUNS = inLongRuns(60, 4);
/** Fewer runs by default if each makes many filters. */
const runsFor = (sightings: number) => inLongRuns(RUNS, Math.ceil((2 * RUNS) / (1 + sightings)));

/** A rate so low that no key of a test is a false positive. */
const FPR = 1e-13;

interface Size {
  readonly kind: FilterKind;
  readonly shape: Shape;
}

const shapeOf = (segments: number, segmentBits: number, k: number): Shape => ({
  segments,
  segmentBits,
  bits: segments * segmentBits,
  k,
});

const FIXED: readonly Size[] = [
  { kind: bloom, shape: shapeOf(1, 2 ** 20, 40) },
  { kind: bloom, shape: shapeOf(5, 2 ** 19, 40) },
  { kind: blocked, shape: shapeOf(3, 2 ** 21, 8) },
  { kind: counting, shape: shapeOf(2, 2 ** 21, 40) },
];

/** Slices that are soon full. */
const GROWING: Size = {
  kind: scalable,
  shape: {
    ...shapeOf(1, 2 ** 14, 47),
    chain: { fpr: FPR, growth: 2, tightening: 0.85, slices: [{ segments: 1, k: 47 }] },
  },
};

/** Some records, repeated; each copy has new records too. */
function copied(keys: readonly number[], copies: number): string[] {
  const copyOf = (copy: number) => keys.map((key) => (key % 7 === 6 ? `${copy}-${key}` : `${key}`));
  return Array.from({ length: copies }, (_, copy) => copyOf(copy)).flat();
}

/** What each number of sightings selects. */
const SELECTIONS = [
  ['first sightings', 1, 'new', 0],
  ['all but the first', 1, 'known', 1],
  ['second sightings', 2, 'new', 1],
  ['from the third on', 2, 'known', 2],
  ['from the eighth on', 7, 'known', 7],
] as const;

const numbers = fc.array(fc.oneof(fc.nat(5), fc.nat(300)), { minLength: 1, maxLength: 200 });

interface Setting extends Pick<DedupSpec, 'selects'> {
  readonly size: Size;
  readonly sightings: number;
  readonly windows?: Windows;
  /** The window that continues at the start. */
  readonly begun?: number;
  readonly clock?: () => number;
  readonly onRead?: () => void;
  readonly recordsBefore?: number;
  /** Called whenever the state can be saved, with the text printed so far. */
  readonly onKeep?: (records: number, printed: string) => void;
}

/** The text printed for the records of a source. */
async function printed(setting: Setting, source: ByteSource): Promise<string[]> {
  const { size, sightings, windows, begun = 0, recordsBefore = 0, selects, clock, onRead, onKeep } = setting;
  const seen = Array.from({ length: sightings }, () => [
    { window: begun, filter: createUnseen(size.kind, size.shape, 1), keys: 0 },
  ]);
  const spec = {
    type: 'dedup',
    selection: WHOLE,
    rules: PLAIN_RULES,
    seen,
    windows,
    recordsBefore,
    selects,
    prints: true,
    estimates: false,
  } as const;
  const output: Buffer[] = [];
  const write = (bytes: Uint8Array) => void output.push(Buffer.from(bytes));
  const keeper = onKeep && keeping(recordsBefore, (records) => onKeep(records, Buffer.concat(output).toString()));
  const task = openDedup({ kernel: usedKernel(), threadIndex: 0, keeper, ...(clock && { clock }) }, spec, { write });
  await task.scan(source, { name: undefined, first: true, turn: undefined }, onRead);
  task.finish();
  return Buffer.concat(output).toString().split('\n').slice(0, -1);
}

function keeping(begun: number, keep: (records: number) => void): Keeper {
  let kept = begun;
  return {
    isDue: (records) => records > kept,
    patience: () => undefined,
    async keep(_, records) {
      kept = records;
      keep(records);
    },
  };
}

const text = (records: readonly string[]) => Buffer.from(records.map((record) => `${record}\n`).join(''));

/** The records with this many earlier sightings. */
function wanted(records: readonly string[], sightings: number, before: number): string[] {
  const known = createSightings({ sightings });
  return records.filter((key) => known({ key, window: 0 }) === before);
}

describe('the records that are printed', () => {
  const cases = fc.record({
    size: fc.constantFrom(...FIXED, GROWING),
    keys: numbers,
    copies: fc.constantFrom(1, 1, 3, 40),
    most: fc.constantFrom(7, 300, 2 ** 20),
    seed: fc.nat(),
  });

  test.each(SELECTIONS)('%s', async (_, sightings, selects, before) => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ size, keys, copies, most, seed }) => {
        const records = copied(keys, copies);
        const source = piecewise(text(records), createRandom(seed), { most, blocking: 0.3 });
        expect(await printed({ size, sightings, selects }, source)).toEqual(wanted(records, sightings, before));
      }),
      { numRuns: runsFor(sightings) },
    );
  });
});

describe('with windows of records, what is printed', () => {
  const cases = fc.record({
    size: fc.constantFrom(...FIXED, GROWING),
    keys: numbers,
    length: fc.constantFrom(1, 2, 3, 10, 64, 1000, 3000),
    copies: fc.constantFrom(1, 1, 1, 60),
    keep: fc.constantFrom(0, 1, 2, 5),
    most: fc.constantFrom(7, 300, 2 ** 20),
    seed: fc.nat(),
  });

  test.each(SELECTIONS)('%s', async (_, sightings, selects, before) => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ size, keys, copies, length, keep, most, seed }) => {
        const records = copied(keys, copies);
        const known = createLevels(sightings, keep);
        const window = windowsOfRecords(length);
        const expected = records.filter((key, i) => known({ key, window: window(i) }) === before);
        const source = piecewise(text(records), createRandom(seed), { most, blocking: 0.3 });
        const windows = { of: 'records', length, keep } as const;
        expect(await printed({ size, sightings, selects, windows }, source)).toEqual(expected);
      }),
      { numRuns: runsFor(sightings) },
    );
  });
});

test('levels of filters and counts of sightings give the same answers', () => {
  const arrivals = fc.array(fc.record({ key: fc.constantFrom('a', 'b'), window: fc.nat(12) }), { maxLength: 60 });
  fc.assert(
    fc.property(arrivals, fc.integer({ min: 1, max: 5 }), fc.nat(4), (some, sightings, windows) => {
      const [byLevels, byCount] = [createLevels(sightings, windows), createSightings({ sightings, windows })];
      for (const arrival of some.toSorted((a, b) => a.window - b.window))
        expect(byLevels(arrival) === sightings).toBe(byCount(arrival) === sightings);
    }),
  );
});

describe('with windows of time, what is printed', () => {
  /** Records that come at the same time, a while after those before. */
  const arrivals = fc.array(
    fc.record({
      after: fc.oneof(fc.nat(30), fc.constantFrom(-50, 99, 100, 101, 250, 1000, 10_000)),
      keys: fc.array(fc.nat(8), { minLength: 1, maxLength: 12 }),
      isAwaited: fc.boolean(),
    }),
    { minLength: 1, maxLength: 30 },
  );
  const cases = fc.record({
    size: fc.constantFrom(...FIXED, GROWING),
    arrivals,
    keep: fc.constantFrom(0, 1, 2, 5),
    start: fc.nat(1000),
  });
  const LENGTH = 100;

  test.each(SELECTIONS)('%s', async (_, sightings, selects, before) => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ size, arrivals: some, keep, start }) => {
        let time = start;
        const timed = some.map(({ after, keys, isAwaited }) => {
          time = Math.max(0, time + after);
          return { time, records: keys.map(String), isAwaited };
        });
        const known = createLevels(sightings, keep);
        const windowAt = windowsOfTimes(LENGTH);
        windowAt(start);
        const expected = timed.flatMap(({ time: at, records }) => {
          const window = windowAt(at);
          return records.filter((key) => known({ key, window }) === before);
        });
        const { source, onRead, clock } = arriving(timed, start);
        const windows = { of: 'milliseconds', length: LENGTH, keep } as const;
        const setting = { size, sightings, selects, windows, begun: windowOf(windows, start), clock, onRead };
        expect(await printed(setting, source)).toEqual(expected);
      }),
      { numRuns: runsFor(sightings) },
    );
  });

  /** A source whose records come at their times, some after a wait. */
  function arriving(
    some: readonly { readonly time: number; readonly records: readonly string[]; readonly isAwaited: boolean }[],
    start: number,
  ) {
    let now = start;
    let next = 0;
    const arrive = () => {
      const coming = some[next];
      if (coming !== undefined) now = coming.time;
    };
    const deal = (into: Uint8Array) => {
      const bytes = text(some[next++]?.records ?? []);
      into.set(bytes);
      return bytes.length;
    };
    if (some[0]?.isAwaited === false) arrive();
    const source: ByteSource = {
      name: 'arriving',
      size: undefined,
      read: (into) => (some[next]?.isAwaited === true ? undefined : deal(into)),
      async wait(into) {
        arrive();
        return deal(into);
      },
      close: () => {},
    };
    /** Called when records were noted: time continues to the next records that were not waited for. */
    const onRead = () => {
      if (some[next]?.isAwaited === false) arrive();
    };
    return { source, onRead, clock: () => now };
  }
});

test('kept sightings were printed by then', async () => {
  const cases = fc.record({
    size: fc.constantFrom(...FIXED, GROWING),
    keys: numbers,
    most: fc.constantFrom(7, 300),
    seed: fc.nat(),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ size, keys, most, seed }) => {
      const records = keys.map(String);
      const kept: number[] = [];
      const onKeep = (count: number, soFar: string) => {
        kept.push(count);
        expect(soFar).toBe(text(wanted(records.slice(0, count - 50), 1, 0)).toString());
      };
      const windows = { of: 'records', length: 10_000, keep: 0 } as const;
      const source = piecewise(text(records), createRandom(seed), { most, blocking: 0.3 });
      await printed({ size, sightings: 1, selects: 'new', windows, recordsBefore: 50, onKeep }, source);
      expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b));
      expect(kept.at(-1)).toBe(50 + records.length);
    }),
    { numRuns: RUNS },
  );
});

test('a key is removed exactly when the kept windows after its own have passed', async () => {
  const [length, keep] = [10, 3];
  for (const at of inLongRuns([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [0, 9])) {
    for (let distance = 1; distance <= (keep + 2) * length; distance++) {
      // By default only the distances beside the ends of windows.
      if ((!IS_LONG || (at !== 0 && at !== length - 1)) && distance % 10 > 2) continue;
      const records = Array.from({ length: at + distance + 1 }, (_, i) =>
        i === at || i === at + distance ? 'key' : `${i}`,
      );
      const source = piecewise(text(records), createRandom(at), { most: 2 ** 20, blocking: 0 });
      const windows = { of: 'records', length, keep } as const;
      const found = await printed({ size: FIXED[0] as Size, sightings: 1, selects: 'new', windows }, source);
      const isForgotten = found.filter((record) => record === 'key').length === 2;
      expect(isForgotten, `${at} + ${distance}`).toBe(
        Math.floor((at + distance) / length) - Math.floor(at / length) > keep,
      );
      if (distance <= keep * length) expect(isForgotten).toBe(false);
      if (distance >= (keep + 1) * length) expect(isForgotten).toBe(true);
    }
  }
});
