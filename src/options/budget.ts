import { BloomError } from '../errors.ts';
import { refuseUnused } from './unused.ts';

/** The flags that state a budget of false positives. */
export interface BudgetFlags {
  readonly falsePositives?: number;
  readonly records?: number;
  readonly keysPerRecord?: number;
}

/**
 * The false-positive rate that meets the budget: the expected number of false records among records without members.
 * A record with K keys is false if one of its keys is, which has the probability 1 - (1 - p)^K. Undefined if no
 * budget is stated. Throws `usage` errors.
 */
export function rateOfBudget(raw: BudgetFlags, stated: unknown): number | undefined {
  const { falsePositives, records, keysPerRecord = 1 } = raw;
  if (falsePositives === undefined) {
    refuseUnused(raw, ['records', 'keysPerRecord'], 'without --false-positives there is no budget');
    return undefined;
  }
  if (stated !== undefined)
    throw new BloomError('usage', '--fpr and --false-positives both state the rate', 'leave out one of them');
  if (records === undefined)
    throw new BloomError('usage', '--false-positives needs the number of records', 'add --records, such as 1M');
  if (falsePositives >= records)
    throw new BloomError(
      'usage',
      `--false-positives ${falsePositives} is not below --records ${records}`,
      'state fewer false positives',
    );
  return -Math.expm1(Math.log1p(-falsePositives / records) / keysPerRecord);
}
