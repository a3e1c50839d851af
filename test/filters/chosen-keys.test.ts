// Keys that an attacker chose, so that their digests are not spread evenly. A person who knows the seed can find such keys. The
// writer of a file does not even need keys.

import { describe, expect, test } from 'vitest';
import type { Shape } from '../../src/filters/kind.ts';
import { quotient } from '../../src/filters/quotient.ts';
import { filterOf } from '../engine/alone.ts';
import { payloadOfNumbers } from '../reference/quotient.ts';
import { createRandom, randomDigests, shuffled } from '../reference/random.ts';
import { openVessel } from './filling.ts';

/** A quotient filter of one segment with `quotients` quotients, and remainders of 32 bits. */
function shapeOf(quotients: number): Shape {
  const segmentBits = (quotients + 512) * 35;
  return { segments: 1, segmentBits, bits: segmentBits, k: 32 };
}

/** The digests with these numbers in a segment with 2^power quotients. The highest bits of a digest are the number. */
function digestsOf(numbers: readonly bigint[], power: number): BigUint64Array {
  return BigUint64Array.from(numbers, (number) => number << BigInt(32 - power));
}

function vesselWith(digests: BigUint64Array, shape: Shape) {
  const vessel = openVessel(shape, filterOf(shape, undefined, 1, undefined, quotient));
  vessel.add(digests);
  return vessel;
}

const falling = Array.from({ length: 900 }, (_, i) => BigInt(1000 - i));
const copies = [5, 4, 3, 2, 1].flatMap((number) => Array.from({ length: 100 }, () => BigInt(number)));
const last = 2n ** 41n - 1n;

describe('in a quotient filter, close numbers are stored like any others', () => {
  test.each([
    ['one after the other', falling.toReversed()],
    ['in falling order', falling],
    ['in no order', shuffled(createRandom(1), falling)],
    ['most of them too often', [...falling.slice(0, 400), ...copies]],
    ['at the end', falling.slice(0, 500).map((number) => last - number)],
    ['at both ends', [...falling.slice(0, 400), ...falling.slice(0, 400).map((number) => last - number)]],
  ])('%s', (_, numbers) => {
    const shape = shapeOf(512);
    const vessel = vesselWith(digestsOf(numbers, 9), shape);
    expect(Buffer.compare(vessel.payload(), payloadOfNumbers(numbers, shape))).toBe(0);
    expect(vessel.count(digestsOf(numbers, 9))).toBe(numbers.length);
  });

  // A comparison of each key with each other would exceed the time limit.
  test('and half a million of them', () => {
    const shape = shapeOf(2 ** 19);
    const numbers = Array.from({ length: 500_000 }, (_, i) => BigInt(1_000_000 - i));
    const digests = digestsOf(numbers, 19);
    const vessel = vesselWith(digests, shape);
    vessel.segments.sealDrafts();
    vessel.segments.fills();
    expect(vessel.payload().some((byte) => byte !== 0)).toBe(true);
  });
});

describe('in a quotient filter a run of any length loses no key', () => {
  const POWER = 13;
  const shape = shapeOf(2 ** POWER);
  /** Numbers with one quotient, and gaps for non-members between them. */
  const run = (quotient: number, length: number) =>
    Array.from({ length }, (_, i) => BigInt(quotient) * 2n ** 32n + BigInt(2 * i));

  // A query searches the end of a run in 64 words of 64 slots, and the key in the 1,024 slots before it. Beyond these the
  // answer is "maybe present".
  test.each([
    [1023, 0],
    [1024, 0],
    [1025, 0],
    [1026, 0],
    [2000, 0],
    [4160, 1000],
    [6000, 1000],
  ])('%d slots', (length, taken) => {
    for (const quotient of [0, 1, 700, 1500]) {
      const numbers = [quotient, quotient + 1, quotient + 64].flatMap((at, i) => run(at, i === 0 ? length : 3));
      const vessel = vesselWith(digestsOf(numbers, POWER), shape);
      expect(vessel.count(digestsOf(numbers, POWER))).toBe(numbers.length);
      const nonMembers = run(quotient, length).map((number) => number + 1n);
      expect(vessel.count(digestsOf(nonMembers.slice(-1000), POWER))).toBe(taken);
    }
  });
});

