// The positions of a key, against integers of any length. STEPS in the sources describes how systems add and divide.

import { expect, test } from 'vitest';
import { alternatingSteps } from '../../src/sizing/alternating.ts';
import { steppedRateFromFill } from '../../src/sizing/stepped.ts';
import { STEPS, type Steps, steppingOf } from '../../src/sizing/steps.ts';
import { bloomRate } from '../../src/sizing/systems/system.ts';
import { createRandom } from '../reference/random.ts';

const K = 12;
/** Words of systems whose sums never overflow. */
const WORD_BITS = 40;

/** The positions by their definition, for the words a and b. */
function defined({ sumBits, negative, isHalved, isLonger }: Steps, a: bigint, b: bigint, bits: bigint): number[] {
  return Array.from({ length: K }, (_, i) => {
    let [sum, step] = [a, b];
    for (let j = 0; j < i; j++) {
      sum += step;
      if (isLonger) step += BigInt(j + 1);
    }
    if (sumBits === undefined) return Number(sum % bits);
    const kept = BigInt.asUintN(sumBits, sum);
    const signed = negative === undefined ? kept : BigInt.asIntN(sumBits, kept);
    const magnitude = signed >= 0n ? signed : negative === 'negated' ? -signed : -1n - signed;
    return Number((isHalved ? magnitude / 2n : magnitude) % bits);
  });
}

const steady = Object.entries<Steps>(STEPS).filter(([, { isProduct, isAlternating }]) => !isProduct && !isAlternating);

test.each(steady)('%s: the positions of a key are those of its two words', (_, steps) => {
  const random = createRandom(8);
  const wordBits = steps.sumBits ?? WORD_BITS;
  const word = () => BigInt.asUintN(wordBits, (BigInt(random()) << 40n) ^ (BigInt(random()) << 20n) ^ BigInt(random()));
  for (const bits of [64, 1000, 32_768, 999_983, 2 ** 31 + 11]) {
    const stepping = steppingOf(steps, bits, K);
    const modulus = BigInt(steps.isHalved ? 2 * bits : bits);
    for (let i = 0; i < 60; i++) {
      const [a, b] = [word(), word()];
      const shares = [a, b].map((one) => Number(one) / 2 ** wordBits);
      const rests = [a, b].map((one) => (Number(one % modulus) + 0.5) / Number(modulus));
      const drawn = [...shares, ...rests];
      const positions = new Float64Array(K);
      stepping.draw(() => drawn.shift() ?? 0, positions);
      // 0 and -0 are one position.
      expect(
        Array.from(positions, (position) => position + 0),
        `${a}, ${b} modulo ${bits}`,
      ).toEqual(defined(steps, a, b, BigInt(bits)));
    }
  }
});

test('bits-and-blooms: the positions of a key are those of its four words', () => {
  const random = createRandom(9);
  const word = () => BigInt.asUintN(64, (BigInt(random()) << 40n) ^ (BigInt(random()) << 20n) ^ BigInt(random()));
  for (const bits of [64, 1000, 32_768, 999_983]) {
    const stepping = alternatingSteps(bits, K);
    for (let i = 0; i < 60; i++) {
      const words = [word(), word(), word(), word()];
      const drawn = words.flatMap((one) => [(Number(one % BigInt(bits)) + 0.5) / bits, Number(one) / 2 ** 64]);
      const positions = new Float64Array(K);
      stepping.draw(() => drawn.shift() ?? 0, positions);
      // `location` of bloom.go.
      const expected = Array.from({ length: K }, (_, j) => {
        const sum = (words[j % 2] ?? 0n) + BigInt(j) * (words[2 + Math.floor(((j + (j % 2)) % 4) / 2)] ?? 0n);
        return Number(BigInt.asUintN(64, sum) % BigInt(bits));
      });
      expect([...positions], `${words} modulo ${bits}`).toEqual(expected);
    }
  }
});

test.each(Object.entries<Steps>(STEPS))('%s: no rate is above 1, however full a filter is', (_, steps) => {
  const [bits, k] = [64, 3];
  const rates = [1, 10, 100, 1e12].map((items) => bloomRate(items, bits, k, steps));
  expect(Math.max(...rates)).toBeLessThanOrEqual(1);
  expect(rates.at(-1)).toBeCloseTo(1, 9);
  const byFill = [1, 32, 63, 64].map((ones) => steppedRateFromFill(ones, bits, k, steps));
  expect(Math.max(...byFill)).toBe(1);
});
