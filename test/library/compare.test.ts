// The library compares filters as the command does, and its intervals have the numbers of sets.

import { expect, test } from 'vitest';
import { buildFilter, compareFilters, type KindName } from '../../src/library/index.ts';
import { scratch } from '../cli/run.ts';

const { path, within } = scratch();
const FIRST = Array.from({ length: 3000 }, (_, i) => `key ${i}`);
const SECOND = Array.from({ length: 2000 }, (_, i) => `key ${i + 2400}`);

test.each<KindName>(['bloom', 'blocked', 'counting'])('%s: the numbers of the command and of sets', async (kind) => {
  const [first, second] = await Promise.all([FIRST, SECOND].map((keys) => buildFilter(keys, { kind, items: 5000 })));
  if (first === undefined || second === undefined) throw new Error('there are two filters');
  const overlap = await compareFilters(first, second);
  await first.save(path(`${kind}-1.bloom`));
  await second.save(path(`${kind}-2.bloom`));
  const { stdout } = await within(['compare', '--json', `${kind}-1.bloom`, `${kind}-2.bloom`]);
  expect(JSON.parse(String(stdout))).toMatchObject(overlap);
  const both = FIRST.filter((key) => SECOND.includes(key)).length;
  const truth = { items: 3000, otherItems: 2000, union: 5000 - both, intersection: both };
  for (const [name, keys] of Object.entries(truth)) {
    const { low, high } = overlap[name as keyof typeof truth];
    expect(high - low).toBeLessThan(400);
    expect(low).toBeLessThanOrEqual(keys);
    expect(high).toBeGreaterThanOrEqual(keys);
  }
});

test('an empty filter, filters of other sizes, and kinds without an estimate', async () => {
  const [empty, some] = [await buildFilter([], { items: 100 }), await buildFilter(['a'], { items: 100 })];
  expect(await compareFilters(empty, some)).toMatchObject({ containment: null, otherContainment: { share: 0 } });
  const large = await buildFilter(['a'], { items: 100_000 });
  await expect(compareFilters(some, large)).rejects.toMatchObject({ code: 'mismatch' });
  const cuckoo = await buildFilter(['a'], { kind: 'cuckoo', items: 100 });
  await expect(compareFilters(cuckoo, cuckoo)).rejects.toMatchObject({ code: 'mismatch' });
  await expect(compareFilters(some, { ...some })).rejects.toMatchObject({ code: 'usage' });
});
