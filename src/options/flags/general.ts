// Flags that change no result.

import { countBetween, parseSize } from '../numbers.ts';
import { detailed, flagsOf } from './define.ts';

/** More threads would wait for the memory. */
export const THREADS_LIMIT = 64;

const flag = flagsOf('General');

export const generalFlags = {
  // Aliases may have this flag and --color. The last value counts.
  threads: (byDefault = 'one per core') =>
    detailed(
      flag.replaceable(
        '--threads <count>',
        `use this many worker threads (default: ${byDefault})`,
        countBetween(1, THREADS_LIMIT),
      ),
      'Worker threads share large inputs. With 1, the main thread works alone.',
    ),
  memoryLimit: () =>
    detailed(
      flag.valued('--memory <size>', 'limit the memory for filters (default: what is free)', parseSize),
      'A larger filter is read part by part; the keys wait in temporary files.',
    ),
  reportNothing: () =>
    detailed(flag.plain('-q, --quiet', 'print no report and no progress'), 'Warnings and errors are still printed.'),
  color: () =>
    flag.replaceableChoice('--color <when>', 'choose when to colour messages, tables and matches', [
      'auto',
      'always',
      'never',
    ]),
  noColor: () => flag.negated('--no-color', 'never'),
  shortHelp: () => flag.plain('-h', 'print a short help with the most used flags'),
  help: () => flag.plain('--help', 'print this help, with all flags'),
} as const;
