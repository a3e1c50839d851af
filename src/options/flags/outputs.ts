// Flags that say where results go, and in which form.

import { countBetween } from '../numbers.ts';
import { flagsOf } from './define.ts';

/** Where the help says what JSON has. */
const NAMES = 'with the names of src/commands/JSON.md';

/** More outputs than this a process may not have open. */
const PARTS_LIMIT = 1000;

const flag = flagsOf('Output');

export const outputsFlags = {
  output: () =>
    flag.text('-o, --output <file>', "where the filter goes; '-' is the standard output").makeOptionMandatory(),
  digestOutput: () =>
    flag
      .text(
        '-o, --output <file>',
        "where digests go; '-' is the standard output; with --parts a name in which %d, or %03d, stands for the number",
      )
      .makeOptionMandatory(),
  sketchOutput: () => flag.text('-o, --output <file>', "where the sketch is kept; '-' is the standard output"),
  parts: () =>
    flag.valued(
      '--parts <count>',
      'divide the digests by the parts of the filter that is described, each of which has its output',
      countBetween(1, PARTS_LIMIT),
    ),
  report: () =>
    flag.text(
      '-o, --output <file>',
      'where the report goes, whole or not at all, also in place of an earlier one (default: standard output)',
    ),
  plot: () => flag.plain('--plot', 'draw it too, in characters'),
  svg: () =>
    flag.text('--svg <file>', "draw it into an SVG file, also in place of an earlier one; '-' is the standard output"),
  force: () => flag.plain('--force', 'replace an existing output, which nothing touches else'),
  forceChange: () =>
    flag.plain('--force', 'change it even if it is write-protected or would get another owner or group'),
  forceReport: () => flag.plain('--force', 'write over a file that is write-protected, or no report'),
  dryRun: () => flag.plain('--dry-run', 'only tell whether the filters fit together, and what the union would be'),
  json: () => flag.plain('--json', `results as JSON, ${NAMES}`),
  queryJson: () => flag.plain('--json', `print every record as one JSON object a line, or the counts, ${NAMES}`),
  dedupJson: () => flag.plain('--json', `the counts of --count and --summary as JSON, ${NAMES}`),
  csv: () => flag.plain('--csv', 'results as CSV'),
  prometheus: () => flag.plain('--prometheus', 'metrics in the text format of Prometheus'),
} as const;
