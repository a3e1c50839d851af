import { expect, test } from 'vitest';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { estimateFromCouponRegisters } from '../../src/sizing/cardinality.ts';
import { inLongRuns } from '../long.ts';
import { couponOfWords, numberOf, registersOf } from '../reference/coupons.ts';
import { createRandom, randomDigests } from '../reference/random.ts';
import { usedKernel } from './kernels.ts';

const LOG = 6;
const EXTREMES = BigUint64Array.of(
  0n,
  0n,
  5n,
  1n,
  5n,
  2n,
  5n,
  3n,
  7n,
  4n,
  2n ** 64n - 1n,
  2n ** 64n - 1n,
  64n,
  2n ** 63n,
);

test.each([
  ['random', randomDigests(createRandom(3), 5000)],
  ['extreme', EXTREMES],
])('the coupons of %s words, and their registers, are those of the paper', (_, words) => {
  const kernel = loadKernel();
  const { exports, memory } = kernel;
  const count = words.length / 2;
  const [digests, numbers] = [kernel.reserve(8 * words.length), kernel.reserve(8 * count)];
  const [direct, later] = [kernel.reserve(2 ** LOG), kernel.reserve(2 ** LOG)];
  new BigUint64Array(memory.buffer, digests, words.length).set(words);
  exports.couponNumbers(digests, count, numbers);
  exports.noteDigests(direct, 2 ** LOG - 1, digests, count);
  exports.noteCoupons(later, 2 ** LOG - 1, numbers, count);

  const pairs = Array.from({ length: count }, (_, i) => [words[2 * i] ?? 0n, words[2 * i + 1] ?? 0n] as const);
  const coupons = pairs.map(couponOfWords);
  const made = new BigUint64Array(memory.buffer, numbers, count);
  expect([...made].map((number) => Number(number & 0xffffffffn))).toEqual(coupons.map(numberOf));
  expect([...made].map((number) => number >> 32n)).toEqual(pairs.map(([first]) => first >> 32n));
  const registers = registersOf(coupons, LOG);
  expect(kernel.bytes(direct, 2 ** LOG)).toEqual(registers);
  expect(kernel.bytes(later, 2 ** LOG)).toEqual(registers);
});

// The stated error of HyperLogLog holds for many keys. With a few keys per register, the estimates vary less.
test.each([
  [60, 'while most registers are empty', 1],
  [1000, 'of a few for each register', 0.7],
  [4000, 'and of many', 1],
])('the estimates of %d keys, %s, err as the theory says', (keys, _, leastVariance) => {
  const SETS = inLongRuns(1000, 150);
  const [log, random] = [8, createRandom(keys)];
  const kernel = usedKernel();
  const [digests, registers] = [kernel.reserve(16 * keys), kernel.reserve(2 ** log)];
  const scores = Array.from({ length: SETS }, () => {
    kernel.bytes(registers, 2 ** log).fill(0);
    new BigUint64Array(kernel.memory.buffer, digests, 2 * keys).set(randomDigests(random, 2 * keys));
    kernel.exports.noteDigests(registers, 2 ** log - 1, digests, keys);
    const { count, error } = estimateFromCouponRegisters(kernel.bytes(registers, 2 ** log));
    return (count - keys) / error;
  });
  const mean = scores.reduce((sum, score) => sum + score, 0) / SETS;
  const squares = scores.reduce((sum, score) => sum + score ** 2, 0);
  // The limits are four standard deviations of a mean and of a chi-square distribution.
  expect(Math.abs(mean)).toBeLessThan(4 / Math.sqrt(SETS));
  expect(squares - SETS).toBeLessThan(4 * Math.sqrt(2 * SETS));
  expect(squares - leastVariance * SETS).toBeGreaterThan(-4 * Math.sqrt(2 * SETS));
});