test('a segment of a quotient filter that is nearly full leaves its neighbours alone', () => {
  const [segments, segmentBits] = [4, (1024 + 512) * 35];
  const shape = { segments, segmentBits, bits: segments * segmentBits, k: 32 };
  const digests = randomDigests(createRandom(5), segments * 1200);
  expect(vesselWith(digests, shape).count(digests)).toBe(digests.length);
});

test('in a quotient filter, an empty slot before a run does not belong to it', () => {
  const shape = shapeOf(512);
  const vessel = vesselWith(
    digestsOf(
      [5n, 7n, 100n].map((quotient) => (quotient << 32n) + 9n),
      9,
    ),
    shape,
  );
  const below = [5n, 7n, 100n].map((quotient) => quotient << 32n);
  expect(vessel.count(digestsOf(below, 9))).toBe(0);
});

describe('from a quotient filter', () => {
  const POWER = 9;
  const shape = shapeOf(2 ** POWER);
  const numbers = Array.from({ length: 100 }, (_, i) => BigInt(3 * i) << 30n);
  const copiesOf = (number: bigint, count: number) => digestsOf(Array<bigint>(count).fill(number), POWER);
  const [first = 0n] = numbers;
  const [middle = 0n, lastOne = 0n] = [numbers[50], numbers.at(-1)];

  test.each([
    ['the least', first],
    ['one in the middle', middle],
    ['the greatest', lastOne],
  ])('a number is removed as often as it was added: %s', (_, number) => {
    for (const [added, removed] of [
      [1, 1],
      [2, 1],
      [2, 2],
      [7, 6],
      [7, 7],
    ] as const) {
      const held = [...numbers.filter((other) => other !== number), ...Array<bigint>(added).fill(number)];
      const vessel = vesselWith(digestsOf(held, POWER), shape);
      expect(vessel.remove(copiesOf(number, removed))).toBe(removed);
      const left = [...numbers.filter((other) => other !== number), ...Array<bigint>(added - removed).fill(number)];
      expect(Buffer.compare(vessel.payload(), payloadOfNumbers(left, shape))).toBe(0);
      expect(vessel.count(copiesOf(number, 1))).toBe(Number(added > removed));
      expect(vessel.remove(copiesOf(number, 8))).toBe(added - removed);
    }
  });

  test.each([8, 9, 20])('a number that was added %d times is never removed, because its count is unknown', (added) => {
    const vessel = vesselWith(copiesOf(middle, added), shape);
    expect(vessel.remove(copiesOf(middle, 30))).toBe(30);
    expect(vessel.count(copiesOf(middle, 1))).toBe(1);
  });

  test('removing an absent key removes no other key', () => {
    const vessel = vesselWith(digestsOf(numbers, POWER), shape);
    const absent = numbers.flatMap((number) => [number + 1n, number + 2n ** 31n]);
    expect(vessel.remove(digestsOf(absent, POWER))).toBe(0);
    expect(Buffer.compare(vessel.payload(), payloadOfNumbers(numbers, shape))).toBe(0);
  });

  test('numbers are removed, added and removed in turn', () => {
    const vessel = vesselWith(digestsOf(numbers, POWER), shape);
    expect(vessel.remove(digestsOf(numbers.slice(0, 60), POWER))).toBe(60);
    vessel.add(digestsOf(numbers.slice(0, 20).toReversed(), POWER));
    expect(vessel.remove(digestsOf(numbers.slice(0, 70), POWER))).toBe(30);
    expect(Buffer.compare(vessel.payload(), payloadOfNumbers(numbers.slice(70), shape))).toBe(0);
  });
});
