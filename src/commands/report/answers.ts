import type { Tally } from '../../engine/tasks/tally.ts';
import { amount, count, plural, rate } from '../../quantities.ts';

/** The answers of a query for the records of one file, or of all files. */
export interface Answered extends Tally {
  /** Null for keys of the command line, and for all files together. */
  readonly file: string | null;
}

/** How many of the positives are likely to be false. */
export interface ExpectedErrors {
  readonly predictedFpr: number;
  readonly falsePositives: number;
  /** The unit of the rate if it is not a record. */
  readonly unit: 'key' | 'filter' | undefined;
  /** Keys per record, if `unit` is a key. */
  readonly keysPerRecord: number;
  /** `falsePositives` is an upper bound, not an estimate. */
  readonly isBound: boolean;
}

/** The rate of several filters if one match is enough. If all must match, an upper bound. */
export function rateTogether(rates: readonly number[], needed: 'any' | 'all'): number {
  if (needed === 'all') return Math.max(...rates);
  // 1 - (1 - a)(1 - b)..., without rounding to 0 for very small rates.
  return -Math.expm1(rates.reduce((sum, rate) => sum + Math.log1p(-rate), 0));
}

/** If a filter accepts more than this share of absent records, the rejected records are too few for an estimate. */
const MOST_FALSE = 1 / 2;

/**
 * The expected false positives of some answers.
 *
 * Of A absent keys, A (1 - f) are reported absent. N records that were reported absent therefore stand for N / (1 -
 * f) absent records, and the difference is false positives. A record with t keys, of which one match is enough, is
 * reported absent with probability (1 - f)^t, where t is the mean of all records. If that probability is small, or if
 * all filters must match, f times the number of keys is an upper bound.
 */
export function expectedAmong(tally: Tally, predictedFpr: number, unit: ExpectedErrors['unit']): ExpectedErrors {
  const { keys, positives, elsewhere, records } = tally;
  const keysPerRecord = unit === 'key' && records > 0 ? keys / records : 1;
  // If a filter calls every key maybe present, its answers contain no information.
  const falseShare = predictedFpr < 1 ? -Math.expm1(keysPerRecord * Math.log1p(-predictedFpr)) : 1;
  const isBound = unit === 'filter' || predictedFpr === 1 || (unit === 'key' && falseShare > MOST_FALSE);
  const lookups = (unit === 'key' ? records : keys) - elsewhere;
  const expected = isBound
    ? (keys - elsewhere) * predictedFpr
    : ((lookups - positives) * falseShare) / (1 - falseShare);
  return { predictedFpr, falsePositives: Math.min(positives, expected), unit, keysPerRecord, isBound };
}

/** "600 records: 561 absent (93.5 %), 39 maybe present; 0.0055 false positives expected at a rate of 0.000989 %" */
export function summaryText({ records: all, positives, elsewhere }: Tally, expected: ExpectedErrors): string {
  const records = all - elsewhere;
  const negatives = records - positives;
  const shares = records === 0 ? '' : ` (${rate(negatives / records)})`;
  const counts = `${plural(records, 'record')}: ${count(negatives)} absent${shares}, ${count(positives)} maybe present`;
  return `${counts}; ${expectedText(expected)}`;
}

function expectedText({ predictedFpr, falsePositives, unit, keysPerRecord, isBound }: ExpectedErrors): string {
  const expected = `${isBound && unit !== undefined ? 'at most ' : ''}${amount(falsePositives)} false positives expected`;
  const per = unit === undefined ? '' : ` per ${unit}`;
  const keys = unit === 'key' ? ` and ${amount(keysPerRecord)} keys per record` : '';
  return `${expected} at a rate of ${rate(predictedFpr)}${per}${keys}`;
}
