import { expect, test } from 'vitest';
import type { Shape } from '../../src/filters/kind.ts';
import { KINDS } from '../../src/filters/registry.ts';

const ENLARGING = KINDS.flatMap((kind) =>
  kind.enlarging === undefined ? [] : [[kind.name, kind, kind.enlarging] as const],
);

test.each(ENLARGING)(
  'a %s filter of any k has a larger one with one bit less per key and twice the capacity',
  (_, kind, enlarging) => {
    for (let k = 2; k <= 32; k++) {
      for (const items of [10, 1000, 50_000]) {
        const plan = kind.plan({ items, k, fpr: 0.5 });
        if (plan === undefined) throw new Error('there is no plan');
        const shape = { ...kind.geometry(plan.bits, k), k };
        const larger = enlarging.larger(shape);
        if (larger === undefined) throw new Error(`${items} keys, k = ${k}: there is no larger one`);
        expect(kind.isShape(larger)).toBe(true);
        expect(larger.k).toBe(k - 1);
        expect(enlarging.capacity(larger)).toBeGreaterThanOrEqual(2 * enlarging.capacity(shape));
      }
    }
  },
);

test.each(ENLARGING)('a %s filter of one bit per fingerprint has no larger one', (_, kind, enlarging) => {
  const plan = kind.plan({ items: 1000, k: 1, fpr: 0.5 });
  expect(enlarging.larger({ ...kind.geometry(plan?.bits ?? 0, 1), k: 1 })).toBeUndefined();
});

test.each(ENLARGING)(
  'larger %s filters follow each other until their segments would be too large',
  (_, kind, enlarging) => {
    const plan = kind.plan({ items: 100_000, k: 30, fpr: 0.5 });
    let shape: Shape | undefined = { ...kind.geometry(plan?.bits ?? 0, 30), k: 30 };
    const lengths: number[] = [];
    for (; shape !== undefined; shape = enlarging.larger(shape)) {
      expect(kind.isShape(shape), `k = ${shape.k}`).toBe(true);
      lengths.push(shape.k);
    }
    expect(lengths.length).toBeGreaterThan(5);
    expect(lengths.at(-1)).toBeGreaterThan(1);
  },
);
