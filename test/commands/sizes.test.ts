// `build` makes exactly what `size` shows: for every kind, any number of keys, and any flags.

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sizeableKind } from '../../src/commands/kind-rows.ts';
import { rowsFor } from '../../src/commands/size-rows.ts';
import { type Design, ownDesign } from '../../src/engine/design.ts';
import { BloomError } from '../../src/errors.ts';
import type { FilterKind } from '../../src/filters/kind.ts';
import { KINDS } from '../../src/filters/registry.ts';
import { FORMATS } from '../../src/formats/registry.ts';
import { buildFilter, sizeFilter } from '../../src/library/index.ts';
import { type Constraints, withHeadroom } from '../../src/sizing/solve.ts';
import { inLongRuns } from '../long.ts';
import { below, createRandom, type Random } from '../reference/random.ts';

const RULES = { hash: 'xxh64', seed: 0n, ignoreCase: false, trim: false } as const;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bloom-sizes-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The rows that `size` computes. */
function rowsOf(kind: FilterKind, constraints: Constraints) {
  const sizeables = [sizeableKind(kind, FORMATS[0])];
  return rowsFor({ sizeables, isChoice: false, constraints: [constraints], headroom: undefined });
}

/** A number between two limits. All orders of magnitude are equally likely. */
function logUniform(random: Random, low: number, high: number): number {
  return low * (high / low) ** (random() / 2 ** 32);
}

/** Flags as people give them: keys plus a rate or bits, or more of them. */
function constraintsOf(random: Random, { growing }: FilterKind): Constraints {
  const keys = Math.round(logUniform(random, 1, 1e7));
  const items = withHeadroom(keys, [0, 0, 0.1, 0.3][below(random, 4)]);
  const fpr = logUniform(random, 1e-7, 0.5);
  const k = 1 + below(random, 12);
  const bits = Math.round(items * logUniform(random, 3, 60));
  const growth = growing === undefined ? undefined : [2, 4, 8, 16][below(random, 4)];
  const all: Constraints[] = [
    { items, fpr },
    { items, fpr, k },
    { items, bits },
    { items, bits, k },
    { bits, fpr },
    { items, bitsPerKey: bits / items },
    { items, fpr, growth },
  ];
  return all[below(random, all.length)] ?? { items, fpr };
}

/** The result of some work, or the message with which it is refused. */
function attempted<T>(work: () => T): T | string {
  try {
    return work();
  } catch (error) {
    if (error instanceof BloomError) return error.message;
    throw error;
  }
}

function parametersOf({ size }: Design) {
  if (size.type === 'counted') throw new Error('the keys or the bits are stated');
  return size.parameters;
}

test.each(KINDS)('size shows the $name filters that build makes, and refuses those that build refuses', (kind) => {
  const random = createRandom(kind.id);
  for (let round = 0; round < inLongRuns(800, 20); round++) {
    const constraints = constraintsOf(random, kind);
    const sized = attempted(() => rowsOf(kind, constraints));
    const built = attempted(() => parametersOf(ownDesign(kind, RULES, constraints)));
    if (typeof sized === 'string' || typeof built === 'string') {
      expect(sized).toBe(built);
      continue;
    }
    const { shape, capacity, targetFpr } = built;
    expect(sized.rows).toMatchObject([
      {
        plan: { items: capacity, fpr: targetFpr, bits: shape.bits, k: shape.k },
        segments: shape.segments,
      },
    ]);
    const [{ plan, rateWith } = { plan: { predictedFpr: -1 }, rateWith: () => -1 }] = sized.rows;
    expect(plan.predictedFpr).toBe(kind.predictedRate(capacity, shape));
    expect(rateWith(capacity)).toBe(plan.predictedFpr);
  }
});

test.each(KINDS.map(({ name }) => name as NonNullable<Parameters<typeof sizeFilter>[0]['kind']>))(
  'a %s filter has the size that bloom size states',
  async (kind) => {
    const random = createRandom(1);
    for (let round = 0; round < inLongRuns(15, 2); round++) {
      const items = round === 0 ? 30 : Math.round(logUniform(random, 1, inLongRuns(1e6, 1000)));
      const size = { kind, items, fpr: round === 0 ? 0.001 : logUniform(random, 1e-5, 0.3) };
      const sized = sizeFilter(size);
      const keys = Array.from({ length: items }, (_, i) => `key ${i}`);
      const filter = await buildFilter(keys, size);
      const { bits, hashes, segments, capacity } = filter.stats();
      expect({ bits, hashes, segments }).toEqual({ bits: sized.bits, hashes: sized.hashes, segments: sized.segments });
      expect(capacity).toBeGreaterThanOrEqual(items);
      const name = join(folder, 'built');
      await filter.save(name, { replace: true });
      expect(statSync(name).size).toBe(sized.bytes);
      expect(filter.hasMany(keys).every(Boolean)).toBe(true);
      filter.close();
    }
  },
);

test.each(KINDS.filter(({ refuses }) => refuses))(
  'a $name filter accepts the number of keys that --overfill states',
  async (kind) => {
    const name = kind.name as NonNullable<Parameters<typeof sizeFilter>[0]['kind']>;
    for (const items of inLongRuns([1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 100_000], [1, 30])) {
      for (const fpr of inLongRuns([0.3, 0.1, 0.01, 0.001], [0.01])) {
        const constraints = { items, fpr };
        const { rows } = rowsOf(kind, constraints);
        for (const factor of [1, 1.5, 2, 3]) {
          const keys = Math.round(factor * items);
          if (rows[0]?.rateWith(keys) === undefined) continue;
          const filter = await buildFilter(
            Array.from({ length: keys }, (_, i) => `key ${i}`),
            { ...constraints, kind: name },
          );
          filter.close();
        }
      }
    }
  },
);
