import { sliceHitRate, sliceHitRateFromFill } from '../sizing/remainders.ts';
import { bloomStructure, type Ones } from './bloom.ts';
import { type PredictedStructure, type Shape, sum } from './kind.ts';

/**
 * The Bloom filter of pybloom. A key has one position in each of its k slices. In a small slice, some bits are chosen more often than
 * others.
 */
export const ofRemainders: PredictedStructure<Ones> = {
  ...bloomStructure,
  predictedRate: (items, shape) => sliceHitRate(items, sliceBits(shape)) ** shape.k,
  rateFromFill: (fill, shape) => sliceHitRateFromFill(onesOf(fill) / shape.bits, sliceBits(shape)) ** shape.k,
};

const sliceBits = ({ bits, k }: Shape) => bits / k;
const onesOf = (fill: readonly Ones[]) => sum(fill.map(({ ones }) => ones));
