import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Chain } from '../../src/sizing/chain.ts';
import {
  chainCapacity,
  firstGeometry,
  freeInSlice,
  grownRate,
  halved,
  keysAtRate,
  keysGoneBy,
  lastBits,
  lastCapacity,
  lastLimit,
  lengthened,
  scalableArithmetic,
} from '../../src/sizing/scalable.ts';
import { solve } from '../../src/sizing/solve.ts';

describe('a nearly empty last slice', () => {
  const SEGMENT_BITS = 2 ** 16;
  const [fpr, tightening, k] = [0.01, 0.85, 10];
  const LIMIT = fpr * (1 - tightening) * tightening;
  const chainOf = (segments: number): Chain => ({
    fpr,
    growth: 8,
    tightening,
    slices: [
      { segments: 1, k: 9 },
      { segments, k },
    ],
  });
  /** The bits for n keys at the rate of the second slice, p (1 - r) r. The least m has (1 - e^(-kn/m))^k below this rate. */
  const bitsFor = (keys: number) => (-k * keys) / Math.log(1 - LIMIT ** (1 / k));
  /** The most keys in `segments` segments. */
  const roomOf = (segments: number) => {
    let keys = 0;
    while (Math.ceil(bitsFor(keys + 1)) <= segments * SEGMENT_BITS) keys++;
    return keys;
  };

  test.each([1, 2, 4, 8])('is halved to %d segments as long as its keys fit', (segments) => {
    const room = roomOf(segments);
    const even = (keys: number) => Array.from({ length: 8 }, () => keys / 8);
    expect(halved(chainOf(8), SEGMENT_BITS, LIMIT, even(room))).toEqual(chainOf(segments));
    expect(halved(chainOf(8), SEGMENT_BITS, LIMIT, even(room + 1))).toEqual(chainOf(Math.min(8, 2 * segments)));
  });

  test('keeps a segment', () => {
    expect(halved(chainOf(8), SEGMENT_BITS, LIMIT, Array(8).fill(0))).toEqual(chainOf(1));
  });
});

describe('the rate of a filter that has grown', () => {
  const [fpr, growth, tightening, segmentBits] = [0.01, 2, 0.5, 2 ** 16];
  /** The rates p (1 - r) r^i of the slices of Almeida et al. 2007, and the least k for each, -log2 of the rate. */
  const slices = [0, 1, 2, 3].map((i) => {
    const rate = fpr * (1 - tightening) * tightening ** i;
    const [k, bits] = [Math.ceil(-Math.log2(rate)), segmentBits * growth ** i];
    return { k, bits, capacity: (-bits * Math.log(1 - rate ** (1 / k))) / k };
  });
  const first: Chain = { fpr, growth, tightening, slices: [{ segments: 1, k: slices[0]?.k ?? 0 }] };
  /** Keys fill the slices in order. A non-member is a false positive if any slice calls it maybe present. */
  const expected = (items: number) => {
    let left = items;
    let missed = 1;
    for (const { k, bits, capacity } of slices) {
      const held = Math.min(left, capacity);
      left -= held;
      missed *= 1 - (1 - Math.exp((-k * held) / bits)) ** k;
    }
    return 1 - missed;
  };
  const all = slices.slice(0, 3).reduce((sum, { capacity }) => sum + capacity, 0);

  test.each([0.01, 0.05, 0.13, 0.15, 0.3, 0.6, 1, 1.5])(
    'is that of its slices together, %d times three slices full',
    (share) => {
      // At most a hundredth of the keys are maybe present in an earlier slice, and are not added to a later one.
      const rate = grownRate(Math.round(share * all), first, segmentBits);
      expect(Math.abs(rate / expected(share * all) - 1)).toBeLessThan(0.02);
    },
  );
});

test('keys and bits determine the rate: that of the first slice and of all later ones', () => {
  const [items, bits, tightening] = [1000, 10_000, 0.85];
  const { k = 0, fpr } = solve(scalableArithmetic(tightening), { items, bits }) ?? {};
  expect(k).toBe(Math.round((bits / items) * Math.LN2));
  const ofFirst = (1 - Math.exp((-k * items) / bits)) ** k;
  expect((fpr ?? 0) * (1 - tightening)).toBeCloseTo(ofFirst, 3);
  expect(fpr).toBeGreaterThan(0);
});

/** Chains as builds and merges make them: a merged filter begins again with fewer hash functions. */
const chains = fc
  .record({
    fpr: fc.double({ min: 1e-6, max: 0.3, noNaN: true }),
    growth: fc.constantFrom(2, 4, 8),
    tightening: fc.double({ min: 0.3, max: 0.95, noNaN: true }),
    slices: fc.array(fc.record({ segments: fc.integer({ min: 1, max: 64 }), k: fc.integer({ min: 1, max: 30 }) }), {
      minLength: 1,
      maxLength: 8,
    }),
  })
  .map((chain): Chain => chain);
