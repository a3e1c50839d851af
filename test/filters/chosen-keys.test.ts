// Keys that somebody chose: their digests are not spread evenly, as those of other keys are. Whoever knows the seed can
// find such keys, and whoever writes a file needs none.

import { describe, expect, test } from 'vitest';
import type { Shape } from '../../src/filters/kind.ts';
import { quotient } from '../../src/filters/quotient.ts';
import { filterOf } from '../engine/alone.ts';
import { payloadOfNumbers } from '../reference/quotient.ts';
import { createRandom, shuffled } from '../reference/random.ts';
import { openVessel } from './filling.ts';

/** A quotient filter of one segment with so many quotients, and remainders of 32 bits. */
function shapeOf(quotients: number): Shape {
  const segmentBits = (quotients + 512) * 35;
  return { segments: 1, segmentBits, bits: segmentBits, hashes: 32 };
}

/**
 * The digests that become these numbers of a segment with 2^power quotients: so many of their highest bits are the
 * number.
 */
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

describe('in a quotient filter numbers that are close together are laid out as any others', () => {
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

  // Were each compared with each, this would not be done in time.
  test('and half a million of them', () => {
    const shape = shapeOf(2 ** 19);
    const numbers = Array.from({ length: 500_000 }, (_, i) => BigInt(1_000_000 - i));
    const digests = digestsOf(numbers, 19);
    const vessel = vesselWith(digests, shape);
    vessel.segments.seal();
    vessel.segments.fills();
    expect(vessel.payload().some((byte) => byte !== 0)).toBe(true);
  });
});
