// How pybloom hashes a key for a filter of k slices. Numbers have 2 bytes if they are small, else 4 or 8. The hash is
// the shortest that has enough numbers. If none has enough, the key is hashed again with another salt.

import type { createHash } from 'node:crypto';
import { BloomError } from '../../errors.ts';
import type { KeyRules } from '../description.ts';
import type { PybloomSlices } from './slices.ts';
import { VARIANTS, type Variant } from './versions.ts';

/** The numbers by which the loop of the kernel knows the hashes. */
const ALGORITHMS = ['md5', 'xxh128', 'sha1', 'sha256', 'sha384', 'sha512'] as const;
const DIGEST_BYTES = { md5: 16, xxh128: 16, sha1: 20, sha256: 32, sha384: 48, sha512: 64 } as const;

const SALT_WORDS = 8;

/**
 * XXH3 with 128 bits of four NULs. It is the only salt of this hash, because the positions never need a second
 * digest.
 */
const XXH128_SALT = Buffer.from('2a33816ed7e0c373dbe563c737220b65', 'hex');

type Algorithm = (typeof ALGORITHMS)[number];

/** The variants differ in the hash of filters of few slices. */
const FEW = { 'pybloom-3': 'md5', 'pybloom-4': 'xxh128' } as const satisfies Readonly<Record<Variant, Algorithm>>;

/** The largest plausible number of words of all positions of a key. Few filters need more than a hundred. */
const WORDS_LIMIT = 1024;

/**
 * The rules of filters that are queried together. A digest has the positions of each filter in order. Throws a
 * `format` error.
 */
export async function rulesOf(
  filters: readonly PybloomSlices[],
  stated: string | undefined,
  name: string,
): Promise<KeyRules> {
  // node:crypto takes time to load, and few files need it.
  const { createHash } = await import('node:crypto');
  const variant = VARIANTS.find((known) => known.name === stated)?.name;
  const words = filters.reduce((sum, { k }) => sum + k, 0);
  if (words > WORDS_LIMIT)
    throw new BloomError('format', `${name} needs ${words} words of hashes per key, which is too many`);
  const described = filters.map((filter) => {
    const algorithm = algorithmOf(filter) ?? (variant === undefined ? undefined : FEW[variant]);
    if (algorithm === undefined) throw ambiguous(name);
    return parametersOf(filter, algorithm, createHash);
  });
  const parameters = [BigInt(filters.length), ...described.flat()];
  return { hash: 'pybloom', seed: 0n, parameters, words: Math.max(1, words), ignoreCase: false, trim: false };
}

function numberBytes({ sliceBits }: PybloomSlices): number {
  if (sliceBits >= 2 ** 31) return 8;
  return sliceBits >= 2 ** 15 ? 4 : 2;
}

/**
 * The shortest hash that has enough bits for the numbers, else the longest hash. Undefined if it depends on the
 * version.
 */
function algorithmOf(filter: PybloomSlices): Algorithm | undefined {
  const bits = 8 * numberBytes(filter) * filter.k;
  if (bits > 384) return 'sha512';
  if (bits > 256) return 'sha384';
  if (bits > 160) return 'sha256';
  return bits > 128 ? 'sha1' : undefined;
}

/** The parameters of a filter for the kernel. */
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
    `${name} is a filter of pybloom, and for such filters versions before 4.0 use MD5 and newer versions XXH3`,
    'state --format pybloom-3 or --format pybloom-4; the right version finds a key of the filter with -e KEY',
  );
}
