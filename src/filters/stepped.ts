import { rateOfShares } from '../sizing/bloom.ts';
import { equalDigestRate } from '../sizing/equal-digests.ts';
import { steppedRate, steppedRateFromFill } from '../sizing/stepped.ts';
import type { Steps } from '../sizing/steps.ts';
import { bloomStructure, type Ones } from './bloom.ts';
import { type PredictedStructure, sum } from './kind.ts';
import { POSITION_RULES, type PositionRule, type PositionRuleName } from './position-rules.ts';

/** The Bloom filter of another system, by its position rule: its positions are independent, or steps of one length. */
export function bloomBy(name: PositionRuleName): PredictedStructure<Ones> {
  const { steps }: PositionRule = POSITION_RULES[name];
  return steps === undefined ? bloomStructure : steppedBloom(steps);
}

/** The Bloom filter whose positions are steps. */
export function steppedBloom(steps: Steps): PredictedStructure<Ones> {
  return {
    ...bloomStructure,
    predictedRate(items, shape) {
      const rate = rateOfShares(items, shape, (share) => steppedRate(share, shape.segmentBits, shape.k, steps));
      return Math.min(1, rate + equalDigestRate(items));
    },
    rateFromFill(fill, shape) {
      const { segments, segmentBits, k } = shape;
      const rate = sum(fill.map(({ ones }) => steppedRateFromFill(ones, segmentBits, k, steps))) / segments;
      return Math.min(1, rate + equalDigestRate(bloomStructure.itemsFromFill(fill, shape).count));
    },
  };
}
