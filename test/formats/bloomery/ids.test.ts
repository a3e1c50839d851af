// The numbers that are stored in files. If a test fails here, old files would be read incorrectly.

import { expect, test } from 'vitest';
import { BloomError } from '../../../src/errors.ts';
import { FORMER_KINDS, KINDS, kindWithId, PROTECTED_KINDS } from '../../../src/filters/registry.ts';
import { FLAGS, FORMAT_VERSION, HEADER_BYTES } from '../../../src/formats/bloomery/header.ts';
import { MAGIC } from '../../../src/formats/bloomery/signature.ts';
import { HASHES, hashNamed, hashWithId } from '../../../src/hashes/registry.ts';

const idsOf = (named: readonly { readonly name: string; readonly id: number }[]) =>
  Object.fromEntries(named.map(({ name, id }) => [name, id]));

test('numbers never change', () => {
  expect([...MAGIC]).toEqual([0x89, 0x42, 0x4c, 0x4d, 0x0d, 0x0a, 0x1a, 0x0a]);
  expect(FORMAT_VERSION).toBe(1);
  expect(HEADER_BYTES).toBe(128);
  expect(FLAGS).toEqual({
    ...{ ignoreCase: 1, trim: 2, part: 4, note: 8, tags: 16, origin: 32, unicodeCase: 64, domains: 256, networks: 512 },
  });
  expect(idsOf(HASHES)).toEqual({ xxh64: 1, xxh3: 2, murmur3: 3, farm64: 4 });
  expect(idsOf(KINDS)).toEqual({
    ...{ bloom: 1, blocked: 2, counting: 3, cuckoo: 4, quotient: 5, ribbon: 6, scalable: 7, fuse: 10 },
  });
  expect(FORMER_KINDS.map(({ name, id }) => [name, id])).toEqual([
    ['fuse', 9],
    ['ribbon', 11],
    ['fuse', 12],
  ]);
  expect(idsOf(PROTECTED_KINDS)).toEqual({ ribbon: 13, fuse: 14 });
});

test('each number has exactly one meaning', () => {
  for (const ids of [
    HASHES.map(({ id }) => id),
    [...KINDS, ...FORMER_KINDS, ...PROTECTED_KINDS].map(({ id }) => id),
    Object.values(FLAGS),
  ]) {
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => id > 0)).toBe(true);
  }
  for (const flag of Object.values(FLAGS)) expect(Math.log2(flag) % 1).toBe(0);
});

test('fuse filters of the former choice of slots are refused', () => {
  expect(() => kindWithId(8, 'old.bloom')).toThrow('old.bloom has the kind number 8');
});

test('each number gives the name that it belongs to', () => {
  for (const hash of HASHES) expect([hashWithId(hash.id), hashNamed(hash.name)]).toEqual([hash, hash]);
  expect(hashWithId(0)).toBeUndefined();
  expect(kindWithId(1, 'x').name).toBe('bloom');
  expect(() => kindWithId(999, 'some.bloom')).toThrow(BloomError);
  expect(() => kindWithId(999, 'some.bloom')).toThrow('some.bloom has the kind number 999');
});
