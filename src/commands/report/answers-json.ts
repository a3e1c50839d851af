// What JSON says of the answers of a query, in the names of JSON.md.

import type { Answered, Expected } from './answers.ts';

/** Counts of a query. */
export function countsJson({ file, records, keys, positives, elsewhere }: Answered) {
  return { file, records, keys, positives, elsewhere };
}

/** The summary of a query: counts, and what to expect of them. */
export function summaryJson(answered: Answered, { predictedFpr, falsePositives }: Expected) {
  return { ...countsJson(answered), predictedFpr, expectedFalsePositives: falsePositives };
}
