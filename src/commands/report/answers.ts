import type { Tally } from '../../engine/tasks/tally.ts';
import { amount, count, plural, rate } from '../../quantities.ts';

/** What a query answered about the records of one file, or of all. */
export interface Answered extends Tally {
  /** Null for the keys of the command line, and for all files together. */
  readonly file: string | null;
}

/** How many of the positives are likely to be false. */
export interface ExpectedErrors {
  readonly predictedFpr: number;
  readonly falsePositives: number;
  /** What the rate is a rate of, if not of a record. */
  readonly unit: 'key' | 'filter' | undefined;
  /** Keys per record, if `unit` is a key. */
  readonly keysPerRecord: number;
  /** `falsePositives` is an upper bound, not an estimate. */
  readonly isBound: boolean;
}

/** The rate of filters any of which is enough or, where all of them are needed, the most that it can be. */
export function rateTogether(rates: readonly number[], needed: 'any' | 'all'): number {
  if (needed === 'all') return Math.max(...rates);
  // 1 - (1 - a)(1 - b)..., of rates that may be so small that this would be 0.
  return -Math.expm1(rates.reduce((sum, rate) => sum + Math.log1p(-rate), 0));
}

/** If so many of the absent records are selected, the records that are not selected tell too little about the others. */
const MOST_FALSE = 1 / 2;

/**
 * The false positives among some answers.
 *
 * Of A absent keys, A (1 - f) are told to be absent. So N records that were told to be absent stand for N / (1 - f) absent ones, and the
 * difference is false. A record with t keys, any of which is enough, is told to be absent with probability (1 - f)^t. Here t is the mean of
 * all records. If that probability is small, and for filters all of which are needed, f times all keys is an upper bound.
 */
export function expectedAmong(tally: Tally, predictedFpr: number, unit: ExpectedErrors['unit']): ExpectedErrors {
  const { keys, positives, elsewhere, records } = tally;
  const keysPerRecord = unit === 'key' && records > 0 ? keys / records : 1;
  // A filter that answers "maybe" for every key says nothing about any.
  const falseShare = predictedFpr < 1 ? -Math.expm1(keysPerRecord * Math.log1p(-predictedFpr)) : 1;
  const isBound = unit === 'filter' || predictedFpr === 1 || (unit === 'key' && falseShare > MOST_FALSE);
  const asked = (unit === 'key' ? records : keys) - elsewhere;
  const expected = isBound ? (keys - elsewhere) * predictedFpr : ((asked - positives) * falseShare) / (1 - falseShare);
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
