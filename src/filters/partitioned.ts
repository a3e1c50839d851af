import { type Estimate, estimateFromFill, sumEstimates } from '../sizing/cardinality.ts';
import { bloom } from './bloom.ts';
import type { RangedPart } from './key-ranges.ts';
import { type FilterKind, type Shape, sum } from './kind.ts';

/** How full a part is: the ones of each of its lines, or of all of it. */
interface LineOnes {
  readonly lines: Uint32Array;
}

/**
 * The Bloom filters of a sorted table, of which each has the keys of a range for itself, in lines in which all positions of a
 * key are, or without: they are only asked and reported on.
 */
export const partitioned: FilterKind<LineOnes> = {
  id: bloom.id,
  name: bloom.name,
  purpose: bloom.purpose,
  places: bloom.places,
  refuses: bloom.refuses,
  itemsToPlan: bloom.itemsToPlan,
  abilities: [],
  plan: bloom.plan,
  geometry: bloom.geometry,
  isShape: ({ parts }) => parts !== undefined,
  predictedRate: bloom.predictedRate,
  attach: () => {
    throw new Error('a table is asked as an array of bits');
  },
  packFill: ({ lines }) => sum([...lines]),
  unpackFill: (ones) => ({ lines: Uint32Array.of(ones) }),
  fillRatio: (fill, { bits }) => sum(fill.map(({ lines }) => onesOf(lines))) / bits,
  details: () => [],
  // A stranger falls into each part as often as that has bits, as who was added did, and there into each line equally often.
  rateFromFill: (fill, shape) =>
    sum(partsOf(fill, shape).map(({ part, lines }) => (part.bits / shape.bits) * rateIn(part, lines))),
  itemsFromFill: (fill, shape): Estimate =>
    sumEstimates(
      partsOf(fill, shape).flatMap(({ part, lines }) =>
        Array.from(lines, (ones) => estimateFromFill(ones, part.bits / lines.length, part.k)),
      ),
    ),
};

/** The ones of a part. */
function onesOf(lines: Uint32Array): number {
  return lines.reduce((all, ones) => all + ones, 0);
}

function partsOf(fill: readonly LineOnes[], { parts = [] }: Shape): { part: RangedPart; lines: Uint32Array }[] {
  return parts.map((part, i) => ({ part, lines: fill[i]?.lines ?? new Uint32Array(1) }));
}

function rateIn({ bits, k, isStepped }: RangedPart, lines: Uint32Array): number {
  const lineBits = bits / lines.length;
  const rateOf = isStepped ? steppedRate(lineBits, k) : (fill: number) => fill ** k;
  return lines.reduce((all, ones) => all + rateOf(ones / lineBits), 0) / lines.length;
}

/**
 * The chance that all positions of a stranger are ones where they are steps of one length, as likely as any. Some come back to
 * the first after fewer than k; and where these go around without a gap, as the bits are a power of 2, a stranger whose steps
 * are as long as those of a member, in either direction, has all but s positions of it if it begins s steps from it.
 */
function steppedRate(bits: number, k: number): (fill: number) => number {
  const after = Array.from({ length: k - 1 }, (_, i) => i + 1).filter((positions) => bits % positions === 0);
  const returns = after.map((positions) => ({ positions, chance: coprimes(positions) / bits }));
  const isGapless = Number.isInteger(Math.log2(bits));
  return (fill) => {
    const rate = fill ** k;
    const excess = (ones: number) => fill ** ones - rate;
    const returning = sum(returns.map(({ positions, chance }) => chance * excess(positions)));
    if (!isGapless || fill === 1) return rate + returning;
    const apart = sum(Array.from({ length: k - 1 }, (_, i) => excess(i + 1)));
    const members = estimateFromFill(fill * bits, bits, k).count;
    return Math.min(1, rate + returning + (2 * members * (excess(0) + 2 * apart)) / bits ** 2);
  };
}

/** Numbers up to n that have no divisor in common with it (Euler's totient). */
function coprimes(n: number): number {
  const common = (a: number, b: number): number => (b === 0 ? a : common(b, a % b));
  return Array.from({ length: n }, (_, i) => common(n, i + 1)).filter((divisor) => divisor === 1).length;
}
