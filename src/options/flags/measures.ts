// Flags that say what is measured of a filter.

import { parseCountOrZero } from '../numbers.ts';
import { flagsOf } from './define.ts';

const flag = flagsOf('Measurements');

export const measuresFlags = {
  verify: () => flag.plain('--verify', 'check every byte of the filter; measures nothing unless --probes is given'),
  probes: () =>
    flag.valued(
      '--probes <count>',
      'random absent keys to measure the rate with; 0 for none (default: 1M)',
      parseCountOrZero,
    ),
  absent: () => flag.text('--absent <file>', 'measure the rate on records that are known not to be in the set'),
  present: () =>
    flag.text('--present <file>', 'count the records of this file that are missing, though all should be in the set'),
  check: () => flag.plain('--check', 'exit with 1 if a filter is unhealthy'),
} as const;
