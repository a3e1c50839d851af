import { describe, expect, test } from 'vitest';
import { type ByteRange, type Pace, planRequests } from '../../../src/io/remote/range-plan.ts';
import { below, createRandom } from '../../reference/random.ts';

const LIMITS = { atOnce: 8, bytes: Number.POSITIVE_INFINITY };

/** The estimated time of requests. */
function seconds(requests: readonly ByteRange[], { roundTrip, bytesPerSecond }: Pace, { atOnce } = LIMITS): number {
  const bytes = requests.reduce((sum, { from, to }) => sum + to - from, 0);
  return Math.ceil(requests.length / atOnce) * roundTrip + bytes / bytesPerSecond;
}

/** The shortest time of all ways to join separate ranges: each gap is fetched or not. */
function shortest(ranges: readonly ByteRange[], pace: Pace, limits = LIMITS): number {
  let best = Number.POSITIVE_INFINITY;
  for (let joined = 0; joined < 2 ** (ranges.length - 1); joined++) {
    const requests: { from: number; to: number }[] = [];
    for (const [i, { from, to }] of ranges.entries()) {
      const last = requests.at(-1);
      if (last !== undefined && (joined >> (i - 1)) & 1) last.to = to;
      else requests.push({ from, to });
    }
    best = Math.min(best, seconds(requests, pace, limits));
  }
  return best;
}

/** Separate ranges in the order of the file. The gaps differ: equal ones would all be fetched, or none. */
function randomRanges(random: () => number, count: number): ByteRange[] {
  let end = 0;
  return Array.from({ length: count }, () => {
    const from = end + 1 + below(random, 2 ** (4 + below(random, 20)));
    end = from + 1 + below(random, 100_000);
    return { from, to: end };
  });
}

describe('requests for ranges', () => {
  test('take as long as those of the best way to join the ranges', () => {
    const random = createRandom(1);
    for (let i = 0; i < 300; i++) {
      const ranges = randomRanges(random, 1 + below(random, 10));
      const pace = { roundTrip: below(random, 1000) / 1000, bytesPerSecond: 10 ** (3 + below(random, 6)) };
      const limits = { ...LIMITS, atOnce: 1 + below(random, 8) };
      const planned = planRequests(ranges, pace, limits);
      expect(seconds(planned, pace, limits)).toBeCloseTo(shortest(ranges, pace, limits), 9);
    }
  });

  test('have each range in one request, and no more bytes than the limit', () => {
    const random = createRandom(2);
    for (let i = 0; i < 300; i++) {
      const ranges = randomRanges(random, 1 + below(random, 60));
      // In any order, and some of them twice or within another.
      const given = ranges.flatMap((range) =>
        below(random, 4) === 0 ? [range, { ...range, to: range.from + 1 }] : [range],
      );
      const limits = { atOnce: 8, bytes: 2 ** (10 + below(random, 14)) };
      const planned = planRequests(given.toReversed(), { roundTrip: 1, bytesPerSecond: 1e9 }, limits);
      const requests = given.map(({ from, to }) => planned.filter((one) => one.from <= from && to <= one.to).length);
      expect(requests).toEqual(given.map(() => 1));
      const isWrong = ({ from, to }: ByteRange, j: number) => {
        const isAlone = ranges.some((range) => range.from === from && range.to === to);
        return from < (planned[j - 1]?.to ?? 0) || !(isAlone || to - from <= limits.bytes);
      };
      expect(planned.filter(isWrong)).toEqual([]);
    }
  });

  test('are one for the whole file if most of it is wanted, and one per range if the gaps are wide', () => {
    const pieces = (step: number) => Array.from({ length: 1000 }, (_, i) => ({ from: i * step, to: i * step + 1000 }));
    const pace = { roundTrip: 0.1, bytesPerSecond: 1e7 };
    expect(planRequests(pieces(1200), pace, LIMITS)).toEqual([{ from: 0, to: 999 * 1200 + 1000 }]);
    expect(planRequests(pieces(1e9), pace, LIMITS)).toEqual(pieces(1e9));
    expect(planRequests([], pace, LIMITS)).toEqual([]);
  });
});
