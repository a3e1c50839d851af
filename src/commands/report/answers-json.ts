// What JSON says of the answers of a query, in the names of JSON.md.

import type { Answered, ExpectedErrors } from './answers.ts';

/** Counts of a query, with those of each filter, if these were told apart. */
export function countsJson(
  { file, records, keys, positives, elsewhere, each }: Answered,
  names: readonly string[] = [],
) {
  const perFilter = each?.map((positives, i) => ({ filter: names[i], positives }));
  return { file, records, keys, positives, elsewhere, ...(perFilter && { perFilter }) };
}

/** The summary of a query: counts, and what to expect of them. */
export function summaryJson(
  answered: Answered,
  { predictedFpr, falsePositives }: ExpectedErrors,
  names: readonly string[],
) {
  return { ...countsJson(answered, names), predictedFpr, expectedFalsePositives: falsePositives };
}
