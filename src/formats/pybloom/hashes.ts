// How pybloom hashes a key for a filter of k slices: numbers of 2 bytes where these are small, else of 4 or 8, and the hash that
// has enough of them. Where one has not, the key is hashed again with another salt.

import type { createHash } from 'node:crypto';
import { BloomError } from '../../errors.ts';
import type { KeyRules } from '../description.ts';
import type { PybloomSlices } from './slices.ts';
import { VARIANTS, type Variant } from './versions.ts';

/** The loop of the kernel knows the hashes by these numbers. */
const ALGORITHMS = ['md5', 'xxh128', 'sha1', 'sha256', 'sha384', 'sha512'] as const;
const DIGEST_BYTES = { md5: 16, xxh128: 16, sha1: 20, sha256: 32, sha384: 48, sha512: 64 } as const;

const SALT_WORDS = 8;

/** XXH3 with 128 bits of four NULs, which is the only salt that it has: fewer numbers than its digest has are taken of it. */
const XXH128_SALT = Buffer.from('2a33816ed7e0c373dbe563c737220b65', 'hex');

type Algorithm = (typeof ALGORITHMS)[number];

/** Variants differ in the hash of filters of few slices. */
const FEW = { 'pybloom-3': 'md5', 'pybloom-4': 'xxh128' } as const satisfies Readonly<Record<Variant, Algorithm>>;

/** Words of all positions of a key that are taken for possible: few filters have more than a hundred. */
const WORDS_LIMIT = 1024;

/** The rules of filters of which a key may be in any, one after the other in its digest. Throws a `format` error. */
export async function rulesOf(
  filters: readonly PybloomSlices[],
  stated: string | undefined,
  name: string,
): Promise<KeyRules> {
  // Here, as few need it and it takes time to load.
  const { createHash } = await import('node:crypto');
  const variant = VARIANTS.find((known) => known.name === stated)?.name;
  const words = filters.reduce((sum, { k }) => sum + k, 0);
  if (words > WORDS_LIMIT)
    throw new BloomError('format', `${name} takes ${words} hashes of a key, more than this bloom makes`);
  const told = filters.map((filter) => {
    const algorithm = algorithmOf(filter) ?? (variant === undefined ? undefined : FEW[variant]);
    if (algorithm === undefined) throw ambiguous(name);
    return parametersOf(filter, algorithm, createHash);
  });
  const parameters = [BigInt(filters.length), ...told.flat()];
  return { hash: 'pybloom', seed: 0n, parameters, words: Math.max(1, words), ignoreCase: false, trim: false };
}

function numberBytes({ sliceBits }: PybloomSlices): number {
  if (sliceBits >= 2 ** 31) return 8;
  return sliceBits >= 2 ** 15 ? 4 : 2;
}

/** The hash that has as many bits as the numbers take, or the longest; undefined where it depends on the version. */
function algorithmOf(filter: PybloomSlices): Algorithm | undefined {
  const bits = 8 * numberBytes(filter) * filter.k;
  if (bits > 384) return 'sha512';
  if (bits > 256) return 'sha384';
  if (bits > 160) return 'sha256';
  return bits > 128 ? 'sha1' : undefined;
}

/** What the kernel is told of a filter. */
function parametersOf(filter: PybloomSlices, algorithm: Algorithm, hash: typeof createHash): bigint[] {
  const { k, sliceBits } = filter;
  const [digestBytes, bytes] = [DIGEST_BYTES[algorithm], numberBytes(filter)];
  const salts = Math.ceil((k * bytes) / digestBytes);
  return [
    ...[ALGORITHMS.indexOf(algorithm), digestBytes, bytes, k, sliceBits, salts].map(BigInt),
    ...Array.from({ length: salts }, (_, i) => saltWords(algorithm, i, hash)).flat(),
  ];
}

/** The hash of the number of a salt. */
function saltWords(algorithm: Algorithm, index: number, hash: typeof createHash): bigint[] {
  const salt = new Uint8Array(8 * SALT_WORDS);
  salt.set(algorithm === 'xxh128' ? XXH128_SALT : hash(algorithm).update(Uint32Array.of(index)).digest());
  return [...new BigUint64Array(salt.buffer)];
}

function ambiguous(name: string): BloomError {
  return new BloomError(
    'format',
    `${name} is a filter of pybloom, whose versions hash keys of such small filters with MD5 or, from 4.0 on, with XXH3`,
    'state --format pybloom-3 or pybloom-4: the right one finds, with -e KEY, a key that is in it',
  );
}
