import { expect, test } from 'vitest';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { sanityBytes } from '../reference/sanity-bytes.ts';
import { xxh3 } from '../reference/xxh3.ts';
import { singleDigests } from './hashing.ts';

const SEED = 0x9e3779b185ebca8dn;
const kernel = loadKernel();
const at = kernel.reserve(4096);
const digestAt = singleDigests(kernel);

function hashed(bytes: Uint8Array, seed: bigint): bigint {
  kernel.bytes(at, bytes.length).set(bytes);
  return digestAt('xxh3', at, bytes.length, seed);
}

// XSUM_XXH3_testdata of xxHash's cli/xsum_sanity_check.c, at each length with seed 0 and with the seed above.
test.each([
  [0, 0x2d06800538d394c2n, 0xa8a6b918b2f0364an],
  [1, 0xc44bdff4074eecdbn, 0x032be332dd766ef8n],
  [6, 0x27b56a84cd2d7325n, 0x84589c116ab59ab9n],
  [12, 0xa713daf0dfbb77e7n, 0xe7303e1b2336de0en],
  [24, 0xa3fe70bf9d3510ebn, 0x850e80fc35bdd690n],
  [48, 0x397da259ecba1f11n, 0xadc2cbaa44acc616n],
  [80, 0xbcdefbbb2c47c90an, 0xc6dd0cb699532e73n],
  [195, 0xcd94217ee362ec3an, 0xba68003d370cb3d9n],
  [403, 0xcdeb804d65c6dea4n, 0x6259f6ecfd6443fdn],
  [512, 0x617e49599013cb6bn, 0x3ce457de14c27708n],
  [2048, 0xdd59e2c3a5f038e0n, 0x66f81670669ababcn],
  [2240, 0x6e73a90539cf2948n, 0x757ba8487d1b5247n],
  [2367, 0xcb37aeb9e5d361edn, 0xd2db3415b942b42an],
])(
  'of %d sanity bytes is that of the reference implementation, in the kernel and in the oracle',
  (length, plain, seeded) => {
    const bytes = sanityBytes(length);
    for (const hash of [hashed, xxh3]) expect([hash(bytes, 0n), hash(bytes, SEED)]).toEqual([plain, seeded]);
  },
);

test.each([960, 1023, 1024, 1025, 1087, 1088, 1089, 2047, 2049, 3072, 3073])(
  'is that of the oracle where blocks and stripes end, for %d bytes',
  (length) => {
    const bytes = sanityBytes(length);
    for (const seed of [0n, SEED, 2n ** 64n - 1n]) expect(hashed(bytes, seed)).toBe(xxh3(bytes, seed));
  },
);