const SEGMENT_BITS = 2 ** 15;
const rateIn = ({ fpr, tightening }: Chain, index: number) => fpr * (1 - tightening) * tightening ** index;
const capacityIn = (chain: Chain, index: number) => {
  const { segments = 0, k = 1 } = chain.slices[index] ?? {};
  return (-segments * SEGMENT_BITS * Math.log(1 - rateIn(chain, index) ** (1 / k))) / k;
};

/** The share of new keys that reaches a slice: those that no slice before calls maybe present, in the same filter. */
function reaching({ slices }: Pick<Chain, 'slices'>, rates: readonly number[], index: number): number {
  let first = index;
  while (first > 0 && (slices[first]?.k ?? 0) >= (slices[first - 1]?.k ?? 0)) first--;
  return rates.slice(first, index).reduce((share, rate) => share * (1 - rate), 1);
}

test('a chain holds what its slices hold, and the keys that its slices seem to hold', () => {
  const property = fc.property(chains, (chain) => {
    const rates = chain.slices.map((_, index) => rateIn(chain, index));
    const keys = chain.slices.map((_, index) => capacityIn(chain, index) / reaching(chain, rates, index));
    const all = keys.reduce((sum, some) => sum + some, 0);
    // The capacity of a slice is a whole number.
    const rounding = 1.5 * chain.slices.length;
    expect(Math.abs(chainCapacity(chain, SEGMENT_BITS) - all)).toBeLessThan(rounding);
    expect(
      Math.abs(lastCapacity(chain, SEGMENT_BITS) - capacityIn(chain, chain.slices.length - 1)),
    ).toBeLessThanOrEqual(1);
  });
  fc.assert(property, { seed: 1, numRuns: 300 });
});

test('the keys that came are those that reached the slices, by the share that reaches each', () => {
  const estimates = fc.array(
    fc.record({ count: fc.nat(1e6), error: fc.nat(1000), rate: fc.double({ min: 0, max: 0.5, noNaN: true }) }),
    { minLength: 8, maxLength: 8 },
  );
  const property = fc.property(chains, estimates, ({ slices }, some) => {
    const arrived = some.slice(0, slices.length);
    const rates = arrived.map(({ rate }) => rate);
    const shares = slices.map((_, index) => reaching({ slices }, rates, index));
    const { count, error } = keysGoneBy(slices, rates, arrived);
    const expected = arrived.reduce((sum, one, i) => sum + one.count / (shares[i] ?? 1), 0);
    const variance = arrived.reduce((sum, one, i) => {
      const share = shares[i] ?? 1;
      // The keys that came, count / share, reach the slice with this chance each.
      return sum + (one.error ** 2 + (one.count / share) * share * (1 - share)) / share ** 2;
    }, 0);
    expect(count / Math.max(1, expected)).toBeCloseTo(expected / Math.max(1, expected), 9);
    expect(error / Math.max(1, Math.sqrt(variance))).toBeCloseTo(
      Math.sqrt(variance) / Math.max(1, Math.sqrt(variance)),
      9,
    );
  });
  fc.assert(property, { seed: 2, numRuns: 300 });
});

test('a chain gets longer by a slice for its rate, larger than the largest slice, up to 18 slices', () => {
  const property = fc.property(chains, (chain) => {
    const next = lengthened(chain);
    const { slices } = chain;
    const segments = chain.growth * Math.max(...slices.map((slice) => slice.segments));
    const k = Math.max(1, Math.round(-Math.log2(rateIn(chain, slices.length))));
    expect(next).toEqual({ ...chain, slices: [...slices, { segments, k }] });
  });
  fc.assert(property, { seed: 3, numRuns: 100 });
  const [fpr, growth, tightening] = [0.01, 2, 0.5];
  const of = (length: number): Chain => ({
    fpr,
    growth,
    tightening,
    slices: Array(length).fill({ segments: 1, k: 9 }),
  });
  expect(lengthened(of(17))?.slices).toHaveLength(18);
  expect(lengthened(of(18))).toBeUndefined();
});

test('a first slice has the bits asked for, in a power of two of segments that are neither too small nor too large', () => {
  const property = fc.property(fc.double({ min: 0, max: 36, noNaN: true }), (log) => {
    const bits = Math.round(2 ** log);
    const { segments, segmentBits, bits: all } = firstGeometry(bits);
    expect(all).toBe(segments * segmentBits);
    expect(all).toBeGreaterThanOrEqual(Math.max(bits, 2 ** 14));
    // Whole lines of 512 bits.
    expect(all).toBeLessThan(Math.max(bits, 2 ** 14) + 512 * segments);
    expect(segmentBits % 512).toBe(0);
    expect(segmentBits).toBeLessThanOrEqual(2 ** 22);
    expect(Math.log2(segments) % 1).toBe(0);
    // Up to 8 segments of at least 32 KiB; more only if they are as large as possible.
    const most = Math.max(1, 2 ** Math.floor(Math.log2(bits / 2 ** 18)));
    expect(segments).toBe(Math.max(Math.min(8, most), 2 ** Math.ceil(Math.log2(Math.max(1, bits / 2 ** 22)))));
  });
  fc.assert(property, { seed: 4, numRuns: 500 });
});

