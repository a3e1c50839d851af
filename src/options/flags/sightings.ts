// Flags that say which records `dedup` prints.

import { KEEP_LIMIT, SIGHTINGS_LIMIT } from '../../sizing/windows.ts';
import { countBetween, parseSpan } from '../numbers.ts';
import { flagsOf } from './define.ts';

const flag = flagsOf('Answers');

export const sightingsFlags = {
  repeated: () => flag.plain('--repeated', 'print each key that comes again once, when it comes the second time'),
  allRepeated: () => flag.plain('--all-repeated', 'print every record whose key was seen before'),
  minCount: () =>
    flag.valued('--min-count <n>', 'print a key from its n-th sighting on, 2 to 100', countBetween(2, SIGHTINGS_LIMIT)),
  window: () =>
    flag.valued(
      '--window <span>',
      'forget what was seen window by window: of records (1M), or of time (30s, 10m, 1h, 7d)',
      parseSpan,
    ),
  keep: () =>
    flag.valued(
      '--keep <n>',
      `windows in which a key is still known after that in which it was seen, 0 to ${KEEP_LIMIT} (default: 1)`,
      countBetween(0, KEEP_LIMIT),
    ),
  state: () =>
    flag.text(
      '--state <file>',
      'begin with what was seen before, kept in this filter; keep there what is seen, in one step at the end',
    ),
  every: () =>
    flag.valued('--every <span>', 'also keep it on the way, after so many records (1M) or so long (10m)', parseSpan),
  countSelected: () => flag.plain('-c, --count', 'print only how many records would be printed'),
  dedupSummary: () =>
    flag.plain('--summary', 'report on standard error how many records were printed and dropped, and how many wrongly'),
} as const;
