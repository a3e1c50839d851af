import type { Content } from '../../engine/survey.ts';
import type { Structure } from '../../filters/kind.ts';
import { type Description, type Target, targetOf } from '../../formats/description.ts';
import { agreeing, count, multiple, plural, rate, shortCount, withNoun } from '../../quantities.ts';
import { equalDigestRate } from '../../sizing/equal-digests.ts';
import { RATE_LIMIT, ROUNDING_TOLERANCE } from '../../sizing/solve.ts';
import { capacityFor, type Facts, isOverfull } from './content.ts';

export interface Health {
  readonly healthy: boolean;
  /** The verdict in words, with what to do. */
  readonly verdict: string;
}

/**
 * Judges a filter by the keys that it should have, and by its rate: against the highest allowed rate, or against the
 * target in its file.
 */
export function judge(facts: Facts, maxRate?: number): Health {
  const { description, present } = facts;
  if (present !== undefined && present.missing > 0) {
    return {
      healthy: false,
      verdict: `${count(present.missing)} of ${plural(present.records, 'key')} that should be present ${agreeing(present.missing, 'is')} missing: the filter was built from other keys, or with other normalisation`,
    };
  }
  if (maxRate !== undefined) return judgeAgainst(facts, maxRate);
  const target = targetOf(description);
  if (facts.parts.length > 0) return judgeParts(facts);
  return target === undefined ? judgeBits(facts) : judgeRate(facts, target);
}

/**
 * Judges the rate against the highest rate that the user allows. A measured rate is too high only if its whole
 * interval is.
 */
function judgeAgainst({ description, content, measured, absent }: Facts, maxRate: number): Health {
  const { predictedFpr } = content;
  const worst = [measured, absent].find((rates) => rates !== undefined && rates.low > maxRate);
  const found = worst?.rate ?? predictedFpr;
  if (worst === undefined && predictedFpr <= maxRate)
    return { healthy: true, verdict: `healthy, its rate of ${rate(predictedFpr)} is not over ${rate(maxRate)}` };
  const target = targetOf(description);
  const remedy =
    target !== undefined && isOverfull(description, content)
      ? withCapacity(description, content)
      : 'a smaller -p or a larger -n';
  return { healthy: false, verdict: `its rate of ${rate(found)} is over ${rate(maxRate)}: rebuild with ${remedy}` };
}

/** The capacity for rebuilding an overfull filter, with space for growth. */
function withCapacity(description: Description, content: Content): string {
  return `-n ${shortCount(capacityFor(description, content, GROWTH))}, which leaves capacity for growth`;
}

const GROWTH = 1.5;

/** Judges the filters of parts of a file, each by itself. */
function judgeParts({ parts, unfiltered }: Facts): Health {
  const [open] = unfiltered;
  if (open !== undefined)
    return {
      healthy: false,
      verdict: `${andOthers(open, unfiltered.length)} without a filter, so every key may be there`,
    };
  const remarked = parts.filter(({ remark }) => remark !== undefined);
  const bad = remarked.filter(({ isBad }) => isBad);
  const [worst] = [...bad, ...remarked];
  if (worst === undefined) return { healthy: true, verdict: 'its file does not state a target rate' };
  const some = worst.isBad ? bad : remarked;
  return {
    healthy: !worst.isBad,
    verdict: `${worst.isBad ? '' : 'healthy, but '}${andOthers(worst.label, some.length)}: ${worst.remark}`,
  };
}

/** "row group 3", "row group 3 and 2 others" */
function andOthers(label: string, count: number): string {
  return count === 1 ? label : `${label} and ${plural(count - 1, 'other')}`;
}

/** The rate of an optimally full filter with k = 1. A higher rate is useless for every purpose. */
const WORST_RATE = 1 / 2;

/** Judges a filter without a known target. */
function judgeBits({ content: { predictedFpr }, description: { kind } }: Facts): Health {
  if (predictedFpr <= WORST_RATE || kind.findsRows)
    return { healthy: true, verdict: 'its file does not state a target rate' };
  const share = predictedFpr === 1 ? 'every key' : `${rate(predictedFpr)} of all keys`;
  return { healthy: false, verdict: `overfull, it accepts ${share}: rebuild it for more keys` };
}

/** Judges the predicted rate and the measured rates. A measured rate is too high only if its whole interval is. */
function judgeRate({ description, content, measured, absent }: Facts, target: Target): Health {
  const { capacity, targetFpr } = target;
  const limit = RATE_LIMIT * targetFpr;
  // Chance and the limits of a kind change the rate too. A rebuild with the same -n would not help then.
  const overfull = isOverfull(description, content);
  const larger = canErrLess(description.kind, target) ? 'a smaller -p or a larger -n' : 'a larger -n or another --kind';
  const remedy = overfull ? withCapacity(description, content) : larger;
  const times = (fpr: number) => `${multiple(fpr / targetFpr)} times its target of ${rate(targetFpr)}`;

  if (content.predictedFpr > limit) {
    return {
      healthy: false,
      verdict: `${overfull ? 'overfull' : 'errs too often'}, its rate of ${rate(content.predictedFpr)} is ${times(content.predictedFpr)}: rebuild with ${remedy}`,
    };
  }
  const worst = [measured, absent].find((rates) => rates !== undefined && rates.low > limit);
  if (worst !== undefined) {
    return {
      healthy: false,
      verdict: `measured at ${rate(worst.rate)}, ${times(worst.rate)}, though its bits predict ${rate(content.predictedFpr)}: the records may contain members, or the hash does not suit them`,
    };
  }
  if (content.predictedFpr > ROUNDING_TOLERANCE * targetFpr) {
    return {
      healthy: true,
      verdict: overfull
        ? `healthy but past its capacity, its rate is ${times(content.predictedFpr)}: rebuild soon with ${remedy}`
        : `healthy, though its rate is ${times(content.predictedFpr)}: rebuild with ${remedy} if that matters`,
    };
  }
  const free = Math.max(0, capacity - content.distinct.count);
  const left =
    free < Math.max(0.5, capacity / 1000)
      ? 'at its capacity'
      : `capacity for about ${withNoun(shortCount(free), 'more key')}`;
  return { healthy: true, verdict: `healthy, ${left}` };
}

/**
 * Whether a smaller -p gives a lower rate for the same number of keys. The k of a kind may be at its limit, and equal digests alone may
 * have a higher rate.
 */
function canErrLess({ plan }: Structure, { capacity: items, targetFpr }: Target): boolean {
  if (equalDigestRate(items) >= targetFpr / 2) return false;
  const rateAt = (fpr: number) => plan?.({ items, fpr })?.predictedFpr ?? fpr;
  return rateAt(targetFpr / 2) < rateAt(targetFpr);
}
