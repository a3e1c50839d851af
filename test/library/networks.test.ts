import { writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { openFilter } from '../../src/library/index.ts';
import { scratch } from '../cli/run.ts';

const { path, within } = scratch();

const BLOCKS = ['192.0.2.0/24', '10.0.0.0/8', '198.51.100.7', '2001:db8::/32', '::1', 'fe80::/65'];
/** Addresses in a block, by RFC 4632 and RFC 4291, and texts that are in no block. */
const INSIDE = [
  '192.0.2.99',
  '::ffff:10.9.9.9',
  ' 198.51.100.7',
  '2001:DB8:0:0::1',
  '0:0:0:0:0:0:0:1',
  '10.1.0.0/16',
  'fe80::9%eth0',
];
const OUTSIDE = [
  '192.0.3.1',
  '10.0.0.0/7',
  '198.51.100.8',
  '2001:db9::',
  '::2',
  'fe80:0:0:0:8000::',
  'host',
  '1.2.3',
  '',
];

beforeAll(async () => {
  writeFileSync(path('blocks'), BLOCKS.join('\n'));
  await within(['build', '--prefixes', '-p', '1e-12', path('blocks'), '-o', path('nets.bloom')]);
});

test('an address is found by the blocks around it, as text, as bytes, and among other keys', async () => {
  const filter = await openFilter(path('nets.bloom'));
  const keys = [...INSIDE, ...OUTSIDE];
  const expected = keys.map((_, i) => i < INSIDE.length);
  expect(keys.map((key) => filter.has(key))).toEqual(expected);
  expect(filter.hasMany(keys.map((key) => Buffer.from(key)))).toEqual(expected);
  expect(await filter.hasManyAsync(keys)).toEqual(expected);
  expect(() => filter.has(5 as unknown as string)).toThrow('a key must be a string or a Uint8Array');
  filter.close();
});

test('a program adds no blocks', async () => {
  const filter = await openFilter(path('nets.bloom'), { writable: true });
  expect(() => filter.add('192.0.2.0/25')).toThrow('the keys of');
  expect(filter.has('192.0.2.0/25')).toBe(true);
  filter.close();
});
