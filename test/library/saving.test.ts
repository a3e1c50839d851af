// A filter that changes while it is saved: the file has the state at the time of the call.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { KINDS } from '../../src/filters/registry.ts';
import { buildFilter, type Filter, type KindName, mergeFilters, openFilter } from '../../src/library/index.ts';
import { scratch } from '../cli/run.ts';
import { inLongRuns } from '../long.ts';

const { path } = scratch();

const keys = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}${i}`);
const growing = KINDS.filter(({ abilities }) => abilities.includes('add')).map(({ name }) => name as KindName);
const [OLD, NEW] = [keys('old', 300), keys('new', 300)];

/** Changes a filter at once, some microtasks later and while the system writes, until something is done. */
async function changing(filter: Filter, done: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  done.then(over, over);
  filter.addMany(NEW.slice(0, 100));
  for (const key of NEW.slice(100, 130)) {
    await Promise.resolve();
    filter.add(key);
  }
  for (const key of NEW.slice(130)) {
    filter.add(key);
    if (!isOver) await new Promise(setImmediate);
  }
  await done;
}

/** Sizes with one segment and with several. By default each kind has one of them. */
const sizes = (kind: number) => inLongRuns([1000, 1_000_000], kind % 2 === 0 ? [1000, 500_000] : [1000]);
describe.each(growing.flatMap((kind, i) => sizes(i).map((items) => ({ kind, items }))))(
  'a $kind filter for $items keys',
  ({ kind, items }) => {
    const built = () => buildFilter(OLD, { kind, items });

    test('is saved as it was, and keeps the keys that came meanwhile', async () => {
      const [filter, expected] = [await built(), await (await built()).toBytes()];
      await changing(filter, filter.save(path('saved')));
      expect(readFileSync(path('saved')).equals(expected)).toBe(true);
      expect(filter.hasMany([...OLD, ...NEW])).not.toContain(false);
    });

    test('gives its bytes at the call of toBytes, and the same to a union', async () => {
      const [filter, expected] = [await built(), await (await built()).toBytes()];
      const bytes = filter.toBytes();
      await changing(filter, bytes);
      expect(Buffer.compare(await bytes, expected)).toBe(0);
      if (kind === 'scalable') return;
      const [one, other] = [await built(), await buildFilter(['other'], { kind, items })];
      const union = mergeFilters([one, other]);
      await changing(one, union);
      expect((await union).stats().inserted).toBe(OLD.length + 1);
      const unchanged = await mergeFilters([await built(), other]);
      expect(Buffer.compare(await (await union).toBytes(), await unchanged.toBytes())).toBe(0);
    });
  },
);

test('unread segments are copied from the file, also after additions and after the filter is closed', async () => {
  const built = await buildFilter(OLD, { items: 1_000_000 });
  await built.save(path('stored'));
  const filter = await openFilter(path('stored'), { writable: true });
  const saved = filter.save(path('copy'));
  filter.addMany(NEW);
  filter.close();
  await saved;
  expect(readFileSync(path('copy')).equals(readFileSync(path('stored')))).toBe(true);
  expect(() => filter.has('old1')).toThrow('was closed');
});

test('the last of several saves to a file remains', async () => {
  await (await buildFilter(OLD, { items: 1_000_000 })).save(path('own'));
  const filter = await openFilter(path('own'), { writable: true });
  const saves: Promise<void>[] = [];
  for (const key of NEW.slice(0, 5)) {
    filter.add(key);
    saves.push(filter.save(path('own')));
  }
  const expected = await filter.toBytes();
  filter.add('late');
  await Promise.all(saves);
  expect(readFileSync(path('own')).equals(expected)).toBe(true);
  filter.close();
});

test('a scalable filter that grows meanwhile is saved as it was', async () => {
  const filter = await buildFilter(OLD, { kind: 'scalable', items: 100 });
  const before = await filter.toBytes();
  const saves = [filter.save(path('small'))];
  filter.addMany(keys('more', 20_000));
  const after = await filter.toBytes();
  saves.push(filter.save(path('large')));
  filter.addMany(keys('most', 50_000));
  await Promise.all(saves);
  expect(after.length).toBeGreaterThan(4 * before.length);
  expect(readFileSync(path('small')).equals(before)).toBe(true);
  expect(readFileSync(path('large')).equals(after)).toBe(true);
});

test('a filter that becomes unusable meanwhile is saved as it was', async () => {
  const filter = await buildFilter(OLD.slice(0, 50), { kind: 'cuckoo', items: 100 });
  const before = await filter.toBytes();
  const saved = filter.save(path('full'));
  expect(() => filter.addMany(NEW)).toThrow(expect.objectContaining({ code: 'capacity' }));
  await saved;
  expect(readFileSync(path('full')).equals(before)).toBe(true);
});

test('the next save runs after a failed one', async () => {
  const filter = await buildFilter(OLD, { items: 1000 });
  const failed = filter.save(path('no/such/folder'));
  const saved = filter.save(path('after'));
  await expect(failed).rejects.toMatchObject({ code: 'output' });
  await saved;
  expect(readFileSync(path('after')).equals(await filter.toBytes())).toBe(true);
});
