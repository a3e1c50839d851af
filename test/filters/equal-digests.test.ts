// A non-member with the digest of a member is always a false positive. With n members its chance is n / 2^64. This is most of
// the rate if the rate of the bits is tiny.

import { describe, expect, test } from 'vitest';
import { KINDS } from '../../src/filters/registry.ts';

interface Case {
  readonly kind: string;
  readonly segments: number;
  readonly k: number;
  /** The fill of all segments, or of those that are not empty. */
  readonly fill: readonly number[];
  readonly keys: number;
  /** The rate of the bits alone. */
  readonly bitsRate: number;
}

const SEGMENT_BITS = 2 ** 22;
/** The number of keys that set half of the bits or counters with 64 probes per key: -(m / k) ln(1/2). */
const halfFull = (places: number) => (1000 * places * Math.LN2) / 64;
const QUOTIENT_SLOTS = 64 * 1872;

const CASES: readonly Case[] = [
  {
    kind: 'bloom',
    segments: 1000,
    k: 64,
    fill: Array(1000).fill(2 ** 21),
    keys: halfFull(2 ** 22),
    bitsRate: 2 ** -64,
  },
  {
    kind: 'counting',
    segments: 1000,
    k: 64,
    fill: Array(1000).fill(2 ** 19),
    keys: halfFull(2 ** 20),
    bitsRate: 2 ** -64,
  },
  {
    kind: 'cuckoo',
    segments: 2 ** 23,
    k: 32,
    fill: Array(256).fill(2 ** 30),
    keys: 2 ** 38,
    bitsRate: 2 ** 38 / (2 ** 23 * 16_383.5 * (2 ** 32 - 1)),
  },
  {
    kind: 'quotient',
    segments: 2 ** 23,
    k: 32,
    fill: Array(256).fill(2 ** 16),
    keys: 2 ** 24,
    bitsRate: 2 ** 24 / (2 ** 23 * (QUOTIENT_SLOTS - 512) * 2 ** 32),
  },
  ...KINDS.filter(({ abilities }) => abilities.length === 0).map(({ name }) => ({
    ...{ kind: name, segments: 2 ** 23, k: 32, fill: [2 ** 36], keys: 2 ** 36, bitsRate: 2 ** -32 },
  })),
];

describe.each(CASES)('$kind', ({ kind: name, segments, k, fill, keys, bitsRate }) => {
  const kind = KINDS.find((known) => known.name === name) ?? KINDS[0];
  const segmentBits = name === 'quotient' ? QUOTIENT_SLOTS * 35 : SEGMENT_BITS;
  const shape = { segments, segmentBits, bits: segments * segmentBits, k };
  const digestRate = keys / 2 ** 64;

  test('counts them, by the bits', () => {
    expect(digestRate).toBeGreaterThan(bitsRate);
    expect(kind.rateFromFill(fill.map(kind.unpackFill), shape) / (bitsRate + digestRate)).toBeCloseTo(1, 3);
  });

  test('counts them, by the keys', () => {
    expect(kind.predictedRate(keys, shape)).toBeGreaterThan(digestRate);
  });
});
