// Flags that select the records that `dedup` prints.

import { KEEP_LIMIT, SIGHTINGS_LIMIT } from '../../sizing/windows.ts';
import { countBetween, parseSpan } from '../numbers.ts';
import { detailed, flagsOf } from './define.ts';

const flag = flagsOf('Answers');

export const sightingsFlags = {
  repeated: () => flag.plain('--repeated', 'print each repeated key once, when it comes again'),
  allRepeated: () => flag.plain('--all-repeated', 'print every record whose key was seen before'),
  minCount: () =>
    flag.valued(
      '--min-count <n>',
      `print a key from its n-th record on, 2 to ${SIGHTINGS_LIMIT}`,
      countBetween(2, SIGHTINGS_LIMIT),
    ),
  window: () =>
    detailed(
      flag.valued('--window <span>', 'remember keys only for a window, such as 1M or 10m', parseSpan),
      'A window has a number of records (1M) or a time (30s, 10m, 1h, 7d).',
    ),
  keep: () =>
    detailed(
      flag.valued('--keep <n>', 'remember keys for n more windows (default: 1)', countBetween(0, KEEP_LIMIT)),
      `n is a number from 0 to ${KEEP_LIMIT}.`,
    ),
  state: () =>
    detailed(
      flag.text('--state <file>', 'continue from this file, and save what was seen to it'),
      'The file is a filter. It is replaced in one step at the end.',
    ),
  every: () =>
    detailed(
      flag.valued('--every <span>', 'also save the state after 1M records, or every 10m', parseSpan),
      'The span is a number of records (1M) or a time (10m).',
    ),
  countSelected: () => flag.plain('-c, --count', 'print only how many records would be printed'),
  dedupSummary: () =>
    detailed(
      flag.plain('--summary', 'report counts and expected errors on stderr'),
      'The report says how many records were printed and dropped, and how many of them wrongly.',
    ),
} as const;
