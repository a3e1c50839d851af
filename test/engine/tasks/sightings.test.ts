// Which sighting of its key a record is, compared with exact lists of sightings: keys come again in the same batch, in the next, and
// much later, and reading pauses anywhere.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createUnseen } from '../../../src/engine/dedup.ts';
import { openDedup } from '../../../src/engine/tasks/dedup-keys.ts';
import type { DedupSpec } from '../../../src/engine/tasks/task.ts';
import { bloom } from '../../../src/filters/bloom.ts';
import type { FilterKind, Shape } from '../../../src/filters/kind.ts';
import { scalable } from '../../../src/filters/scalable.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { piecewise } from '../../kernel/pieces.ts';
import { PLAIN_RULES, WHOLE } from '../../kernel/scanning.ts';
import { inLongRuns } from '../../long.ts';
import { createRandom } from '../../reference/random.ts';
import { createSightings } from '../../reference/sightings.ts';

const RUNS = inLongRuns(400, 40);

/** So accurate that no key of a test is taken for another. */
const FPR = 1e-13;

const SIZES: Readonly<Record<string, { readonly kind: FilterKind; readonly shape: Shape }>> = {
  'one segment': { kind: bloom, shape: { segments: 1, segmentBits: 2 ** 20, bits: 2 ** 20, k: 40 } },
  'several segments': { kind: bloom, shape: { segments: 5, segmentBits: 2 ** 19, bits: 5 * 2 ** 19, k: 40 } },
  'slices that are soon full': {
    kind: scalable,
    shape: {
      ...{ segments: 1, segmentBits: 2 ** 14, bits: 2 ** 14, k: 47 },
      chain: { fpr: FPR, growth: 2, tightening: 0.85, slices: [{ segments: 1, k: 47 }] },
    },
  },
};

interface Case {
  readonly size: keyof typeof SIZES;
  /** Numbers of keys; the records have those beside them too. */
  readonly keys: readonly number[];
  readonly copies: number;
  readonly pieces: number;
  readonly seed: number;
}

const cases: fc.Arbitrary<Case> = fc.record({
  size: fc.constantFrom(...Object.keys(SIZES)),
  keys: fc.array(fc.oneof(fc.nat(5), fc.nat(300)), { minLength: 1, maxLength: 200 }),
  copies: fc.constantFrom(1, 1, 3, 40),
  pieces: fc.constantFrom(7, 300, 2 ** 20),
  seed: fc.nat(),
});

/** The records of a case: in each copy of the list there are new keys too. */
function recordsOf({ keys, copies }: Case): string[] {
  return Array.from({ length: copies }, (_, copy) =>
    keys.map((key) => (key % 7 === 6 ? `${copy}-${key}` : `${key}`)),
  ).flat();
}

/** What is printed of the records. */
async function printed(testCase: Case, sightings: number, selects: DedupSpec['selects']): Promise<string[]> {
  const { size, pieces, seed } = testCase;
  const { kind, shape } = SIZES[size] ?? { kind: bloom, shape: { segments: 0, segmentBits: 0, bits: 0, k: 0 } };
  const levels = Array.from({ length: sightings }, () => createUnseen(kind, shape, 1));
  const spec: DedupSpec = { type: 'dedup', selection: WHOLE, rules: PLAIN_RULES, levels, selects, prints: true };
  const output: Buffer[] = [];
  const task = openDedup({ kernel: loadKernel(), threadIndex: 0 }, spec, {
    write: (bytes) => void output.push(Buffer.from(bytes)),
  });
  const text = Buffer.from(
    recordsOf(testCase)
      .map((record) => `${record}\n`)
      .join(''),
  );
  await task.scan(piecewise(text, createRandom(seed), { most: pieces, blocking: 0.3 }), {
    name: undefined,
    first: true,
    turn: undefined,
  });
  task.finish();
  return Buffer.concat(output).toString().split('\n').slice(0, -1);
}

/** The records of which so many sightings were known before. */
function wanted(testCase: Case, sightings: number, isWanted: (before: number) => boolean): string[] {
  const before = createSightings({ sightings });
  return recordsOf(testCase).filter((key) => isWanted(before({ key, window: 0 })));
}

describe('the records that are printed', () => {
  test.each([
    ['first sightings', 1, 'new', 0],
    ['all but the first', 1, 'known', 1],
    ['second sightings', 2, 'new', 1],
    ['from the third on', 2, 'known', 2],
    ['from the eighth on', 7, 'known', 7],
  ] as const)('%s', async (_, sightings, selects, before) => {
    const isWanted = (known: number) => known === before;
    await fc.assert(
      fc.asyncProperty(cases, async (testCase) => {
        expect(await printed(testCase, sightings, selects)).toEqual(wanted(testCase, sightings, isWanted));
      }),
      { numRuns: RUNS },
    );
  });
});
