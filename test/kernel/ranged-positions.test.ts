// The positions in filters that each have the keys of one range, for any hash and any offset of the part.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyRanges } from '../../src/filters/key-ranges.ts';
import type { RangedPart } from '../../src/filters/kind.ts';
import { POSITION_RULES } from '../../src/filters/position-rules.ts';
import { inLongRuns } from '../long.ts';
import { hbasePositions } from '../reference/formats/hbase.ts';
import { leveldbPositions } from '../reference/formats/leveldb.ts';
import { legacyPositions, localPositions } from '../reference/formats/rocksdb.ts';
import { usedKernel } from './kernels.ts';

type Positions = (hash: bigint, part: RangedPart) => bigint[];

const ORACLES: Readonly<Record<'hbase' | 'leveldb' | 'local-bloom' | 'rocksdb-legacy', Positions>> = {
  // m is an int.
  hbase: (hash, { bits, k }) => hbasePositions(hash, bits, k),
  leveldb: (hash, { bits, k }) => leveldbPositions(hash & 0xffffffffn, bits, k),
  'local-bloom': (hash, { bits, k }) => localPositions(hash, bits, k),
  'rocksdb-legacy': (hash, { bits, k, lineBits = 512 }) => legacyPositions(hash & 0xffffffffn, bits, lineBits, k),
};

/** Parts of whole lines, with at most 2^31 bits, at any offset. */
const parts = fc
  .record({
    first: fc.nat(2 ** 30),
    lines: fc.integer({ min: 1, max: 2 ** 22 - 1 }),
    k: fc.integer({ min: 1, max: 127 }),
  })
  .map(({ first, lines, k }) => ({ first: 8 * first, bits: 512 * lines, k, lineBits: 512 }));

const hashes = fc.bigInt(0n, 2n ** 64n - 1n);

/** The kernel's digest of a hash if there is only one range. */
function digestIn(part: RangedPart, hash: bigint): bigint[] {
  const ranges = keyRanges({ separators: [], parts: [part], isBehind: false, order: 'bytes' });
  return [hash, ...ranges.parts];
}

describe.each(Object.entries(ORACLES))('%s', (name, oracle) => {
  test('positions from any one to any other; those from k on are the last again', () => {
    const range = fc.tuple(fc.nat(40), fc.nat(40)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
    const digests = fc.array(fc.tuple(parts, hashes), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(digests, range, (all, [from, to]) => {
        const kernel = usedKernel();
        const words = all.flatMap(([part, hash]) => digestIn(part, hash));
        const [digestsAt, keysAt] = [kernel.reserve(8 * words.length), kernel.reserve(4 * all.length)];
        const positionsAt = kernel.reserve(8 * all.length * (to - from));
        new BigUint64Array(kernel.memory.buffer, digestsAt, words.length).set(words);
        new Uint32Array(kernel.memory.buffer, keysAt, all.length).set([...all.keys()]);
        const rule = POSITION_RULES[name as keyof typeof ORACLES];
        rule.entry(kernel)(digestsAt, keysAt, all.length, from, to, positionsAt, 0);
        const expected = all.flatMap(([part, hash]) => {
          const positions = oracle(hash, part).map((position) => position + BigInt(part.first));
          return Array.from({ length: to }, (_, i) => positions[Math.min(i, part.k - 1)]).slice(from);
        });
        expect([...new BigUint64Array(kernel.memory.buffer, positionsAt, expected.length)]).toEqual(expected);
      }),
      { seed: 1, numRuns: inLongRuns(1200, 100) },
    );
  });
});
