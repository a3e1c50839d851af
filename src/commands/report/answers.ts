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
  /** The rate is that of one of several keys or filters: there are at most so many. */
  readonly unit: 'token' | 'filter' | undefined;
}

/** The rate of filters any of which is enough or, where all of them are needed, the most that it can be. */
export function rateTogether(rates: readonly number[], needed: 'any' | 'all'): number {
  if (needed === 'all') return Math.max(...rates);
  // 1 - (1 - a)(1 - b)..., of rates that may be so small that this would be 0.
  return -Math.expm1(rates.reduce((sum, rate) => sum + Math.log1p(-rate), 0));
}

/**
 * Of A absent keys A (1 - f) are told so, and A f are not. Where a record has many keys, and one of them is enough, that
 * is the most.
 */
export function expectedAmong(
  { keys, positives, elsewhere }: Tally,
  predictedFpr: number,
  unit: ExpectedErrors['unit'],
): ExpectedErrors {
  // Of a filter that says so of all keys, nothing is known of any.
  const isKnown = unit === undefined && predictedFpr < 1;
  const asked = keys - elsewhere;
  const absentKeys = isKnown ? (asked - positives) / (1 - predictedFpr) : asked;
  return { predictedFpr, falsePositives: Math.min(positives, absentKeys * predictedFpr), unit };
}

/** "600 records: 561 absent (93.5 %), 39 maybe present; 0.0055 false positives expected at a rate of 0.000989 %" */
export function summaryText(
  { records: all, positives, elsewhere }: Tally,
  { predictedFpr, falsePositives, unit }: ExpectedErrors,
): string {
  const records = all - elsewhere;
  const negatives = records - positives;
  const shares = records === 0 ? '' : ` (${rate(negatives / records)})`;
  const counts = `${plural(records, 'record')}: ${count(negatives)} absent${shares}, ${count(positives)} maybe present`;
  const expected = `${amount(falsePositives)} false positives expected at a rate of ${rate(predictedFpr)}`;
  return `${counts}; ${unit === undefined ? expected : `at most ${expected} a ${unit}`}`;
}