test('the last slice may have what its own rate leaves, or less if the others have more than theirs', () => {
  const property = fc.property(
    chains,
    fc.array(fc.double({ min: 0, max: 1.5, noNaN: true }), { minLength: 8, maxLength: 8 }),
    (chain, factors) => {
      const last = chain.slices.length - 1;
      const before = Array.from({ length: last }, (_, i) => rateIn(chain, i) * (factors[i] ?? 1));
      const left =
        Array.from({ length: last + 1 }, (_, i) => rateIn(chain, i)).reduce((sum, rate) => sum + rate, 0) -
        before.reduce((sum, rate) => sum + rate, 0);
      const own = rateIn(chain, last);
      const expected = left > own / 2 ? Math.min(left, own) : own;
      // Not at the limit itself, where rounding decides.
      fc.pre(Math.abs(left / own - 0.5) > 1e-9);
      expect(lastLimit(chain, before) / own).toBeCloseTo(expected / own, 9);
    },
  );
  fc.assert(property, { seed: 5, numRuns: 300 });
});

test.each([2 ** 18, 2 ** 20])(
  'parts of a slice take keys up to the limit of their mean rate, %d bits each',
  (segmentBits) => {
    const part = { segments: 4, segmentBits, bits: 4 * segmentBits };
    const rateOf = (keys: number) => (1 - Math.exp((-7 * keys) / part.bits)) ** 7;
    const parts = fc.array(fc.nat(1.2e5), { minLength: 1, maxLength: 4 });
    const property = fc.property(
      parts,
      fc.nat(2e5),
      fc.nat(3),
      fc.double({ min: 1e-4, max: 0.01, noNaN: true }),
      (held, wanted, at, limit) => {
        const index = at % held.length;
        const free = freeInSlice(limit, part, 7, held);
        const added = free.of(index, wanted);
        const meanWith = (keys: number) =>
          held.reduce((sum, some, i) => sum + rateOf(i === index ? some + keys : some), 0) / held.length;
        expect(added).toBeLessThanOrEqual(wanted);
        if (added > 0) expect(meanWith(added)).toBeLessThanOrEqual(limit * (1 + 1e-9));
        if (added < wanted) expect(meanWith(added + 1)).toBeGreaterThan(limit * (1 - 1e-9));
        // Keys that were added count from then on, like keys that were held.
        free.note(index, added);
        const after = freeInSlice(
          limit,
          part,
          7,
          held.map((some, i) => (i === index ? some + added : some)),
        );
        for (const i of held.keys()) expect(Math.abs(free.of(i, wanted) - after.of(i, wanted))).toBeLessThanOrEqual(1);
      },
    );
    fc.assert(property, { seed: 6, numRuns: 200 });
  },
);

test('small segments of a part take fewer keys, as some get more than others', () => {
  const limit = 0.001;
  const full = (segmentBits: number) => {
    const part = { segments: 64, segmentBits, bits: 64 * segmentBits };
    return freeInSlice(limit, part, 10, [0]).of(0, 1e9) / part.bits;
  };
  const even = -Math.log(1 - limit ** 0.1) / 10;
  expect(full(2 ** 18) / even).toBeCloseTo(1, 4);
  expect(full(2 ** 14) / even).toBeLessThan(0.999);
  expect(full(2 ** 14) / even).toBeGreaterThan(0.98);
});

test('keys give their rate, and a rate its keys', () => {
  for (const [rate, bits, k] of [
    [0.01, 1e6, 7],
    [1e-9, 2 ** 30, 20],
    [0.5, 1000, 1],
  ] as const) {
    const keys = keysAtRate(rate, bits, k);
    expect((1 - Math.exp((-k * keys) / bits)) ** k / rate).toBeCloseTo(1, 6);
  }
  expect(keysAtRate(1, 1000, 3)).toBe(Number.POSITIVE_INFINITY);
  const property = fc.property(chains, fc.integer({ min: 1, max: 1e7 }), (chain, keys) => {
    const last = chain.slices.length - 1;
    const k = chain.slices[last]?.k ?? 1;
    const bits = (-k * keys) / Math.log1p(-(rateIn(chain, last) ** (1 / k)));
    expect(lastBits(chain, keys)).toBe(Math.ceil(bits));
  });
  fc.assert(property, { seed: 7, numRuns: 100 });
});
