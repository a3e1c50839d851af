// Flags that say what changes no result.

import { countBetween } from '../numbers.ts';
import { flagsOf } from './define.ts';

/** More threads than this would wait for the memory rather than work. */
export const THREADS_LIMIT = 64;

const flag = flagsOf('General');

export const generalFlags = {
  // This and the colour change no result, and stand in aliases: the last one holds.
  threads: (byDefault = 'one a core') =>
    flag.replaceable(
      '--threads <count>',
      `worker threads that share large inputs; with 1 the main thread works alone (default: ${byDefault})`,
      countBetween(1, THREADS_LIMIT),
    ),
  reportNothing: () =>
    flag.plain('-q, --quiet', 'report nothing, and show no progress; warnings and errors are printed'),
  color: () =>
    flag.replaceableChoice('--color <when>', 'colour in messages and tables, and of the keys that match', [
      'auto',
      'always',
      'never',
    ]),
  help: () => flag.plain('-h, --help', 'print this help'),
} as const;
