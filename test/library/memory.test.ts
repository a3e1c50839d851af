// Filters that replace each other, as in a server that loads a new filter every night.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { buildFilter, type KindName, openFilter } from '../../src/library/index.ts';
import { sampled } from '../long.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-memory-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const keys = Array.from({ length: 500 }, (_, i) => `key ${i}`);

/** The number of memories that were made. */
let made = 0;
const { Memory } = WebAssembly;
WebAssembly.Memory = class extends Memory {
  constructor(...descriptor: ConstructorParameters<typeof Memory>) {
    super(...descriptor);
    made++;
  }
};
afterAll(() => {
  WebAssembly.Memory = Memory;
});

/** The number of consecutive swaps. */
const SWAPS = 40;

test.each(sampled<KindName>(['bloom', 'scalable', 'cuckoo']))(
  'a %s filter reuses the memory of a closed one, and answers by its own keys',
  async (kind) => {
    const names = [0, 1].map((i) => join(folder, `${kind}-${i}`));
    const halves = [keys.slice(0, 250), keys.slice(250)];
    for (const [i, name] of names.entries()) {
      const built = await buildFilter(halves[i] ?? [], { kind, items: 2_000_000, fpr: 1e-6 });
      await built.save(name);
      built.close();
    }
    const alone = await Promise.all(names.map((name) => openFilter(name)));
    const expected = alone.map((filter) => [filter.hasMany(keys), filter.stats().estimatedItems]);
    for (const filter of alone) filter.close();
    const madeBefore = made;
    let before = await openFilter(names[0] ?? '');
    for (let swap = 1; swap <= SWAPS; swap++) {
      const next = await openFilter(names[swap % 2] ?? '');
      before.close();
      before = next;
      expect([next.hasMany(keys), next.stats().estimatedItems]).toEqual(expected[swap % 2]);
      if (swap % 10 === 0) {
        // An empty new filter has no bits of the old one.
        const empty = await buildFilter([], { kind, items: 2_000_000, fpr: 1e-6 });
        expect(empty.hasMany(keys)).toEqual(keys.map(() => false));
        expect(empty.stats().estimatedItems).toBe(0);
        empty.close();
      }
    }
    before.close();
    // Two memories for each filter, of which two are open. Garbage collection may have freed some.
    expect(made - madeBefore).toBeLessThan(SWAPS);
  },
);

test('an iterable may close its filter and open another one', async () => {
  const name = join(folder, 'bloom-0');
  const [first, reference] = [await openFilter(name), await openFilter(name)];
  let opened: ReturnType<typeof openFilter> | undefined;
  function* closing() {
    yield* keys;
    first.close();
    opened = openFilter(name);
    yield* keys;
  }
  expect(() => first.hasMany(closing())).toThrow('was closed');
  const second = await opened;
  expect(second?.hasMany(keys)).toEqual(reference.hasMany(keys));
  second?.close();
  reference.close();
});
