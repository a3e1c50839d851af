// Flags that say what changes no result.

import { countBetween } from '../numbers.ts';
import { detailed, flagsOf } from './define.ts';

/** More threads than this would wait for the memory rather than work. */
export const THREADS_LIMIT = 64;

const flag = flagsOf('General');

export const generalFlags = {
  // This and the colour change no result, and stand in aliases: the last one holds.
  threads: (byDefault = 'one per core') =>
    detailed(
      flag.replaceable(
        '--threads <count>',
        `use this many worker threads (default: ${byDefault})`,
        countBetween(1, THREADS_LIMIT),
      ),
      'Worker threads share large inputs. With 1, the main thread works alone.',
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
