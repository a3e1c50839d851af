import type { Tally } from '../../engine/tasks/task.ts';
import { count, plural, rate } from '../../quantities.ts';

/** What a query answered about the records of one file, or of all. */
export interface Answered extends Tally {
  /** Null for the keys of the command line, and for all files together. */
  readonly file: string | null;
}

/** How many of the positives are likely to be false. */
export interface Expected {
  readonly predictedFpr: number;
  readonly falsePositives: number;
  /** Records have many keys, one of which is enough: there are at most so many. */
  readonly isLimit: boolean;
}

/**
 * Of A absent keys A (1 - f) are told so, and A f are not. Where a record has many keys, and one of them is enough, that
 * is the most.
 */
export function expectedAmong({ keys, positives, elsewhere }: Tally, predictedFpr: number, isLimit: boolean): Expected {
  // Of a filter that says so of all keys, nothing is known of any.
  const isKnown = !isLimit && predictedFpr < 1;
  const asked = keys - elsewhere;
  const absentKeys = isKnown ? (asked - positives) / (1 - predictedFpr) : asked;
  return { predictedFpr, falsePositives: Math.min(positives, absentKeys * predictedFpr), isLimit };
}

/** "600 records: 561 absent (93.5 %), 39 maybe present; 0.0 false positives expected at a rate of 0.000989 %" */
export function summaryText(
  { records: all, positives, elsewhere }: Tally,
  { predictedFpr, falsePositives, isLimit }: Expected,
): string {
  const records = all - elsewhere;
  const negatives = records - positives;
  const shares = records === 0 ? '' : ` (${rate(negatives / records)})`;
  const counts = `${plural(records, 'record')}: ${count(negatives)} absent${shares}, ${count(positives)} maybe present`;
  const expected = `${falsePositives.toFixed(1)} false positives expected at a rate of ${rate(predictedFpr)}`;
  return `${counts}; ${isLimit ? `at most ${expected} a token` : expected}`;
}
