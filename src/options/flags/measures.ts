// Flags that select the measurements.

import { parseCountOrZero, parseRate } from '../numbers.ts';
import { detailed, flagsOf } from './define.ts';

const flag = flagsOf('Measurements');

export const measuresFlags = {
  verify: () =>
    detailed(
      flag.plain('--verify', 'check every byte of the filter'),
      'With this flag, stats measures nothing unless --probes is given.',
    ),
  probes: () =>
    detailed(
      flag.valued('--probes <count>', 'measure with this many random keys (default: 1M)', parseCountOrZero),
      'The keys cannot be in the filter. With 0, nothing is measured.',
    ),
  absent: () => flag.text('--absent <file>', 'measure the rate with these records, all non-members'),
  present: () => flag.text('--present <file>', 'count the records of this file that the filter lacks'),
  maxRate: () =>
    detailed(
      flag.valued('--max-rate <rate>', 'call a filter unhealthy above this rate', parseRate),
      'By default, a filter is unhealthy if its rate is over twice its target.',
    ),
  check: () => flag.plain('--check', 'exit with 1 if a filter is unhealthy'),
} as const;
