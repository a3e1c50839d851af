// Flags that select the records that a query prints, and their form.

import { countBetween } from '../numbers.ts';
import { detailed, flagsOf } from './define.ts';

const flag = flagsOf('Answers');

export const answersFlags = {
  invert: () => flag.plain('-v, --invert', 'print the records that are definitely not in the set'),
  invertMatch: () => flag.alias('--invert-match', 'invert'),
  all: () =>
    detailed(
      flag.plain('--all', 'select a record only if every filter may contain it'),
      'Without this flag, a record is selected if any filter may contain it.',
    ),
  which: () =>
    detailed(
      flag.plain('--which', 'print before each record the filters that may contain it'),
      'With -c, print how many records each filter may contain. Without -F and --filters-from, every argument is a filter, a folder or a pattern. The keys then come from -e or from the standard input, and the output also names the parts of files with many filters.',
    ),
  firstOnly: () => flag.plain('--first-only', 'like --which, but print only the first matching filter'),
  count: () => flag.plain('-c, --count', 'print only the number of selected records'),
  maxCount: () =>
    detailed(
      flag.valued(
        '-m, --max-count <count>',
        'stop reading a file after this many selected records',
        countBetween(1, Number.MAX_SAFE_INTEGER),
      ),
      'Every file is counted by itself.',
    ),
  onlyMatching: () =>
    detailed(
      flag.plain('-o, --only-matching', 'print only the keys that matched, one per line'),
      'With -v, print only the keys that did not match.',
    ),
  filesWithMatches: () =>
    flag.plain('-l, --files-with-matches', 'print only the names of files with a selected record'),
  filesWithoutMatch: () =>
    flag.plain('-L, --files-without-match', 'print only the names of files without a selected record'),
  quiet: () => flag.plain('-q, --quiet', 'print nothing; stop at the first selected record'),
  silent: () => flag.alias('--silent', 'quiet'),
  exitZero: () =>
    detailed(flag.plain('--exit-zero', 'exit with 0 even if no record was selected'), 'Errors still exit with 2.'),
  nullNames: () => flag.plain('-Z, --null-names', 'end file names with NUL, for xargs -0'),
  lineNumber: () => flag.plain('-n, --line-number', 'print the number of each record in its file'),
  withFilename: () =>
    detailed(
      flag.plain('-H, --with-filename', 'print the file name before each record or count'),
      'The name of the standard input is -. Without this flag, -c prints one count for all files together.',
    ),
  tag: () =>
    detailed(
      flag.plain('--tag', 'mark every record with + (maybe present) or - (absent)'),
      'With -v, only the absent records are printed.',
    ),
  summary: () => flag.plain('--summary', 'report counts and expected false positives on stderr'),
  stale: () =>
    detailed(
      flag.plain('--stale', 'warn of files that changed since they were indexed'),
      'The sizes and times of all files of the index are compared. A file that is gone counts too.',
    ),
  lineBuffered: () =>
    detailed(
      flag.plain('--line-buffered', 'flush after every record; reload a replaced filter'),
      'If another filter takes the place of the file, the records that come later are looked up in the new filter.',
    ),
} as const;
