// The hashes of the reader for browsers, beside those written from their specifications.

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashes } from '../../src/web/hashes/registry.ts';
import { xxh64 } from '../../src/web/hashes/xxh64.ts';
import { keyHashes } from '../../src/web/parts/key-hashes.ts';
import { inLongRuns } from '../long.ts';
import { digestOf } from '../reference/digests.ts';
import { createRandom } from '../reference/random.ts';

const HASHES = { xxh64, ...hashes.hashes };

const SEEDS = [0n, 1n, 0xfedcba9876543210n, 2n ** 64n - 1n];

test.each(['xxh64', 'xxh3', 'murmur3', 'farm64'] as const)(
  '%s is that of the oracle for keys of any length',
  (hash) => {
    const random = createRandom(5);
    const lengths = [...Array(inLongRuns(700, 300)).keys(), 1023, 1024, 1025, 2048, 5000];
    for (const length of lengths) {
      // The keys begin at odd offsets of a larger buffer.
      const key = Uint8Array.from({ length: length + 3 }, () => random()).subarray(3);
      for (const seed of inLongRuns(SEEDS, [SEEDS[length % 4] ?? 0n]))
        expect(HASHES[hash]?.(key, seed), `${length} bytes`).toBe(
          digestOf(key, { hash, seed, ignoreCase: false, trim: false }),
        );
    }
  },
);

test.each(['md5', 'sha1', 'sha256'])('a key hashed with %s has the digits of Node, of any length', (algorithm) => {
  const random = createRandom(6);
  for (let length = 0; length <= 130; length++) {
    const key = Uint8Array.from({ length: length + 1 }, () => random()).subarray(1);
    const digits = createHash(algorithm).update(key).digest('hex');
    const hashed = ['', ':upper'].map((digit) =>
      Buffer.from(keyHashes.keyHashes?.(key, algorithm + digit) ?? []).toString(),
    );
    expect(hashed, `${length} bytes`).toEqual([digits, digits.toUpperCase()]);
  }
});
