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
  /** Sightings were counted: a key whose sighting is taken for a later one passes that much early. */
  readonly isEarly: boolean;
}

/** "600 records: 140 printed, 460 dropped (76.7 %); 0.0 first sightings expected among those that seem to be repeated" */
export function dedupText({ records, printed, expectedTaken, isEarly }: DedupCounts): string {
  const dropped = records - printed;
  const share = records === 0 ? '' : ` (${rate(dropped / records)})`;
  const counts = `${plural(records, 'record')}: ${count(printed)} printed, ${count(dropped)} dropped${share}`;
  const wrong = isEarly
    ? 'sightings expected to have been taken for later ones'
    : 'first sightings expected among those that seem to be repeated';
  return `${counts}; ${expectedTaken.toFixed(1)} ${wrong}`;
}

/** The same in the names of JSON.md. */
export function dedupJson({ records, keys, printed, firsts, expectedTaken }: DedupCounts) {
  return {
    records,
    keys,
    printed,
    dropped: records - printed,
    firstSightings: firsts,
    expectedFalsePositives: expectedTaken,
  };
}
