// Positions, and thus h mod m, for any m, against integers of any size.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inLongRuns } from '../long.ts';
import type { TwoWords } from '../reference/bit-array-bits.ts';
import { usedKernel } from './kernels.ts';

const LAST = 2n ** 64n - 1n;
const KEYS = 1024;

/** The kernel's positions `from` to `to` of the digests with these indices. */
function positionsOf(digests: readonly TwoWords[], keys: readonly number[], bits: bigint, from: number, to: number) {
  const kernel = usedKernel();
  const words = (count: number) => {
    const address = kernel.reserve(8 * count);
    return new BigUint64Array(kernel.memory.buffer, address, count);
  };
  const digestWords = words(2 * digests.length);
  const parameters = words(1);
  const positions = words(keys.length * (to - from) + 1);
  const indicesAt = kernel.reserve(4 * keys.length);
  const indices = new Uint32Array(kernel.memory.buffer, indicesAt, keys.length);
  digestWords.set(digests.flat());
  parameters.set([bits]);
  indices.set(keys);
  positions.fill(LAST);
  kernel.exports.doubleHashing(
    digestWords.byteOffset,
    indicesAt,
    keys.length,
    from,
    to,
    positions.byteOffset,
    parameters.byteOffset,
  );
  expect(positions.at(-1)).toBe(LAST);
  return positions.slice(0, -1);
}

/** Multiples of m and their neighbours. A division that is only nearly exact gets their quotients wrong. */
function boundaries(m: bigint): bigint[] {
  const most = LAST / m;
  const spread = Array.from({ length: KEYS / 16 }, (_, i) => (most * BigInt(i)) / BigInt(KEYS / 16 - 1));
  const near = spread.flatMap((quotient) => [-2n, -1n, 0n, 1n, 2n, m / 2n, m / 2n + 1n].map((by) => quotient * m + by));
  return [0n, LAST, LAST - 1n, 2n ** 63n, ...near].filter((x) => x >= 0n && x <= LAST);
}

/** Any m up to 2^40, with all lengths equally likely, and the numbers around powers of 2. */
const moduli = fc
  .oneof(
    fc.nat(40).chain((length) => fc.bigInt(1n, 2n ** BigInt(length))),
    fc.tuple(fc.integer({ min: 1, max: 40 }), fc.bigInt(-3n, 0n)).map(([power, by]) => 2n ** BigInt(power) + by),
  )
  .filter((m) => m > 0n);

test('h mod m is that of whole numbers, at the boundaries too', () => {
  fc.assert(
    fc.property(moduli, fc.array(fc.bigInt(0n, LAST), { maxLength: 64 }), (m, others) => {
      const numbers = [...boundaries(m), ...others];
      const digests = numbers.map((x): TwoWords => [x, 0n]);
      expect(positionsOf(digests, [...digests.keys()], m, 0, 1).join()).toBe(numbers.map((x) => x % m).join());
    }),
    { seed: 1, numRuns: inLongRuns(2000, 100) },
  );
});

test('the smallest m that is divided by in doubles, and its neighbours', () => {
  for (let m = 2n ** 16n - 20n; m < 2n ** 16n + 20n; m++) {
    const numbers = boundaries(m);
    const digests = numbers.map((x): TwoWords => [x, 0n]);
    expect(positionsOf(digests, [...digests.keys()], m, 0, 1).join()).toBe(numbers.map((x) => x % m).join());
  }
});
