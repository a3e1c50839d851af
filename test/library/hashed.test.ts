// Keys that are already digests, made by Node's crypto.

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { buildFilter, openFilter } from '../../src/library/index.ts';

const sha1 = (key: string) => createHash('sha1').update(key).digest('hex');
const KEYS = Array.from({ length: 300 }, (_, i) => `key ${i}`);

test('digests in either case are the same keys as their texts', async () => {
  const built = await buildFilter(KEYS.map(sha1), { keyHash: 'sha1', hashed: true, items: 1000 });
  const texts = await buildFilter(KEYS, { keyHash: 'sha1', items: 1000 });
  const bytes = await texts.toBytes();
  expect(Buffer.compare(await built.toBytes(), bytes)).toBe(0);
  expect(built.stats().keyHash).toBe('sha1');

  const filter = await openFilter(bytes, { hashed: true });
  const digests = KEYS.map((key, i) => (i % 2 === 0 ? sha1(key) : sha1(key).toUpperCase()));
  expect(filter.hasMany(digests)).toEqual(KEYS.map(() => true));
  expect(filter.has(sha1('no key'))).toBe(false);
  expect(filter.has('key 1')).toBe(false);
  const whole = await openFilter(bytes);
  expect([whole.has('key 1'), whole.has(sha1('key 1'))]).toEqual([true, false]);
});

test('a key that is not a digest is not added', async () => {
  const options = { keyHash: 'md5', hashed: true, items: 1000 } as const;
  await expect(buildFilter(['key'], options)).rejects.toThrow('a key to add is not a value of the type of keys');
  const filter = await buildFilter([], options);
  expect(() => filter.add(sha1('a'))).toThrow('a key to add is not a value of the type of keys');
  expect(filter.stats()).toMatchObject({ inserted: 0, estimatedItems: 0 });
  filter.add(createHash('md5').update('a').digest('hex'));
  expect(filter.stats().inserted).toBe(1);
});

test('digests need the name of their hash', async () => {
  await expect(buildFilter([], { hashed: true })).rejects.toMatchObject({ code: 'usage', hint: 'add keyHash' });
  const plain = await buildFilter(KEYS, { items: 1000 });
  await expect(openFilter(await plain.toBytes(), { hashed: true })).rejects.toMatchObject({ code: 'usage' });
  await expect(buildFilter([], { hashed: 'sha1' as unknown as boolean })).rejects.toThrow(
    'hashed must be true or false',
  );
});
