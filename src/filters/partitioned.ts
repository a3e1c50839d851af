import { type Estimate, estimateFromFill, sumEstimates } from '../sizing/cardinality.ts';
import { equalDigestRate } from '../sizing/equal-digests.ts';
import { steppedRateFromFill } from '../sizing/stepped.ts';
import { bloom } from './bloom.ts';
import { type RangedPart, type Shape, type Structure, sum } from './kind.ts';

/** The fill of a part: the ones of each of its lines, or of the whole part. */
interface LineOnes {
  readonly lines: Uint32Array;
}

/**
 * The Bloom filters of a sorted table, each with the keys of one range. All positions of a key are in one line, if a part has lines. They
 * can only be queried and reported on.
 */
export const partitioned: Structure<LineOnes> = {
  name: bloom.name,
  units: bloom.units,
  refuses: bloom.refuses,
  itemsToPlan: bloom.itemsToPlan,
  abilities: [],
  fillRatio: (fill, { bits }) => sum(fill.map(({ lines }) => onesOf(lines))) / bits,
  details: () => [],
  // A non-member falls into a part with the part's share of bits, as members do, and there into each line equally often.
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

function rateIn({ bits, k, steps }: RangedPart, lines: Uint32Array): number {
  const lineBits = bits / lines.length;
  const rateOf = (ones: number) =>
    steps === undefined ? (ones / lineBits) ** k : steppedRateFromFill(ones, lineBits, k, steps);
  const keys = sum(Array.from(lines, (ones) => estimateFromFill(ones, lineBits, k).count));
  const rate = lines.reduce((all, ones) => all + rateOf(ones), 0) / lines.length;
  return Math.min(1, rate + equalDigestRate(keys, steps?.hashBits));
}
