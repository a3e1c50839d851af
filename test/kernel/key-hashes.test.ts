// Keys that are replaced by their cryptographic digests, against node:crypto.

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createKeyDigests } from '../../src/engine/input/given-keys.ts';
import { KEY_HASH_TEXTS, KEY_HASHES, type KeyHash, keyHashNamed, keyHashWithId } from '../../src/hashes/key-hashes.ts';
import { inLongRuns } from '../long.ts';
import { below, createRandom, shuffled } from '../reference/random.ts';
import { xxh64 } from '../reference/xxh64.ts';
import { usedKernel } from './kernels.ts';

const RULES = { hash: 'xxh64', seed: 0n, ignoreCase: false, trim: false } as const;
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));

function keyHashOf(text: string): KeyHash {
  const found = keyHashNamed(text);
  if (found === undefined) throw new Error(`there is no key hash ${text}`);
  return found;
}

/** The digest of a key in hexadecimal. */
function hexOf(key: Uint8Array, { name, isUpper }: KeyHash): string {
  const hex = createHash(name).update(key).digest('hex');
  return isUpper ? hex.toUpperCase() : hex;
}

/** Digests of keys by some rules, in as few batches as possible; undefined if a record has no key. */
function digestsBy(keyHash: KeyHash, keys: readonly Uint8Array[]): (bigint | undefined)[] {
  const kernel = usedKernel();
  const digests = createKeyDigests(kernel, { ...RULES, keyHash });
  const made: (bigint | undefined)[] = [];
  const take = () => {
    const { address, count } = digests.take();
    const first = made.length;
    made.push(...new BigUint64Array(kernel.memory.buffer, address, count).slice());
    for (const index of digests.without()) made[first + index] = undefined;
  };
  for (const key of keys) {
    if (digests.put(key)) continue;
    take();
    expect(digests.put(key)).toBe(true);
  }
  take();
  return made;
}

/** Keys of every length up to several blocks, in an order that puts short keys next to short and to long ones. */
const random = createRandom(3);
const LENGTHS = shuffled(
  random,
  Array.from({ length: inLongRuns(1200, 400) }, (_, i) => (i % 3 === 0 ? i % 300 : i % 57)),
);
const KEYS = LENGTHS.map((length) => Uint8Array.from({ length }, () => below(random, 256)));

describe.each(KEY_HASH_TEXTS)('%s', (text) => {
  const keyHash = keyHashOf(text);

  test('makes the keys that node:crypto makes', () => {
    expect(digestsBy(keyHash, KEYS)).toEqual(KEYS.map((key) => xxh64(bytesOf(hexOf(key, keyHash)), 0n)));
    for (const count of [1, 2, 3, 5])
      expect(digestsBy(keyHash, KEYS.slice(0, count))).toEqual(
        KEYS.slice(0, count).map((key) => xxh64(bytesOf(hexOf(key, keyHash)), 0n)),
      );
  });

  test('accepts digests in any case, and nothing else', () => {
    const { digits } = KEY_HASHES[keyHash.name];
    const hex = KEYS.slice(0, 50).map((key) => hexOf(key, keyHash));
    const mixed = hex.map((digest) =>
      [...digest].map((digit, i) => (i % 2 ? digit.toUpperCase() : digit.toLowerCase())).join(''),
    );
    const given = { ...keyHash, areGiven: true } as const;
    const expected = hex.map((digest) => xxh64(bytesOf(digest), 0n));
    for (const texts of [hex, mixed, hex.map((digest) => digest.toUpperCase())])
      expect(digestsBy(given, texts.map(bytesOf))).toEqual(expected);
    const digest = hex[0] ?? '';
    const wrong = [
      '',
      digest.slice(1),
      `${digest}0`,
      `${digest.slice(1)} `,
      ...['g', 'G', '@', '`', '/', ':', '\0', 'é'].map((character) => {
        const at = below(random, digits);
        return digest.slice(0, at) + character + digest.slice(at + 1);
      }),
    ];
    expect(digestsBy(given, [...wrong, digest].map(bytesOf))).toEqual([...wrong.map(() => undefined), expected[0]]);
    // A wrong character is noticed at every index.
    const broken = Array.from({ length: digits }, (_, at) => `${digest.slice(0, at)}x${digest.slice(at + 1)}`);
    expect(digestsBy(given, broken.map(bytesOf))).toEqual(broken.map(() => undefined));
  });
});

test('numbers of key hashes never change', () => {
  expect(Object.entries(KEY_HASHES).map(([name, { id, digits }]) => [name, id, digits])).toEqual([
    ['sha1', 1, 40],
    ['sha256', 2, 64],
    ['md5', 3, 32],
  ]);
  expect(keyHashWithId(1, true)).toEqual({ name: 'sha1', isUpper: true });
  expect([
    keyHashWithId(0, false),
    keyHashWithId(4, false),
    keyHashNamed('sha512'),
    keyHashNamed('sha1:lower'),
  ]).toEqual(Array(4).fill(undefined));
});
