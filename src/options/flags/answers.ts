// Flags that say which records a query prints, and how.

import { countBetween } from '../numbers.ts';
import { flagsOf } from './define.ts';

const flag = flagsOf('Answers');

export const answersFlags = {
  invert: () => flag.plain('-v, --invert', 'print the records that are definitely not in the set'),
  invertMatch: () => flag.alias('--invert-match', 'invert'),
  all: () => flag.plain('--all', 'a record is selected if all filters may have it, and not only any of them'),
  which: () =>
    flag.plain(
      '--which',
      'print before each record the filters that may have it, with -c how many each has; without -F all arguments are filters or folders, and parts of them are named too',
    ),
  firstOnly: () =>
    flag.plain('--first-only', 'as --which, but of the filters that may have a record only the first is printed'),
  count: () => flag.plain('-c, --count', 'print only the number of selected records'),
  maxCount: () =>
    flag.valued(
      '-m, --max-count <count>',
      'read no more of an input after so many selected records',
      countBetween(1, Number.MAX_SAFE_INTEGER),
    ),
  onlyMatching: () =>
    flag.plain(
      '-o, --only-matching',
      'print the keys that matched, a line each, in the place of their records; with -v those that did not',
    ),
  filesWithMatches: () =>
    flag.plain('-l, --files-with-matches', 'print only the names of files with a selected record'),
  filesWithoutMatch: () => flag.plain('-L, --files-without-match', 'print only the names of files without one'),
  quiet: () => flag.plain('-q, --quiet', 'print nothing, stop at the first selected record'),
  silent: () => flag.alias('--silent', 'quiet'),
  exitZero: () =>
    flag.plain('--exit-zero', 'that nothing was selected is success too, with status 0; errors keep theirs'),
  nullNames: () => flag.plain('-Z, --null-names', 'end names of files with NUL, as xargs -0 takes them'),
  lineNumber: () => flag.plain('-n, --line-number', "print each record's number in its file"),
  withFilename: () =>
    flag.plain(
      '-H, --with-filename',
      'print the name of the file (- is standard input) before each record, or a count of each; without it -c is one for all',
    ),
  tag: () =>
    flag.plain(
      '--tag',
      'print every record with + (maybe present) or - (absent) before it; with -v only the absent ones',
    ),
  summary: () => flag.plain('--summary', 'report counts and expected false positives on standard error'),
  lineBuffered: () =>
    flag.plain(
      '--line-buffered',
      'write every record at once, and ask a newer filter that takes the place of this one',
    ),
} as const;
