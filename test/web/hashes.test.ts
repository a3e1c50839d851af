// The hashes of the reader for browsers, beside those written from their specifications.

import { expect, test } from 'vitest';
import { hashes } from '../../src/web/hashes/registry.ts';
import { xxh64 } from '../../src/web/hashes/xxh64.ts';
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
