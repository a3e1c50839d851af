import { count, plural, rate } from '../../quantities.ts';

/** What became of records whose keys were, or were not, seen before. */
export interface DedupCounts {
  readonly records: number;
  readonly keys: number;
  readonly printed: number;
  /** Keys that were seen for the first time. */
  readonly firsts: number;
  /** First sightings that are likely to have been taken for others. */
  readonly expectedTaken: number;
}

/** "600 records: 140 printed, 460 dropped (76.7 %); 0.0 first sightings expected among those that seem to be repeated" */
export function dedupText({ records, printed, expectedTaken }: DedupCounts): string {
  const dropped = records - printed;
  const share = records === 0 ? '' : ` (${rate(dropped / records)})`;
  const counts = `${plural(records, 'record')}: ${count(printed)} printed, ${count(dropped)} dropped${share}`;
  return `${counts}; ${expectedTaken.toFixed(1)} first sightings expected among those that seem to be repeated`;
}

/** The same in the names of JSON.md. */
export function dedupJson({ records, keys, printed, firsts, expectedTaken }: DedupCounts) {
  return {
    records,
    keys,
    printed,
    dropped: records - printed,
    distinct: firsts,
    expectedFalsePositives: expectedTaken,
  };
}
